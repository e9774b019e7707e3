// SPDX-License-Identifier: GPL-3.0-or-later
// An EventList as a content for a FigureTable: when, how long, what, where, and what it belongs to. Cells are read from
// the lanes when somebody looks. Pure; keeps the trace alive.
#pragma once

#include <memory>

#include "model/analysis/event_list.h"
#include "views/palette.h"
#include "views/tables/table_content.h"

namespace lanescope::views {

enum class EventColumn { kStart, kDuration, kName, kWhere, kPartner };

/// What sorts a column.
analysis::EventOrder orderOf(EventColumn column);

TableContent eventContent(std::shared_ptr<const analysis::EventList> events, Palette palette);

}  // namespace lanescope::views
