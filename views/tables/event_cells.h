// SPDX-License-Identifier: GPL-3.0-or-later
// What tables of events say alike: their first three columns, and the cells of an event. Pure.
#pragma once

#include <array>

#include "model/trace/trace.h"
#include "views/tables/table_content.h"

namespace lanescope::views {

/// Start, duration, name.
std::array<TableColumn, 3> eventColumns();

analysis::Cell startCell(const trace::Trace& trace, trace::EventRef event);
/// Empty where it never finished.
analysis::Cell durationCell(const trace::Trace& trace, trace::EventRef event);
analysis::Cell nameCell(const trace::Trace& trace, trace::EventRef event);
/// `row`: that shows it, kNone for none.
analysis::Cell placeCell(const trace::Trace& trace, std::uint32_t row);
/// The name as the timeline writes it.
QString labelOf(const trace::Trace& trace, trace::EventRef event);

}  // namespace lanescope::views
