// SPDX-License-Identifier: Apache-2.0
// One function a command: adds its words to the parser and, when it was chosen, does the work and leaves the exit
// status (design.md, section 7).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "model/error.h"

namespace lanescope::cli {

void addInfo(CLI::App& app, int& status);
void addStats(CLI::App& app, int& status);
void addReport(CLI::App& app, int& status);
void addExport(CLI::App& app, int& status);
void addAnalyze(CLI::App& app, int& status);
void addDiff(CLI::App& app, int& status);
void addRecover(CLI::App& app, int& status);
void addStatus(CLI::App& app, int& status);
void addSessions(CLI::App& app, int& status);
void addRecordings(CLI::App& app, int& status);
void addManual(CLI::App& app, int& status);  ///< last: it tells of all the others

/// Reads its words by a table of its own (collector/launch/option_table.h).
int profile(const std::vector<std::string>& words);
int launchProgram(const std::vector<std::string>& words);
const char* launchHelp();
/// `recordings begin`.
int beginRecording(std::vector<std::string> words);

/// The option of `diff` that main() writes for --: CLI11 does not tell where that stood.
inline constexpr const char* kBehindDashes = "--behind-dashes";

/// The one line for an error on stderr; returns the exit status that goes with it.
int complain(const Error& error);

/// The one line for bad usage on stderr, what is wrong and what to do; returns 2.
int badUsage(const std::string& what);

}  // namespace lanescope::cli
