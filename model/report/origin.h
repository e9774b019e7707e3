// SPDX-License-Identifier: Apache-2.0
// Where and when a report was recorded: what decides where it stands beside other reports of the same job. Read from the
// file without its events: some thousand rows, or where nothing else tells the rank O(NVTX rows). Texts are cut at 4 KiB.
// Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/error.h"
#include "model/trace/time.h"

namespace lanescope::report {

struct Origin {
  std::filesystem::path path;
  std::filesystem::path file = {};  ///< another tool's file that it was made of; empty: none
  /// The path that people know it by.
  const std::filesystem::path& calledBy() const { return file.empty() ? path : file; }
  std::string host;  ///< empty: not known
  /// What launchers of several ranks told the program, else the number behind "rank" in the name of the file or of its
  /// folder, else what NCCL was told. None if the report is of several ranks.
  std::optional<int> rank;
  /// UTC of time 0 in ns since 1970, of TARGET_INFO_SESSION_START_TIME; never ANALYSIS_DETAILS.startTime, which is another
  /// clock's (of two ranks on one machine it was 5 ms off).
  std::optional<trace::Ns> utcStart;
  std::string bootId;  ///< of the machine; empty: not known
  std::optional<trace::Ns> bootClock;  ///< time 0 on the machine's own clock (CLOCK_MONOTONIC), which goes with bootId
  std::vector<std::string> gpus;  ///< UUIDs of GPUs that were seen, sorted
  std::optional<trace::Ns> clockError;  ///< of GPU times against that clock, at most; none: not measured
};

Result<Origin> originOf(const std::filesystem::path& path);

/// The number behind the last "rank" in the name of the file, else of the folder that it lies in: "ddp_rank0/nsys.sqlite",
/// "Rank-12.rep". Blanks and _ - . = may stand between.
std::optional<int> rankInName(const std::filesystem::path& path);

}  // namespace lanescope::report
