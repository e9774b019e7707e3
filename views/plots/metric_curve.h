// SPDX-License-Identifier: GPL-3.0-or-later
// A counter as a curve inside a row of the timeline: a line drawn by QCustomPlot over a tint drawn here. Samples hold
// until the next one, so the curve is made of steps; a pixel column shows everything from its least to its greatest.
// Cost: O(log n) a column whatever the number of samples, under 0.4 ms a row of 1920 columns. GUI thread only.
#pragma once

#include <QColor>
#include <QRect>

#include "model/trace/counter.h"

class QPainter;

namespace lanescope::views {

/// `axisMax` is the value at the top of `rect`, 0 lies at its bottom.
void paintCurve(QPainter& painter, const trace::Counter& counter, trace::TimeRange visible, const QRect& rect,
                const QColor& line, double axisMax);

/// What the axis of a counter ends with: 100 for per cent, else its greatest value.
double axisMax(const trace::Counter& counter);

}  // namespace lanescope::views
