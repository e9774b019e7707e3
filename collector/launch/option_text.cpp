// SPDX-License-Identifier: Apache-2.0
// What is said about options: the help, and what somebody may have meant.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "collector/launch/option_table.h"

namespace lanescope::launch {
namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string helpLine(const OptionRow& row) {
  const std::string_view values = row.kind == OptionKind::kSwitch ? "true|false" : row.values;
  std::string head = row.letter ? fmt::format("  -{}, --{}={}", row.letter, row.name, values)
                                : fmt::format("      --{}={}", row.name, values);
  constexpr std::size_t kColumn = 46;
  head += head.size() < kColumn ? std::string(kColumn - head.size(), ' ') : "\n" + std::string(kColumn, ' ');
  return head + aboutOf(row) + "\n";
}

constexpr std::string_view kHelpHead =
    "Record a program: lanescope profile [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "\n"
    "Options are those of nsys profile: --name=value, --name value or -n value, before the program. The value when\n"
    "an option is not given stands in [brackets]; \"not yet\" marks what is understood but has no effect so far.\n"
    "The exit status is the program's own; 128 + N when signal N ended it.\n";

constexpr std::string_view kHelpTail =
    "Otherwise than nsys: --trace starts from cuda,nvtx, --kill from none: the program goes on when the recording\n"
    "ends; -p finds plain and registered strings alike; the environment is not stored.\n"
    "From another shell, lanescope stop, cancel and shutdown end this recording. To record a program several times, "
    "or\n"
    "a server for a while: lanescope launch --help\n";

}  // namespace

std::string_view titleOf(OptionGroup group) {
  switch (group) {
    case OptionGroup::kTrace:
      return "What to record";
    case OptionGroup::kSystem:
      return "GPU metrics and the rest of the machine";
    case OptionGroup::kCpu:
      return "CPU";
    case OptionGroup::kWhen:
      return "When to record";
    case OptionGroup::kRun:
      return "The program and its report";
  }
  return "";
}

std::string_view helpHead() { return kHelpHead; }
std::string_view helpTail() { return kHelpTail; }

std::string aboutOf(const OptionRow& row) {
  std::string text(row.meaning);
  if (!row.standard.empty()) text += fmt::format(" [{}]", row.standard);
  if (row.state == OptionState::kLater) text += " (not yet)";
  return text;
}

std::string_view nearest(std::string_view typed, std::span<const std::string_view> words) {
  std::string_view best;
  std::size_t least = typed.size();
  for (const std::string_view word : words) {
    // A long word that begins as typed is nearer than its missing letters say.
    const std::size_t distance = word.starts_with(typed) ? 1 : editDistance(typed.substr(0, 64), word);
    if (distance < least) least = distance, best = word;
  }
  return least <= std::max<std::size_t>(2, typed.size() / 3) ? best : std::string_view();
}

std::string unknownOption(std::string_view typed) {
  const std::string_view word = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
  const auto meant = [&](std::string_view option) {
    return fmt::format("{}: unknown option; did you mean {}? see: lanescope profile --help", typed, option);
  };
  if (word == "output-dir" || word == "output-directory") return meant("--output=FOLDER/NAME");
  if (word == "pid" || word.starts_with("attach")) {
    return fmt::format(
        "{}: a program that already runs cannot be recorded, because CUDA loads a recorder only when it starts; start "
        "the program with `lanescope launch`, then record it at any time with `lanescope start` and `stop`",
        typed);
  }
  if (findTrace(word)) return meant(fmt::format("--trace={}", word));
  if (findOption(word)) return meant(fmt::format("--{}", word));
  std::vector<std::string_view> names;
  for (const OptionRow& row : optionTable()) names.push_back(row.name);
  if (const std::string_view name = nearest(word, names); !name.empty() && word.size() > 1) {
    return meant(fmt::format("--{}", name));
  }
  return fmt::format("{}: unknown option; see: lanescope profile --help", typed);
}

std::string optionHelp() {
  std::string text(kHelpHead);
  for (const OptionGroup group :
       {OptionGroup::kRun, OptionGroup::kTrace, OptionGroup::kWhen, OptionGroup::kSystem, OptionGroup::kCpu}) {
    text += fmt::format("\n{}\n", titleOf(group));
    for (const OptionRow& row : optionTable()) {
      if (row.group == group) text += helpLine(row);
    }
  }
  text += "\n";
  text += kHelpTail;
  return text;
}

std::string traceHelp() {
  std::string text = "Names for --trace, with commas between; not given, it is cuda,nvtx:\n";
  for (const TraceRow& row : traceTable()) {
    text += fmt::format("  {:<20}{}{}\n", row.name, row.meaning, row.state == OptionState::kLater ? " (not yet)" : "");
  }
  return text;
}

}  // namespace lanescope::launch
