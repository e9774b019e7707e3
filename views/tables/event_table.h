// SPDX-License-Identifier: GPL-3.0-or-later
// Events as a content for a FigureTable: when, how long, what, where, and what it belongs to; a nested list as far as it
// is not folded. Cells are read from
// the lanes when somebody looks. Pure; keeps the trace alive.
#pragma once

#include <memory>

#include "model/analysis/folded_events.h"
#include "views/palette.h"
#include "views/tables/table_content.h"

namespace lanescope::views {

enum class EventColumn { kStart, kDuration, kName, kWhere, kPartner };

/// What sorts a column.
analysis::EventOrder orderOf(EventColumn column);

TableContent eventContent(std::shared_ptr<const analysis::FoldedEvents> events, Palette palette);

}  // namespace lanescope::views
