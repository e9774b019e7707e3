// SPDX-License-Identifier: GPL-3.0-or-later
// Durations sorted into bins of a histogram: as wide as Freedman and Diaconis say, within 8 to 60 bins; each wider than
// the last by the same factor where the longest is more than a hundred times the shortest. Pure. O(n + bins).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/trace/time.h"

namespace lanescope::views {

struct Bins {
  std::vector<trace::Ns> edges;  ///< bin i holds [edges[i], edges[i + 1]); ascending; the last edge is the longest + 1
  std::vector<std::uint64_t> counts;
  bool logarithmic = false;

  std::size_t size() const { return counts.size(); }
  bool empty() const { return counts.empty(); }
  trace::TimeRange range(std::size_t bin) const { return {edges[bin], edges[bin + 1]}; }
};

/// None for none; durations below 0 count as 0.
Bins binsOf(std::span<const trace::Ns> durations);

/// A tick of an axis on which every bin is 1 wide.
struct DurationTick {
  double place = 0;
  trace::Ns at = 0;
  bool labelled = true;  ///< else it only shows how the axis runs
};

/// Round durations: 1, 2 and 5 times powers of ten, of these as many as leave `leastApart` bins between two labels; on a
/// logarithmic axis all 1, 2, … 9 times powers of ten between them without a label. The shortest and the longest where
/// there is nothing round. Ascending. O(ticks · log bins).
std::vector<DurationTick> durationTicks(const Bins& bins, double leastApart);

}  // namespace lanescope::views
