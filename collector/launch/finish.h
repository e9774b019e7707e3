// SPDX-License-Identifier: Apache-2.0
// From the folder of a recording to a report. Reads what is on disk, whole or cut off, and never waits for a process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/error.h"
#include "model/job.h"
#include "model/report/new_file.h"

namespace lanescope::launch {

struct FinishResult {
  std::filesystem::path report;
  std::uint64_t events = 0;
  std::uint64_t lost = 0;
  std::vector<std::string> notes;  ///< one line each for the user
};

Result<FinishResult> finish(const std::filesystem::path& session, const std::filesystem::path& report,
                            report::IfExists ifExists, const Job& job);

}  // namespace lanescope::launch
