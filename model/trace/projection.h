// SPDX-License-Identifier: Apache-2.0
// Where the GPU work of NVTX ranges ran: for a range and a stream, from the first start to the last end of the work that
// was launched inside. Inside means that the launching call lies wholly in the range, on the same thread; a call without
// length at the very end of a range does not.
// One sweep over the ranges and calls of a thread: O((ranges + calls + work) · log) however deep ranges nest. What
// overlaps in part takes a sweep more for each of so many that overlap at once, up to kMostSweeps. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "model/job.h"
#include "model/trace/trace.h"

namespace lanescope::trace {

/// What of a trace belongs to one thread.
struct RangesAndCalls {
  std::vector<LaneId> ranges, calls;
  std::vector<EventRef> otherRanges;  ///< start/end ranges that begin and end on this thread
};

struct Projection {
  EventId range = 0;
  std::uint32_t stream = 0;
  TimeRange span;
};

struct Projections {
  std::vector<Projection> list;  ///< a range after those around it
  std::uint64_t rangesLeft = 0;  ///< not looked at: too many overlap at once, or there would be more than allowed
};

inline constexpr int kMostSweeps = 64;

/// At most `most` of them. Ends early once the job is cancelled. Takes a trace whose launches are correlated.
Projections project(const Trace& trace, const RangesAndCalls& thread, std::size_t most, const Job& job);

/// Lists of several threads as one, about in order of start, which makes lanes of them in less time; each keeps its order.
std::vector<Projection> merged(std::vector<std::vector<Projection>> lists);

}  // namespace lanescope::trace
