// SPDX-License-Identifier: GPL-3.0-or-later
// What is said in place of a timeline that would be blank because the file holds nothing to show. Pure. O(lanes).
#pragma once

#include <QString>

#include "model/trace/trace.h"

namespace lanescope::views {

/// "This file holds no events", and what was found wrong with it; empty while it loads, and where there is anything.
QString emptyText(const trace::Trace& trace);

}  // namespace lanescope::views
