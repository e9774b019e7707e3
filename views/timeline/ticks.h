// SPDX-License-Identifier: GPL-3.0-or-later
// Where the ruler has its ticks and what it writes beside them. Pure and Qt-free, exact integers: a tick lies on a
// whole multiple of its step, from hours to single nanoseconds.
//
// The scheme: a label is the time itself while that takes few digits. Deeper in, the ruler has one base, a whole number
// of µs, ms, s, min or h at or before the left edge, written out once beside the ruler ("1.234 567 s"), and every label
// is the distance from it ("+250 ns"). Base plus label is always the exact time of the tick. Cost: O(ticks).
#pragma once

#include <string>
#include <vector>

#include "model/trace/time.h"

namespace lanescope::views {

struct Tick {
  trace::Ns time = 0;
  std::string label;  ///< empty for a minor tick
  bool major() const { return !label.empty(); }
  bool operator==(const Tick&) const = default;
};

struct Ticks {
  trace::Ns step = 0;  ///< between labelled ticks
  trace::Ns minorStep = 0;  ///< between any two; equals step where nothing lies between
  trace::Ns base = 0;  ///< what labels starting with + count from
  std::string baseLabel;  ///< base written out; empty where labels are absolute
  std::vector<Tick> ticks;  ///< ascending, in the visible range
};

/// Ticks of `visible` drawn `width` pixels wide, labels at least `minGap` pixels apart. At most five a label, so that
/// the width bounds them whatever the times.
Ticks ticksFor(trace::TimeRange visible, int width, int minGap);

/// A time with every digit its unit needs for whole multiples of `step`: "1.25 ms", "2 h 05 min", "-3 µs".
std::string timeLabel(trace::Ns time, trace::Ns step);

}  // namespace lanescope::views
