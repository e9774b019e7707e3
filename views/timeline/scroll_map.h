// SPDX-License-Identifier: GPL-3.0-or-later
// Maps times to the integers of a scroll bar and back. An int cannot count hours in nanoseconds, so one step of the
// bar is as many nanoseconds as make everything fit; below that the bar moves in steps, while other gestures stay exact.
#pragma once

#include <algorithm>

#include "model/trace/time.h"

namespace lanescope::views {

struct ScrollMap {
  trace::TimeRange whole;  ///< what can be scrolled through; holds the visible range
  trace::Ns unit = 1;  ///< nanoseconds a step
  int maximum = 0, page = 1, value = 0;

  ScrollMap(trace::TimeRange all, trace::TimeRange visible) : whole(trace::hull(all, visible)) {
    unit = (whole.length() >> 30) + 1;
    page = static_cast<int>(std::max<trace::Ns>(1, visible.length() / unit));
    maximum = static_cast<int>((whole.length() - visible.length()) / unit);
    value = static_cast<int>((visible.begin - whole.begin) / unit);
  }

  trace::Ns beginAt(int position) const { return whole.begin + position * unit; }
};

}  // namespace lanescope::views
