// SPDX-License-Identifier: Apache-2.0
// How times of two recordings correspond: by moments that are the same in both. Between two of them linear, in whole
// nanoseconds rounded down; before the first and after the last shifted as there. Monotone both ways, and exact at every
// moment; where it stretches, back and forth differs by at most the stretch. Immutable; any thread.
#pragma once

#include <vector>

#include "model/trace/time.h"

namespace lanescope::compare {

struct Moment {
  trace::Ns a = 0, b = 0;
  bool operator==(const Moment&) const = default;
};

class TimeMap {
 public:
  TimeMap() = default;  ///< the same time in both

  /// In any order. Of those that do not ascend on both sides the fewest are left out. O(n log n).
  explicit TimeMap(std::vector<Moment> moments);

  trace::Ns toB(trace::Ns a) const;  ///< O(log moments), as is toA
  trace::Ns toA(trace::Ns b) const;

  /// Ascending on both sides; never empty.
  const std::vector<Moment>& moments() const { return moments_; }

 private:
  std::vector<Moment> moments_{{}};
};

}  // namespace lanescope::compare
