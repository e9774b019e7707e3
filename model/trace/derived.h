// SPDX-License-Identifier: Apache-2.0
// A row of events that no file holds but that follow from those it holds. They stand behind all others, so no event's id
// changes, and nothing counts them as events of the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
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

}  // namespace lanescope::trace
