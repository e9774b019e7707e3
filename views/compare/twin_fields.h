// SPDX-License-Identifier: GPL-3.0-or-later
// What a tooltip says of an event of a compared report: how its twin differs. GUI thread.
#pragma once

#include <vector>

#include "model/report/details.h"
#include "views/compare/linked_views.h"

namespace lanescope::views {

/// Duration of the twin, difference and ratio, B against A; that there is no twin; nothing for what is not compared.
std::vector<report::Field> twinFields(const LinkedViews& links, Side side, trace::EventRef event);

}  // namespace lanescope::views
