// SPDX-License-Identifier: Apache-2.0
// From the folder of a recording to a report: reads what every process left, writes all tables, and says in the report
// and in `notes` what was lost. Works from the files alone, however the processes and the launcher ended; the folder is
// not changed. Each stream is read twice; memory holds the texts of all processes and the open ranges and one chunk of the
// one being read, not events. About a microsecond an event. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/error.h"
#include "model/job.h"
#include "model/report/new_file.h"

namespace lanescope::launch {

struct FinishResult {
  std::filesystem::path report;
  std::uint64_t events = 0;  ///< rows of events written
  std::uint64_t lost = 0;  ///< events known to be missing
  bool isCut = false;  ///< the disk did not take all of the recording, which has to be kept
  std::vector<std::string> notes;  ///< one line each, for the user
};

/// With `capture`, only the events of that capture, counted from 0: a repeated range has a report each. Where the disk has
/// no room for the whole, the report holds as much of the beginning as fits.
Result<FinishResult> finish(const std::filesystem::path& session, const std::filesystem::path& report,
                            report::IfExists ifExists, const Job& job, std::optional<std::size_t> capture = {});

}  // namespace lanescope::launch
