// SPDX-License-Identifier: Apache-2.0
#include "app/cli/analyze_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/analysis/rules.h"

namespace lanescope::cli {
namespace {

constexpr std::size_t kWidth = 110, kIndent = 15;

std::size_t columnsOf(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Words in lines of `width` columns, the first behind `line`, the others indented by as much as that takes.
std::string wrapped(std::string line, std::string_view words, std::size_t width) {
  std::string text;
  const std::size_t indent = columnsOf(line);
  std::size_t column = indent;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    const std::size_t length = columnsOf(word);
    if (column > indent && column + 1 + length > width) {
      text += line + '\n';
      line.assign(indent, ' ');
      column = indent;
    }
    if (column > indent) line += ' ', ++column;
    line += word;
    column += length;
  }
  return text + line + '\n';
}

}  // namespace

std::string checklistText(std::span<const analysis::Check> checks) {
  std::string text, nothing;
  const auto add = [&](std::string_view head, std::string_view words) {
    text += wrapped(std::string(kIndent, ' ').append(head), words, kWidth);
  };
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
    if (!check.evidence.empty()) add("", check.evidence);
    const bool note = check.verdict == analysis::Verdict::kNote;
    if (!check.advice.empty()) add(note ? "note: " : "try: ", check.advice);
    if (!check.caveat.empty()) add("caveat: ", check.caveat);
  }
  if (!nothing.empty()) text += wrapped(fmt::format(" {:<{}}", "none of these", kIndent - 1), nothing, kWidth);
  return text;
}

std::string rulesText(const std::vector<std::string>& names) {
  constexpr std::size_t kHelpWidth = 100;
  std::string text;
  const auto asked = [&](std::string_view name) {
    return names.empty() || std::ranges::find(names, name) != names.end() || names.front() == "all";
  };
  if (names.empty()) {
    std::string all;
    for (const analysis::Rule& rule : analysis::rules()) all += fmt::format(" {}", rule.name);
    text += wrapped("Rules: ", all, kHelpWidth) + "\n";
  }
  for (const analysis::Rule& rule : analysis::rules()) {
    if (!asked(rule.name)) continue;
    std::string call(rule.name);
    for (const auto& [bit, option] : {std::pair(analysis::Rule::kRows, "[:rows=50]"),
                                      {analysis::Rule::kGap, "[:gap=500ms]"},
                                      {analysis::Rule::kLeast, "[:min=1us]"},
                                      {analysis::Rule::kChunks, "[:chunks=30][:threshold=50]"}})
      if (rule.arguments & bit) call += option;
    std::string_view about = rule.about;
    if (about.ends_with('.')) about.remove_suffix(1);
    text += call + "[:start=T][:end=T][:nvtx=RANGE[@DOMAIN]]\n";
    text +=
        wrapped("  ", fmt::format("{}: {}. --fail-on: {}, more than {}", rule.title, about, rule.figure, rule.limit),
                kHelpWidth);
    if (&rule == &analysis::rules().front())
      for (const analysis::CheckKind& kind : analysis::checkKinds()) {
        const std::string goal = kind.goal ? fmt::format("; goal {}", kind.goalText()) : "";
        text += wrapped(fmt::format("  {:<16} ", kind.id),
                        fmt::format("{}: {} ({}{}). --fail-on: {} than {}", kind.title, kind.about, kind.unit, goal,
                                    kind.above ? "less" : "more", kind.goal ? "the goal or THRESHOLD" : "THRESHOLD"),
                        kHelpWidth);
      }
  }
  constexpr std::string_view kGates =
      "--fail-on NAME[:THRESHOLD] names a rule or a line of the checklist, also where its verdict is but a note. What "
      "could not be measured is said on stderr and fails only with a THRESHOLD.";
  return names.empty() ? text + '\n' + wrapped("", kGates, kHelpWidth) : text;
}

}  // namespace lanescope::cli
