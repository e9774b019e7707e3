// SPDX-License-Identifier: GPL-3.0-or-later
// Where the hits of a search are seen in a frame. Pure. Cost: O(spans · log hits).
#pragma once

#include <QRectF>
#include <vector>

#include "model/analysis/find.h"
#include "views/timeline/frame.h"

namespace lanescope::views {

/// The bars of hits, and the columns in which a hit begins, in logical pixels of the canvas; a strip's whole height.
std::vector<QRectF> foundBars(const analysis::Hits& hits, const Frame& frame, const trace::Trace& trace);

}  // namespace lanescope::views
