// SPDX-License-Identifier: Apache-2.0
// Time is a signed 64-bit count of nanoseconds, never a double. A range is half open: [begin, end).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace lanescope::trace {

using Ns = std::int64_t;

/// Latest and earliest time a valid event may have. The quarter of the axis kept free on either side makes every
/// difference and every margin of valid times representable.
inline constexpr Ns kMaxTime = std::numeric_limits<Ns>::max() / 4;
inline constexpr Ns kMinTime = -kMaxTime;

struct TimeRange {
  Ns begin = 0;
  Ns end = 0;

  Ns length() const { return end - begin; }
  bool empty() const { return end <= begin; }
  bool contains(Ns t) const { return begin <= t && t < end; }
  /// True for an event from `from` to `to` of which some lies inside; an instant does from `begin` on.
  bool touches(Ns from, Ns to) const { return from < end && (to > begin || from >= begin); }
  bool operator==(const TimeRange&) const = default;
};

/// The smallest range that holds both; an empty one does not count.
inline TimeRange hull(TimeRange a, TimeRange b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

}  // namespace lanescope::trace
