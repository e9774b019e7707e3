// SPDX-License-Identifier: Apache-2.0
// Several reports on one timeline: one trace for all that shows and counts events, and each report's own, in its own
// times and ids, for what is asked of its file. Both are views of the same columns. Immutable; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/together/clocks.h"
#include "model/trace/trace.h"

namespace lanescope::together {

struct Joined {
  struct Part {
    Identity identity;
    Placement placement;  ///< as it is: an offset that would lead out of what times can be is cut
    std::string title;
    trace::TracePtr trace;  ///< as loaded, but for its table of names, which all share
    std::vector<trace::LaneId> laneOf;  ///< in the joined trace, by its own lanes
  };
  struct OwnLane {
    std::uint32_t report = 0;  ///< index into parts
    trace::LaneId lane = 0;  ///< in its own trace
  };

  trace::TracePtr trace;  ///< never null
  std::vector<Part> parts;
  std::vector<OwnLane> ownLane;  ///< by the lanes of the joined trace

  std::uint32_t reportOf(trace::EventRef event) const { return ownLane[event.lane].report; }
  trace::EventRef own(trace::EventRef event) const { return {ownLane[event.lane].lane, event.index}; }
  trace::EventRef joined(std::uint32_t report, trace::EventRef own) const {
    return {parts[report].laneOf[own.lane], own.index};
  }
  /// What names a report's row, wherever its file lies.
  const std::string& keyOf(std::size_t report) const { return trace->rows[trace->rootRows[report]].key; }
  /// The report that a row of the joined trace is of.
  std::uint32_t reportOfRow(std::uint32_t row) const;
};

/// In this order, each below a row with its short name; one entry of each span a report. Names are added to the first
/// trace's table, so nobody else may add to it any more. What it costs: joinTraces(), and 4 bytes an event and 6 bytes a
/// name for each report whose names were not those of the first; these go with the traces given in, once nobody else
/// keeps them.
Joined join(std::span<const Identity> identities, std::span<const trace::TracePtr> traces,
            std::span<const Placement> placements, const Job& job = {});

/// The same reports placed otherwise; events keep their ids, rows their keys. Without the ties that were added to the
/// trace. O(lanes + rows + blocks).
Joined placed(const Joined& joined, std::span<const Placement> placements, const Job& job = {});

}  // namespace lanescope::together
