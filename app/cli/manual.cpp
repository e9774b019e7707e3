// SPDX-License-Identifier: Apache-2.0
// `lanescope completion`, and the manual pages that are installed: made from the parser's words and the tables behind
// them.
#include "app/manual/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/version.h"
#include "collector/launch/option_table.h"
#include "collector/launch/session_commands.h"
#include "model/analysis/reports.h"
#include "model/analysis/rules.h"
#include "model/analysis/table_text.h"
#include "model/export/export.h"

namespace lanescope::cli {
namespace {

using launch::OptionKind;
using launch::OptionRow;
using launch::OptionState;
using manual::CommandWords;
using manual::OptionWords;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(text)};
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part.substr(part.find_first_not_of(' ')));
  return parts;
}

template <typename Range>
std::vector<std::string> namesOf(const Range& range) {
  std::vector<std::string> names;
  for (const auto& each : range) names.emplace_back(each.name);
  return names;
}

std::vector<std::string> choicesOf(const OptionRow& row) {
  if (row.kind == OptionKind::kSwitch) return {"true", "false"};
  std::vector<std::string> choices;
  if (row.name == "trace") {
    for (const launch::TraceRow& trace : launch::traceTable())
      if (trace.state == OptionState::kWorks) choices.emplace_back(trace.name);
  } else if (row.name == "export") {
    choices = split(exporting::formatNames(), ',');
  } else if (row.kind == OptionKind::kChoice) {
    choices = split(row.values, '|');
  }
  return choices;
}

OptionWords wordsOf(const OptionRow& row) {
  OptionWords words;
  if (row.letter != 0) words.names.push_back(fmt::format("-{}", row.letter));
  words.names.push_back(fmt::format("--{}", row.name));
  words.value = row.kind == OptionKind::kSwitch ? "true|false" : row.values;
  words.about = launch::aboutOf(row);
  words.choices = choicesOf(row);
  words.several = row.name == "trace" || row.kind == OptionKind::kChoices;
  words.mayLackValue = row.kind == OptionKind::kSwitch;
  words.offered = row.state == OptionState::kWorks;
  return words;
}

/// Those that a command takes, by what it says of them.
void addRows(CommandWords& command, std::string (*whyNot)(const std::vector<std::string>&)) {
  for (const launch::OptionGroup group :
       {launch::OptionGroup::kRun, launch::OptionGroup::kTrace, launch::OptionGroup::kWhen,
        launch::OptionGroup::kSystem, launch::OptionGroup::kCpu}) {
    for (const OptionRow& row : launch::optionTable()) {
      const std::string typed = fmt::format("--{}={}", row.name, row.standard.empty() ? "1" : row.standard);
      if (row.group != group || (whyNot != nullptr && !whyNot({typed}).empty())) continue;
      command.options.push_back(wordsOf(row));
      command.options.back().heading = launch::titleOf(group);
    }
  }
}

void addRecording(CommandWords& command) {
  const OptionWords program{{"PROGRAM"}, {}, "The program to record, with its arguments"};
  if (command.name == "profile") {
    command.about = "Record a program";
    command.sections = {{"DESCRIPTION", std::string(launch::helpHead())}, {"NOTES", std::string(launch::helpTail())}};
    addRows(command, nullptr);
  } else if (command.name == "launch") {
    command.about = "Start a program that is recorded later";
    command.sections = {{"DESCRIPTION", launchHelp()}};
    addRows(command, launch::badLaunchOptions);
  } else {
    if (command.name == "start") addRows(command, launch::badStartOptions);
    return;
  }
  command.positionals = {program};
  command.startsProgram = true;
}

void addChoices(CommandWords& command) {
  const auto offer = [&](const char* option, std::vector<std::string> choices) {
    if (OptionWords* words = command.find(option)) words->choices = std::move(choices);
  };
  const std::vector<std::string> reports = namesOf(analysis::statsReports()), rules = namesOf(analysis::rules());
  offer("--report", reports);
  offer("--help-reports", reports);
  offer("--rule", rules);
  offer("--help-rules", rules);
  offer("--type", split(exporting::formatNames(), ','));
  offer("--timeunit", {"nsec", "usec", "msec", "sec"});
  offer("--help-formats", namesOf(analysis::formatHelp()));
  if (command.name == "stats" || command.name == "analyze") offer("--format", namesOf(analysis::formatHelp()));
  if (command.name == "shutdown") offer("--kill", {"none", "sigterm", "sigkill", "sigint"});
  std::vector<std::string> goals = rules;
  for (const analysis::CheckKind& check : analysis::checkKinds()) goals.emplace_back(check.id);
  offer("--fail-on", goals);
}

const char* const kExitStatus =
    "0  done\n"
    "1  a check failed (analyze --fail-on), or this machine cannot record (status --environment)\n"
    "2  bad usage, or a file that cannot be read: one line on stderr says which, why, and what to do\n"
    "3  it could not finish: the disk is full, the connection was lost\n"
    "\n"
    "profile and launch return what the program returned, 128 + N if signal N ended it.\n";

const char* const kExamples =
    "lanescope profile -o my python3 train.py     # records; my.rep is there at the end\n"
    "lanescope info my.rep                        # what is in it\n"
    "lanescope stats my.rep                       # the usual tables\n"
    "lanescope analyze my.rep                     # what an experienced person looks at first\n"
    "lanescope-ui my.rep                          # the timeline\n";

CommandWords programWords(const CLI::App& app) {
  CommandWords program = manual::wordsOf(app);
  for (CommandWords& command : program.commands) {
    addRecording(command);
    addChoices(command);
    if (command.name == "completion")
      command.positionals.front().choices = {manual::kShells.begin(), manual::kShells.end()};
  }
  program.about = "What a CUDA program does on CPU and GPU, over time";
  program.sections = {{"EXIT STATUS", kExitStatus},
                      {"FILES",
                       "NAME.rep                 a report: an SQLite file; it is never written to by reading it\n"
                       ".NAME.PID.recording      a recording that was cut off: lanescope recover makes a report of it\n"
                       "~/.cache/lanescope       answers that took long; may be deleted\n"},
                      {"EXAMPLES", kExamples}};
  return program;
}

int complete(const CLI::App& app, const std::string& shell) {
  const auto text = manual::completion(programWords(app), shell);
  if (!text)
    return badUsage(fmt::format("{}: no such shell here; there are: {}", shell, fmt::join(manual::kShells, ", ")));
  put(*text);
  return 0;
}

/// The names of all pages, or one of them.
int writeManual(const CLI::App& app, const std::string& page) {
  const CommandWords program = programWords(app);
  if (page.empty()) {
    put("lanescope\n");
    for (const CommandWords& command : program.commands) put("lanescope-" + command.name + "\n");
    return 0;
  }
  if (page == program.name) return put(manual::manPage(program, LANESCOPE_VERSION)), 0;
  for (const CommandWords& command : program.commands)
    if (page == "lanescope-" + command.name) return put(manual::manPage(program, command, LANESCOPE_VERSION)), 0;
  return badUsage(page + ": no such page; see: lanescope manual");
}

}  // namespace

void addManual(CLI::App& app, int& status) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion = app.add_subcommand("completion", "Print what a shell needs to complete words of lanescope");
  completion->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  completion->footer(
      "In a shell, for this shell:  source <(lanescope completion bash)\n"
      "For every bash of yours:     lanescope completion bash > ~/.local/share/bash-completion/completions/lanescope\n"
      "For fish:                    lanescope completion fish > ~/.config/fish/completions/lanescope.fish\n"
      "For zsh, in a folder of $fpath:  lanescope completion zsh > _lanescope");
  completion->callback([&app, shell, &status] { status = complete(app, *shell); });

  auto page = std::make_shared<std::string>();
  CLI::App* manual = app.add_subcommand("manual", "Manual pages, for packages")->group("");
  manual->add_option("PAGE", *page, "Which page; without, their names");
  manual->callback([&app, page, &status] { status = writeManual(app, *page); });
}

}  // namespace lanescope::cli
