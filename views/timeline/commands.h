// SPDX-License-Identifier: GPL-3.0-or-later
// The steps that keys and menus take alike: one step of zoom, one row, one event, one size of rows. GUI thread.
#pragma once

#include <optional>

#include "views/timeline/view_state.h"

namespace lanescope::views {

/// One step around `anchor`, or around the middle of the view where there is no pointer.
void zoomIn(ViewState& view, std::optional<trace::Ns> anchor = {}, bool sameGesture = false);
void zoomOut(ViewState& view, std::optional<trace::Ns> anchor = {}, bool sameGesture = false);

/// From the first kernel, copy, memset or graph to the last: what is left of a long recording without its start-up.
/// Nothing where there is no GPU work.
void fitGpuWork(ViewState& view);

void tallerRows(ViewState& view);
void lowerRows(ViewState& view);

/// Makes the event after (or before) the current one current, in its row and of its depth, and reveals it; without a
/// current event the first of the current row in the view.
void stepEvent(ViewState& view, bool forward);

/// Makes the other end of the current event's correlation current and reveals it.
void jumpToPartner(ViewState& view);

/// Selects the time of the current event.
void selectCurrent(ViewState& view);

/// Makes the row `steps` open rows below the current one current and brings it into sight; without a current row the
/// first, or going up the last.
void stepRow(ViewState& view, int steps);

}  // namespace lanescope::views
