// SPDX-License-Identifier: Apache-2.0
// One sorted list of several runs that are sorted, or nearly so: the events of lanes as one sequence.
// O(n log runs); a run that is not in order is sorted first. Stable.
#pragma once

#include <algorithm>
#include <vector>

namespace lanescope::trace {

/// `bounds` are where the runs begin, from 0; what is behind the last one is a run too.
template <class T, class Before>
void sortRuns(std::vector<T>& items, std::vector<std::size_t> bounds, Before before) {
  bounds.push_back(items.size());
  const auto at = [&](std::size_t bound) { return items.begin() + static_cast<std::ptrdiff_t>(bound); };
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
    if (!std::is_sorted(at(bounds[i]), at(bounds[i + 1]), before))
      std::stable_sort(at(bounds[i]), at(bounds[i + 1]), before);
  while (bounds.size() > 2) {
    std::vector<std::size_t> merged{bounds.front()};
    for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
      const std::size_t end = std::min(i + 2, bounds.size() - 1);
      if (end == i + 2) std::inplace_merge(at(bounds[i]), at(bounds[i + 1]), at(bounds[end]), before);
      merged.push_back(bounds[end]);
    }
    bounds = std::move(merged);
  }
}

}  // namespace lanescope::trace
