// SPDX-License-Identifier: Apache-2.0
// The union of intervals that are picked one by one, where BusyUnion takes whole lanes. Add all, then ask. Adding in
// order of start is O(1), else a sort; covered() O(log n). One thread while adding.
#pragma once

#include <algorithm>
#include <vector>

#include "model/trace/time.h"

namespace lanescope::analysis {

/// What both have; its length is negative where they lie apart.
inline trace::TimeRange common(trace::TimeRange a, trace::TimeRange b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

class Intervals {
 public:
  void add(trace::TimeRange time) {
    if (!time.empty()) all_.push_back(time);
  }

  /// After the last add, before the first question.
  void finish() {
    std::sort(all_.begin(), all_.end(), [](auto a, auto b) { return a.begin < b.begin; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < all_.size(); ++i) {
      if (all_[i].begin <= all_[kept].end) all_[kept].end = std::max(all_[kept].end, all_[i].end);
      else all_[++kept] = all_[i];
    }
    all_.resize(std::min(all_.size(), kept + 1));
    before_.clear();
    trace::Ns sum = 0;
    for (const trace::TimeRange each : all_) before_.push_back(sum), sum += each.length();
    total_ = sum;
  }

  const std::vector<trace::TimeRange>& merged() const { return all_; }
  trace::Ns total() const { return total_; }
  trace::Ns covered(trace::TimeRange range) const {
    return range.empty() ? 0 : coveredBefore(range.end) - coveredBefore(range.begin);
  }

 private:
  trace::Ns coveredBefore(trace::Ns time) const {
    const auto after =
        std::upper_bound(all_.begin(), all_.end(), time, [](auto t, auto each) { return t < each.begin; });
    if (after == all_.begin()) return 0;
    const auto i = static_cast<std::size_t>(after - all_.begin()) - 1;
    return before_[i] + std::min(time, all_[i].end) - all_[i].begin;
  }

  std::vector<trace::TimeRange> all_;
  std::vector<trace::Ns> before_;
  trace::Ns total_ = 0;
};

}  // namespace lanescope::analysis
