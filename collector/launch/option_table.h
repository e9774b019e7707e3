// SPDX-License-Identifier: Apache-2.0
// Every option of `lanescope profile` as one table: the options of `nsys profile`, with Nsight Systems' names and, but
// for the deviations that the help names, its defaults. A row says how its value is read and whether it has an effect
// yet. Constant data; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lanescope::launch {

enum class OptionKind {
  kSwitch,   ///< true or false; nothing is true
  kChoice,   ///< one of `values`
  kChoices,  ///< several of `values`, with commas between
  kNumber,   ///< a whole number in `values`, "LOW..HIGH"; k and M multiply
  kNumbers,  ///< several of those, with commas between
  kSeconds,  ///< may have a fraction
  kText,     ///< anything; `values` is what the help calls it
};

enum class OptionState {
  kWorks,
  kLater,  ///< read and understood, but without effect yet: a warning if somebody asks for it
};

enum class OptionGroup { kTrace, kSystem, kCpu, kWhen, kRun };

struct OptionRow {
  std::string_view name;  ///< without the dashes
  char letter;            ///< 0 none
  OptionKind kind;
  std::string_view values;
  std::string_view standard;  ///< its value when it is not given
  OptionState state;
  OptionGroup group;
  std::string_view meaning;
  std::string_view nothing = {};  ///< kLater: the value that asks for nothing, so that it needs no warning
};

/// A name of --trace.
struct TraceRow {
  std::string_view name;
  OptionState state;
  bool impliesCuda;
  std::string_view meaning;
};

std::span<const OptionRow> optionTable();
std::span<const TraceRow> traceTable();

/// Null if there is none. Old names find the row of the new one.
const OptionRow* findOption(std::string_view name);
const OptionRow* findOption(char letter);
const TraceRow* findTrace(std::string_view name);

/// What is said about an unknown option: the nearest one, or what a guide meant by it.
std::string unknownOption(std::string_view typed);

/// The closest of the words by edit distance; empty if none is near.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> words);

/// Parts of `--help`: before and behind the options, the title of a group, what is said of an option.
std::string_view helpHead();
std::string_view helpTail();
std::string_view titleOf(OptionGroup group);
std::string aboutOf(const OptionRow& row);

/// The texts of `--help` and `--trace=help`.
std::string optionHelp();
std::string traceHelp();

}  // namespace lanescope::launch
