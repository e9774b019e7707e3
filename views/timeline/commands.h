// SPDX-License-Identifier: GPL-3.0-or-later
// The steps that keys and menus take alike: one step of zoom, one row, one event, one size of rows. GUI thread.
#pragma once

#include <QString>
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

/// Makes the other end of the current event's correlation current and reveals it; of a collective that waited, the rank
/// that came last.
void jumpToPartner(ViewState& view);

/// Likewise, to the effect of the current event (its work, its wait) or, not `forward`, to its cause (its launch).
void followCorrelation(ViewState& view, bool forward);

/// Makes the next longest event of the current row current: of those shorter than the current one the longest, not
/// `forward` of those longer the shortest; equal ones by start. Without a current event the longest.
void stepLongest(ViewState& view, bool forward);

/// Moves on to the next time after the view (or before it) at which something happens on the current row, or where it
/// has no events on any: over a gap, however long. The zoom stays.
void stepActivity(ViewState& view, bool forward);

/// A mark under the pointer, else at the current event's start, else in the middle of the view.
void addMark(ViewState& view);
/// A mark of the selection, else of the current event's time.
void markSelection(ViewState& view);
/// Brings the next (or previous) mark after the middle of the view to its middle; a range is selected.
void stepMark(ViewState& view, bool forward);
void goToMark(ViewState& view, std::size_t index);

/// The first call sets the first point, the second one the second, where addMark would put a mark; another begins anew.
void measureHere(ViewState& view);
/// "1 234 567 ns · 12 events start"; empty while there is nothing to measure.
QString measureText(const ViewState& view);

/// Selects a range and zooms to it; an instant comes to the middle of the view.
void showPlace(ViewState& view, trace::TimeRange place);

/// Selects the time of the current event.
void selectCurrent(ViewState& view);

/// Makes the row `steps` open rows below the current one current and brings it into sight; without a current row the
/// first, or going up the last.
void stepRow(ViewState& view, int steps);

}  // namespace lanescope::views
