// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "model/format.h"
#include "model/markup.h"
#include "model/page/page.h"

namespace lanescope::page {
namespace {

constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--text:#1e2430;--dim:#596273;--back:#fff;--line:#dce0e6;--band:#f2f4f7;--accent:#0b8377;--warn:#8a5c00;--warnback:#fff6df}
@media(prefers-color-scheme:dark){:root{--text:#e4e8ef;--dim:#98a2b3;--back:#14181f;--line:#2b323d;--band:#1b212a;--accent:#4fd1c0;--warn:#f2c879;--warnback:#2c2413}}
*{box-sizing:border-box}
body{margin:0 auto;padding:32px 28px 64px;max-width:1280px;background:var(--back);color:var(--text);font:14px/1.5 Inter,system-ui,sans-serif}
h1{margin:0;font-size:24px;line-height:1.25;overflow-wrap:anywhere}
h1+p{margin:4px 0 0;color:var(--dim)}
h2{margin:36px 0 10px;font-size:16px;border-bottom:2px solid var(--accent);padding-bottom:4px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 20px;margin:0}
dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:13px}
caption{text-align:left;color:var(--dim);padding:10px 0 4px}
th{text-align:left;font-weight:600;color:var(--dim);white-space:nowrap}
th,td{padding:4px 12px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}
tbody tr:nth-child(even){background:var(--band)}
td{overflow-wrap:anywhere}.s{white-space:nowrap}
.good{color:var(--accent);font-weight:600}.improve{color:var(--warn);font-weight:600}
.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.more,.note{color:var(--dim);margin:6px 0}
.warning{color:var(--warn);background:var(--warnback);padding:6px 12px;border-left:3px solid var(--warn);margin:6px 0}
svg{width:100%;height:auto;display:block}svg .in{fill:#06080c;font-size:10px;pointer-events:none}
footer{margin-top:48px;color:var(--dim);font-size:12px}
@media print{body{max-width:none;padding:0}.wide{overflow:visible}h2{break-after:avoid}tr{break-inside:avoid}}
)";

/// Numbers stand at the right, short words stay whole, and a verdict has its colour.
std::string_view classOf(const analysis::Column& column, std::string_view text) {
  constexpr std::size_t kShort = 26;
  if (column.kind != analysis::ColumnKind::kText) return "n";
  if (column.title == "Verdict" && (text == "good" || text == "improve")) return text;
  return text.size() <= kShort ? "s" : "l";
}

bool isNumber(const analysis::Column& column) { return column.kind != analysis::ColumnKind::kText; }

struct HtmlPart {
  std::string& out;

  void operator()(const Facts& facts) const {
    out += "<dl>\n";
    for (const auto& [what, text] : facts) out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(what), escaped(text));
    out += "</dl>\n";
  }
  void operator()(const Note& note) const {
    out += fmt::format("<p class='{}'>{}</p>\n", note.isWarning ? "warning" : "note", escaped(note.text));
  }
  void operator()(const TablePart& part) const {
    const analysis::Table& table = part.table;
    out += fmt::format("<div class='wide'><table><caption>{}</caption><thead><tr>", escaped(table.title));
    for (const auto& column : table.columns) {
      out += fmt::format("<th{}>{}</th>", isNumber(column) ? " class='n'" : "", escaped(column.title));
    }
    out += "</tr></thead><tbody>\n";
    const std::size_t shown = std::min(part.most, table.rows.size());
    for (std::size_t row = 0; row < shown; ++row) {
      out += "<tr>";
      for (std::size_t i = 0; i < table.columns.size() && i < table.rows[row].size(); ++i) {
        const analysis::Column& column = table.columns[i];
        const std::string text = cellText(table.rows[row][i], column.kind);
        out += fmt::format("<td class='{}'>{}</td>", classOf(column, text), escaped(text));
      }
      out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
    if (shown < table.rows.size()) {
      out += fmt::format("<p class='more'>{} more: lanescope stats -r {}</p>\n", formatCount(table.rows.size() - shown),
                         escaped(table.name));
    }
  }
  void operator()(const PicturePart& part) const {
    out += toSvg(part.picture, *part.of->names);
    if (part.picture.leftOut > 0) {
      out += fmt::format("<p class='more'>{} more rows: open the report in lanescope-ui</p>\n", part.picture.leftOut);
    }
  }
};

}  // namespace

std::string toHtml(const Page& page) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width,initial-scale=1'><title>{0}</title><style>{2}</style></head><body>\n"
      "<h1>{0}</h1><p>{1}</p>\n",
      escaped(page.title), escaped(page.subtitle), kStyle);
  for (const Section& section : page.sections) {
    out += fmt::format("<section><h2>{}</h2>\n", escaped(section.title));
    for (const auto& part : section.parts) std::visit(HtmlPart{out}, part);
    out += "</section>\n";
  }
  return out + "<footer>Made by Lanescope.</footer>\n</body></html>\n";
}

}  // namespace lanescope::page
