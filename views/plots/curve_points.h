// SPDX-License-Identifier: GPL-3.0-or-later
// The corners of a counter's curve in pixels: at most four a column (value before, least, greatest, last), and where
// the tint below begins in each. Pure. O(log n) a column, or O(1) a sample where there are fewer samples than columns.
#pragma once

#include <vector>

#include "model/trace/counter.h"

namespace lanescope::views {

struct CurvePoint {
  int x = 0;      ///< pixel column
  double value = 0;
  bool operator==(const CurvePoint&) const = default;
};

struct CurveShape {
  std::vector<CurvePoint> line;
  std::vector<double> greatest;  ///< per column; negative before the first sample
};

CurveShape curveShape(const trace::Counter& counter, trace::TimeRange visible, int width);

}  // namespace lanescope::views
