// SPDX-License-Identifier: Apache-2.0
// The events of some lanes from the longest to the shortest, one by one; of equals the earliest first, then by lane.
// Nothing is kept between steps: O(events of the lanes) each, some ten milliseconds for ten millions. Any thread.
#pragma once

#include <optional>
#include <span>

#include "model/analysis/filter.h"
#include "model/job.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

/// The one behind `from` in that order, or with `forward` false before it; without `from` the first or the last one. Only
/// of those that pass; none once the job was cancelled.
std::optional<trace::EventRef> nextLongest(const trace::Trace& trace, std::span<const trace::LaneId> lanes,
                                           std::optional<trace::EventRef> from, bool forward,
                                           const Passing* passing = nullptr, const Job& job = {});

}  // namespace lanescope::analysis
