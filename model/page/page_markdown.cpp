// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "model/format.h"
#include "model/page/page.h"

namespace lanescope::page {
namespace {

/// With what would be markup escaped; on one line.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>#|~$").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

struct MarkdownPart {
  std::string& out;

  void operator()(const Facts& facts) const {
    out += "| | |\n|---|---|\n";
    for (const auto& [what, text] : facts) out += fmt::format("| {} | {} |\n", plain(what), plain(text));
    out += '\n';
  }
  void operator()(const Note& note) const {
    out += fmt::format("{}{}\n\n", note.isWarning ? "> **Note:** " : "", plain(note.text));
  }
  void operator()(const TablePart& part) const {
    const analysis::Table& table = part.table;
    out += fmt::format("**{}**\n\n|", plain(table.title));
    for (const auto& column : table.columns) out += fmt::format(" {} |", plain(column.title));
    out += "\n|";
    for (const auto& column : table.columns) out += column.kind == analysis::ColumnKind::kText ? "---|" : "---:|";
    out += '\n';
    const std::size_t shown = std::min(part.most, table.rows.size());
    for (std::size_t row = 0; row < shown; ++row) {
      out += '|';
      for (std::size_t i = 0; i < table.columns.size() && i < table.rows[row].size(); ++i) {
        out += fmt::format(" {} |", plain(cellText(table.rows[row][i], table.columns[i].kind)));
      }
      out += '\n';
    }
    if (shown < table.rows.size()) {
      out += fmt::format("\n{} more: `lanescope stats -r {}`\n", formatCount(table.rows.size() - shown), table.name);
    }
    out += '\n';
  }
  void operator()(const PicturePart& part) const { out += fmt::format("```text\n{}```\n\n", toBlocks(part.picture)); }
};

}  // namespace

std::string toMarkdown(const Page& page) {
  std::string out = fmt::format("# {}\n\n{}\n\n", plain(page.title), plain(page.subtitle));
  for (const Section& section : page.sections) {
    out += fmt::format("## {}\n\n", plain(section.title));
    for (const auto& part : section.parts) std::visit(MarkdownPart{out}, part);
  }
  return out;
}

}  // namespace lanescope::page
