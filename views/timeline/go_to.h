// SPDX-License-Identifier: GPL-3.0-or-later
// Where events are at home, and going to one from a table, a search or along an arrow. GUI thread.
#pragma once

#include <vector>

#include "views/timeline/view_state.h"

namespace lanescope::views {

/// The row where the events of a lane are at home, for each lane: the last that is neither made of the rows below it nor
/// a part of the row above it, so a stream rather than "Kernels" above or below; kNone where there is none. O(rows and their lanes).
std::vector<std::uint32_t> homeRows(const trace::Trace& trace);

/// The current row if it shows this lane, else the lane's home; kNone if no row has it.
std::uint32_t rowOf(const ViewState& view, trace::LaneId lane);

/// Brings an event into sight: opens what is above its row, unless another open row shows the event, scrolls there, and
/// moves in time at the same zoom. What is in sight already does not move.
void revealEvent(ViewState& view, trace::EventRef event);

/// Makes an event current, and the current row one that shows it: as it is, else the event's home; reveals it.
void stepTo(ViewState& view, trace::EventRef event);

/// Makes an event and its home row current and reveals it.
void goToEvent(ViewState& view, trace::EventRef event);

}  // namespace lanescope::views
