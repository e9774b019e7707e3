// SPDX-License-Identifier: Apache-2.0
// The collectives of one report as each of its ranks saw them. A rank is one GPU of one process: what NCCL calls one.
// What they moved and in which communicator is known where the trace holds NVTX ranges and calls, and the file their
// payloads; else only operation and order are. Sending and receiving between two ranks are no collectives.
// O(kernels · log), with payloads also O(NVTX rows). One thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/analysis/intervals.h"
#include "model/job.h"
#include "model/trace/trace.h"

namespace lanescope::together {

struct RankCall {
  std::string operation;  ///< "AllReduce"; the kernel's label where that is no operation of NCCL's
  std::optional<std::uint64_t> bytes = {};  ///< as NCCL counts them
  std::uint64_t communicator = 0;  ///< the same for all its ranks; 0: not known
  std::uint32_t stream = 0;  ///< which of those of its GPU that have collectives, in order of their numbers
  trace::TimeRange time;  ///< of the report
  trace::EventId kernel = trace::kNone;
};

struct ReportRank {
  std::uint32_t gpu = 0;  ///< index into Trace::gpus
  std::string label;  ///< among those of its report: "rank 3", "GPU 0", "python3 [12] GPU 0"; empty: the only one
  std::vector<RankCall> calls;  ///< by start
  analysis::Intervals compute;  ///< its other kernels
};

struct ReportCalls {
  std::vector<ReportRank> ranks;  ///< GPUs that have collectives, in the order of Trace::gpus
  std::optional<std::uint64_t> worldSize;  ///< of the greatest communicator that was made in the recording
};

/// `file` is what the trace was loaded from; empty if it cannot be opened.
ReportCalls callsOf(const trace::Trace& trace, const std::filesystem::path& file, const Job& job);

}  // namespace lanescope::together
