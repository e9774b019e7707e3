// SPDX-License-Identifier: Apache-2.0
// From the folder of a recording to a report: reads what every process left, writes all tables, and says in the report
// and in `notes` what was lost. Works from the files alone, however the processes and the launcher ended; the folder is
// not changed. Each stream is read twice; memory holds the texts of all processes and the open ranges and one chunk of the
// one being read, not events. About a microsecond an event. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/error.h"
#include "model/job.h"
#include "model/report/new_file.h"
#include "model/trace/time.h"

namespace lanescope::launch {

struct FinishResult {
  std::filesystem::path report;
  std::uint64_t events = 0;  ///< rows of events written, but for samples and switches of the CPU
  std::uint64_t cpuSamples = 0;
  std::uint64_t lost = 0;  ///< events known to be missing
  bool isCut = false;  ///< the disk did not take all of the recording, which has to be kept
  std::vector<std::string> notes;  ///< one line each, for the user
};

/// One recording of several that a program was made with: times of CLOCK_MONOTONIC, how long the files of the session
/// were before and after it, and facts that are its own. The session may go on meanwhile.
struct Take {
  using FileSizes = std::map<std::string, std::uint64_t>;  ///< by name
  static constexpr std::uint64_t kEndless = ~std::uint64_t{0};  ///< all of it, and what is in its rings

  trace::Ns begin = 0, end = std::numeric_limits<trace::Ns>::max();
  FileSizes sizesBefore = {};
  std::optional<FileSizes> sizes = {};  ///< what is not there is left out; none at all: everything is endless
  std::vector<std::pair<std::string, std::string>> facts = {};
};

/// What of a session becomes a report; by default all of it.
struct Part {
  std::optional<std::size_t> capture = {};  ///< counted from 0: a repeated range has a report each
  std::optional<Take> take = {};
};

/// Where the disk has no room for the whole, the report holds as much of the beginning as fits.
Result<FinishResult> finish(const std::filesystem::path& session, const std::filesystem::path& report,
                            report::IfExists ifExists, const Job& job, const Part& part = {});

}  // namespace lanescope::launch
