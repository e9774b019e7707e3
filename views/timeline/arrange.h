// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that arrange the rows of a view: pin, hide, order, sort, show only some, find one by name. Each makes one
// change of the view's RowArrangement. Cost: O(rows); presets look at names of events once. GUI thread.
#pragma once

#include <QString>
#include <span>

#include "views/timeline/view_state.h"

namespace lanescope::views {

void togglePin(ViewState& view, std::uint32_t row);
void unpinAll(ViewState& view);

/// A pinned row that is hidden is pinned no more. The current row moves on to the next one that is seen.
void hideRow(ViewState& view, std::uint32_t row);
void showHiddenRows(ViewState& view);
/// The rows of the trace that were hidden, without those below them, in the order of the trace.
std::vector<std::uint32_t> hiddenRows(const ViewState& view);
/// Shows the hidden rows below a row, and opens it.
void showRowsBelow(ViewState& view, std::uint32_t row);
/// Brings a row to where it can be seen: opens and shows what is above it.
void uncoverRow(ViewState& view, std::uint32_t row);

/// Puts a row `steps` places down (up if negative) among the rows beside it that are seen; a pinned one among the pinned.
void moveRow(ViewState& view, std::uint32_t row, int steps);
/// Puts a row before or behind another one beside it.
void moveRowTo(ViewState& view, std::uint32_t row, std::uint32_t other, bool behind);
/// Whether `other` stands beside `row`: below the same row, or both pinned.
bool areBeside(const ViewState& view, std::uint32_t row, std::uint32_t other);

enum class RowSort { kAsRecorded, kName, kNumber, kBusyTime, kFirstEvent };
/// Sorts streams among streams and threads among threads, everywhere. Other rows stay where they are.
void sortRows(ViewState& view, RowSort by);

enum class RowPreset { kAll, kGpuOnly, kOneProcess, kCommunication };
/// Hides all but: GPUs and their metrics; the process of the current row (else the first); copies, NCCL and MPI with
/// the rows that they are in. Pinned rows stay.
void showOnly(ViewState& view, RowPreset preset);

/// Rows whose label has the text, whatever the case, in the order of all rows as arranged; empty for an empty text.
std::vector<std::uint32_t> rowsNamed(const ViewState& view, const QString& text);

}  // namespace lanescope::views
