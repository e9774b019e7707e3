// SPDX-License-Identifier: Apache-2.0
#include "app/cli/analyze_text.h"

#include <fmt/format.h>

namespace lanescope::cli {
namespace {

constexpr std::size_t kWidth = 110, kIndent = 15;

/// Words in lines of kWidth, the first behind `head`.
void addWrapped(std::string& text, std::string_view head, std::string_view words) {
  std::string line(kIndent, ' ');
  line += head;
  std::size_t column = kIndent + head.size();
  const std::size_t indent = column;
  bool first = true;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    std::size_t length = 0;
    for (const char c : word) length += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (!first && column + 1 + length > kWidth) {
      text += line + '\n';
      line.assign(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first) line += ' ';
    line += word;
    column += length + (first ? 0 : 1);
    first = false;
  }
  text += line + '\n';
}

}  // namespace

std::string checklistText(std::span<const analysis::Check> checks) {
  std::string text, nothing;
  for (const analysis::Check& check : checks) {
    if (check.verdict == analysis::Verdict::kNone) {
      if (nothing.find(check.kind->title) == std::string::npos)
        nothing += fmt::format("{}{}", nothing.empty() ? "" : ", ", check.kind->title);
      continue;
    }
    std::string figure;
    if (check.figure) figure = fmt::format("{:.1f} {}", *check.figure, check.kind->unit);
    const std::string goal = check.kind->goal ? fmt::format("  goal {}", check.kind->goalText()) : "";
    text += fmt::format(" {:<12}  {:<32} {:>10}{:<12}  {}", nameOf(check.verdict), check.kind->title, figure, goal,
                        check.of);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
    if (!check.evidence.empty()) addWrapped(text, "", check.evidence);
    const bool note = check.verdict == analysis::Verdict::kNote;
    if (!check.advice.empty()) addWrapped(text, note ? "note: " : "try: ", check.advice);
    if (!check.caveat.empty()) addWrapped(text, "caveat: ", check.caveat);
  }
  if (!nothing.empty()) {
    const std::size_t line = text.size();
    addWrapped(text, "", nothing);
    text.replace(line, kIndent, fmt::format(" {:<{}}", "none of these", kIndent - 1));
  }
  return text;
}

}  // namespace lanescope::cli
