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

}  // namespace lanescope::views
