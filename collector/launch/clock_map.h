// SPDX-License-Identifier: Apache-2.0
// From CLOCK_REALTIME, which CUPTI stamps with, to CLOCK_MONOTONIC. The two are slewed together, so their difference is
// constant but for steps of the wall clock; each stretch between steps has one offset, of its tightest pair. A time that
// a step makes ambiguous is converted by the later stretch, and isDoubtful() says so. O(steps), of which it keeps 64 at
// most; immutable once built.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collector/wire/records.h"
#include "model/trace/time.h"

namespace lanescope::launch {

class ClockMap {
 public:
  ClockMap() = default;
  /// Pairs in any order.
  explicit ClockMap(std::vector<wire::ClockPair> pairs);

  /// What to subtract from this time. 0 without any pair.
  trace::Ns offsetAt(std::uint64_t realtime) const;
  /// True if the wall clock was stepped around then, so that the offset may be wrong by the step.
  bool isDoubtful(std::uint64_t realtime) const;

  bool empty() const { return stretches_.empty(); }
  // Of the first stretch; only if not empty.
  trace::Ns firstMonotonic() const { return stretches_.front().firstMonotonic; }
  trace::Ns firstOffset() const { return stretches_.front().offset; }
  std::size_t steps() const { return stretches_.empty() ? 0 : stretches_.size() - 1; }
  trace::Ns largestStep() const { return largestStep_; }
  /// How far an offset may be from the true one: what lay between the two reads of its pair, of the worst stretch.
  trace::Ns error() const;

 private:
  /// Smaller changes of the offset are noise of taking the pair.
  static constexpr trace::Ns kNoise = 20'000;

  static constexpr std::size_t kMostStretches = 64;

  struct Stretch {
    trace::Ns offset = 0;
    trace::Ns bracket = 0;
    trace::Ns firstMonotonic = 0, lastMonotonic = 0;
    trace::Ns begin() const { return firstMonotonic + offset; }  ///< in realtime
    trace::Ns end() const { return lastMonotonic + offset; }
    bool contains(trace::Ns realtime) const { return begin() <= realtime && realtime <= end(); }
  };
  std::size_t find(trace::Ns realtime) const;

  std::vector<Stretch> stretches_;  ///< by monotonic time
  trace::Ns largestStep_ = 0;
};

/// a - b, at the ends of the range where that overflows.
trace::Ns minus(trace::Ns a, trace::Ns b);

/// A time on the wire as one of ours; those beyond become the latest.
trace::Ns asTime(std::uint64_t time);

}  // namespace lanescope::launch
