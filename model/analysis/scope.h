// SPDX-License-Identifier: Apache-2.0
// The part of a trace that figures are of, and how it follows from what a command was asked for. Pure; O(NVTX ranges)
// where it goes by ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/analysis/time_filter.h"
#include "model/error.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

/// Events that touch this time, whole; of all processes or of one.
struct Scope {
  trace::TimeRange range{trace::kMinTime, trace::kMaxTime + 1};
  std::optional<std::uint32_t> process = {};
};

/// All of these at once.
struct ScopeRequest {
  std::optional<TimeFilter> time;
  std::optional<NvtxFilter> nvtx;
  std::uint64_t skip = 0;  ///< so many iterations at the beginning of each thread
  std::string iteration;   ///< what an iteration is (iterations.h)

  bool needsRanges() const { return nvtx || skip > 0; }
};

/// An error where nothing is left.
Result<Scope> resolve(const ScopeRequest& request, const trace::Trace& trace, const std::string& file);

}  // namespace lanescope::analysis
