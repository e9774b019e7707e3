// SPDX-License-Identifier: Apache-2.0
// Percentiles by nearest rank: always a value that was measured, the least that at least that share of all values does
// not exceed. Pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace lanescope::analysis {

/// Of values in ascending order, at least one. `percent` in (0, 100]. O(1).
inline std::int64_t percentile(std::span<const std::int64_t> sorted, double percent) {
  // 99.9 is no binary fraction: what is a whole rank but for that is one.
  const double rank = std::ceil(percent / 100 * static_cast<double>(sorted.size()) - 1e-9);
  return sorted[std::clamp<std::size_t>(static_cast<std::size_t>(rank), 1, sorted.size()) - 1];
}

}  // namespace lanescope::analysis
