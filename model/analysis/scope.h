// SPDX-License-Identifier: Apache-2.0
// The part of a trace that figures are of, and how it follows from what a command was asked for. O(NVTX ranges)
// where it goes by ranges; a pass over the file's times where it goes by time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/analysis/time_filter.h"
#include "model/error.h"
#include "model/report/row_values.h"
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
  bool isAsked() const { return time || needsRanges(); }  ///< for less than the whole
};

/// An error where nothing is left. `values` are of the file that the trace is of, whose name `file` is.
Result<Scope> resolve(const ScopeRequest& request, const trace::Trace& trace, report::RowValues& values,
                      const std::string& file);

}  // namespace lanescope::analysis
