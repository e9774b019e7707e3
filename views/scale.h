// SPDX-License-Identifier: GPL-3.0-or-later
// Maps time to device pixels and back, in integers. Column x covers exactly the times t with x(t) == x, which are
// [time(x), time(x + 1)); below one nanosecond a pixel that is empty for most columns. O(1), no allocation.
#pragma once

#include <algorithm>

#include "model/trace/time.h"
#include "model/wide.h"

namespace lanescope::views {

struct Scale {
  trace::TimeRange range{0, 1};
  int width = 1;  ///< device pixels

  /// floor((t - begin) * width / length). Times more than a view away are brought to one view away first.
  int x(trace::Ns t) const {
    const trace::Ns length = range.length();
    const trace::Ns offset = std::clamp<trace::Ns>(t, range.begin - length, range.end + length) - range.begin;
    if (length <= kFits64) return static_cast<int>(floorDivide(offset * width, length));
    return static_cast<int>(floorDivide(static_cast<Wide>(offset) * width, static_cast<Wide>(length)));
  }

  /// The first nanosecond that maps to column x.
  trace::Ns time(int column) const {
    const trace::Ns length = range.length();
    if (length <= kFits64) return range.begin - floorDivide(-length * column, static_cast<trace::Ns>(width));
    return range.begin -
           static_cast<trace::Ns>(floorDivide(static_cast<Wide>(-length) * column, static_cast<Wide>(width)));
  }

  trace::TimeRange column(int c) const { return {time(c), time(c + 1)}; }

  /// Whole nanoseconds in a pixel; 0 when a nanosecond is wider than a pixel.
  trace::Ns perPixel() const { return range.length() / width; }

  bool operator==(const Scale&) const = default;

 private:
  static constexpr trace::Ns kFits64 = trace::Ns{1} << 46;  // times two views of 2^16 pixels each

  template <class Int>
  static constexpr Int floorDivide(Int a, Int b) {
    const Int quotient = a / b;
    return quotient - (a % b < 0 ? 1 : 0);
  }
};

}  // namespace lanescope::views
