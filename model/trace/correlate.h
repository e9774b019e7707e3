// SPDX-License-Identifier: Apache-2.0
// Ties API calls to the GPU work they started, by (process, correlation id). An id that is used again pairs with the
// latest call that began before the work; all kernels of a graph launch tie to that one call.
// Cost: linear where ids are dense, as CUPTI's are; a sort where they are not.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/trace/event_uses.h"
#include "model/trace/trace.h"

namespace lanescope::trace {

/// `ids` holds, per lane, the correlation id of each event (empty: the lane has none). Fills the trace's partners.
/// Fills in the calls of `uses` too, the first of several with one id, and reorders them.
/// Returns how many times an id was used again by a later, separate call. Ends early once the job is cancelled.
std::uint64_t correlateEvents(Trace& trace, const std::vector<std::vector<std::int64_t>>& ids,
                              std::vector<EventUse>& uses, const Job& job);

}  // namespace lanescope::trace
