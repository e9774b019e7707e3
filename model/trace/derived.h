// SPDX-License-Identifier: Apache-2.0
// What no file holds but follows from what it holds. Events that are added stand behind all others, so no event's id
// changes, and nothing counts them as events of the file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::trace {

struct DerivedEvent {
  TimeRange time;
  std::string_view name;
  std::optional<EventRef> about = {};  ///< becomes its partner, not the other way round
  bool blames = false;  ///< it is to blame; kept as the source row, 1 or 0
};

struct DerivedRow {
  LaneInfo info;  ///< kind and whose; the rest is set here
  RowKind kind = RowKind::kIdle;
  std::string label;
  std::vector<std::uint32_t> parents;  ///< rows below which it is the first
  std::vector<DerivedEvent> events;  ///< by start, apart from each other
};

/// The trace with these rows, sharing all else with it. Adds the names to the trace's own: for the thread that made the
/// trace, which nobody else adds to any more. Nothing is added beyond what ids can tell apart. O(events).
TracePtr withRows(const TracePtr& trace, const std::vector<DerivedRow>& rows);

/// The trace in which these events belong together (Trace::links), both ways, besides those that do already; the first
/// of a pair led to the second. Shares all else. O(lanes + rows + links · log).
TracePtr withLinks(const TracePtr& trace, std::span<const std::pair<EventId, EventId>> pairs);

}  // namespace lanescope::trace
