// SPDX-License-Identifier: Apache-2.0
// A table as HTML, alone or as a page of its own that needs nothing beside it.
#include "model/analysis/table_cells.h"
#include "model/markup.h"

namespace lanescope::analysis {
namespace {

constexpr std::string_view kStyle =
    "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}"
    "th,td{padding:.2em .8em;border-bottom:1px solid #ccc;text-align:left}"
    "th{border-bottom:2px solid #888}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}";

}  // namespace

std::string htmlText(const Table& table, const TableStyle& style, TimeUnit unit) {
  const bool page = style.format == TableFormat::kHdoc;
  std::string out;
  if (page) {
    const std::string& title = style.title.empty() ? table.title : style.title;
    out += "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>";
    out += escaped(title);
    out += "</title>\n";
    if (style.css.empty()) {
      (out += "<style>") += kStyle;
      out += "</style>\n";
    } else {
      out += "<link rel=\"stylesheet\" href=\"";
      out += escaped(style.css);
      out += "\">\n";
    }
    out += "</head>\n<body>\n<h1>";
    out += escaped(title);
    out += "</h1>\n";
  }
  std::string cell;
  const auto add = [&](const char* tag, bool number) {
    ((out += '<') += tag) += number ? " class=\"n\">" : ">";
    out += escaped(cell);
    ((out += "</") += tag) += '>';
  };
  out += "<table>\n<thead>\n<tr>";
  for (const Column& column : table.columns) {
    cell = titleOf(column, unit);
    add("th", column.kind != ColumnKind::kText);
  }
  out += "</tr>\n</thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      cell.clear();
      append(cell, row[i], table.columns[i].kind, unit);
      add("td", table.columns[i].kind != ColumnKind::kText);
    }
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n";
  if (page) out += "</body>\n</html>\n";
  return out;
}

}  // namespace lanescope::analysis
