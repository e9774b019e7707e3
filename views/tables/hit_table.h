// SPDX-License-Identifier: GPL-3.0-or-later
// Events in order of time as a content for a FigureTable: when, how long, what, where. Pure; keeps the trace alive.
#pragma once

#include <memory>
#include <vector>

#include "views/palette.h"
#include "views/tables/table_content.h"

namespace lanescope::views {

enum class HitColumn { kStart, kDuration, kName, kWhere };

TableContent hitContent(const trace::TracePtr& trace, std::shared_ptr<const std::vector<trace::EventRef>> events,
                        Palette palette);

}  // namespace lanescope::views
