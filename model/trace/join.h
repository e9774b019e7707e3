// SPDX-License-Identifier: Apache-2.0
// Several traces as one: each keeps processes, threads, GPUs, streams and domains of its own, so two may use the same
// numbers; its times are moved, and its rows stand below one for it. Columns of events are shared, not copied. New are the
// starts of blocks (a quarter of a byte an event where times are moved) and, but for the first, the partners (4 bytes for
// each event of a lane that has any). O(lanes + rows + counters + blocks + partners).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::trace {

struct TraceToJoin {
  TracePtr trace;  ///< of one name table with the others
  Ns offset = 0;  ///< added to its times, which stay valid
  std::string key;  ///< of its row; no two alike
  std::string label;
  std::string host;  ///< GPUs at the same place of the bus are one GPU only where this is the same
};

struct JoinedTraces {
  TracePtr trace;
  std::vector<std::vector<LaneId>> laneOf;  ///< of each, by its own lanes
};

/// In this order. A trace beyond what ids can tell apart has no events in it, of which an issue tells. `earlier` is what
/// was made of the same traces with other offsets: what does not depend on them is shared, and costs nothing again.
JoinedTraces joinTraces(std::span<const TraceToJoin> traces, const Trace* earlier = nullptr);

/// The trace with names of another table: `to` holds one for each id. Shares all else.
TracePtr renamed(const Trace& trace, std::shared_ptr<const NameTable> names, std::span<const NameId> to);

}  // namespace lanescope::trace
