// SPDX-License-Identifier: Apache-2.0
// The one place where a FILE of the command line is resolved: what lies on a server (ssh://[user@]host[:port]/path) is
// fetched into the cache, or found there unchanged, and used from there; of another tool's file a report is made, or found
// in the cache. The user goes on seeing what was typed. What is kept stays locked until the program ends. One thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "model/error.h"

namespace lanescope::cli {

/// What --help says of FILE.
inline constexpr const char* kReport =
    "A report: .rep, or an SQLite export of Nsight Systems; or a trace of nvprof, PyTorch, Chrome or ROCm; also "
    "ssh://[user@]host[:port]/path";
inline constexpr const char* kReports =
    "Reports: .rep, or SQLite exports of Nsight Systems; or traces of nvprof, PyTorch, Chrome or ROCm; also "
    "ssh://[user@]host[:port]/path";

/// Adds what every command on FILEs takes: --strict, and --time-unit, which localFile() follows.
void addFileOptions(CLI::App& command, bool& strict);

/// The words of this command, for runThere(); main() sets them.
void setCommandWords(std::vector<std::string> words);

/// A report on this machine for a FILE; that itself if it is one. Says on stderr what the user ought to know.
Result<std::string> localFile(const std::string& file);

/// Does that with the local path, or complains and returns the exit status.
int withLocal(const std::string& file, const std::function<int(const std::string& local)>& work);

/// Local paths of all of them but those complained of; the exit status.
int localFiles(const std::vector<std::string>& files, std::vector<std::string>& paths);

/// What the user called this path: the address of a copy, or of what another machine's runThere() asked about, the file
/// that it was made of; else the path.
std::string shownName(const std::string& local);

/// About what the user called it; of a file of a server, one of those errors.
Error shownError(Error error);

/// The path that files named after this one are named after: of a copy, its name in the working folder; of what was made
/// of another file, that file.
std::string namesake(const std::string& local);

/// Runs this very command on the server where all FILEs lie, so that only its answer travels, and returns its exit
/// status. Nothing if it is to run here: the files lie here or on several servers, their unchanged copies are here, the
/// command writes files, or there is no Lanescope of this version.
std::optional<int> runThere(const std::vector<std::string>& files, bool writesFiles);

}  // namespace lanescope::cli
