// SPDX-License-Identifier: Apache-2.0
// Files of other tools: what they are, told by their content, and how they are read. Each importer is one function from
// a file to a Recording; toTrace() makes a trace of it, toReport() a .rep, on which every command works.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "model/import/recording.h"
#include "model/job.h"
#include "model/report/load.h"

namespace lanescope::imported {

enum class Format {
  kReport,  ///< .rep or an export of Nsight Systems: no import
  kChrome,  ///< Chrome or Kineto JSON, plain or packed
  kNvprof,
  kRocpd,
  kRpd,
  kHipprof,
};

/// What a file is; an error that says what else it is and what to do. Reads some kilobytes.
Result<Format> formatOf(const std::filesystem::path& path);

/// What files that can be opened are mostly called: in folders, where looking into every file takes too long.
bool hasKnownEnding(const std::filesystem::path& path);
/// The endings, as "*.rep" and so on.
std::vector<std::string> knownPatterns();

struct ImportOptions {
  bool details = false;  ///< WorkDetails and results are wanted
  bool timesAreNanoseconds = false;  ///< of JSON, whose times are microseconds otherwise (--time-unit)
};

/// Reads the whole file. kCancelled when the job was stopped. Damage costs only what is damaged and is told in issues,
/// whose kinds begin with "import-".
Result<Recording> read(const std::filesystem::path& path, const ImportOptions& options, const Job& job);

/// The trace of it; what is given away is used up, which saves memory and time. `options` as of report::load(). Adds names
/// to the recording's table, which the trace shares.
Result<trace::TracePtr> toTrace(Recording&& recording, const report::LoadOptions& options, const Job& job);
Result<trace::TracePtr> toTrace(const Recording& recording, const report::LoadOptions& options, const Job& job);

/// Writes the same as a .rep, which takes the place of what is there. `source` is the file it is from, `version` that of
/// the program.
Result<void> toReport(const Recording& recording, const std::filesystem::path& source, std::string_view version,
                      const std::filesystem::path& destination, const Job& job);

}  // namespace lanescope::imported
