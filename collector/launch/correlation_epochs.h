// SPDX-License-Identifier: Apache-2.0
// Makes the 32-bit correlation ids of CUPTI, which wrap within hours, unique within a process: the upper half of the
// 64-bit id counts the wraps. Learnt from API calls in the order they were recorded, give or take a quarter of the
// range; an id is then placed by its time. O(log wraps).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/trace/time.h"

namespace lanescope::launch {

class CorrelationEpochs {
 public:
  /// A call made then got this id.
  void see(std::uint32_t id, trace::Ns time) {
    const std::uint64_t quarter = id >> 30;
    if (begins_.empty()) {
      first_ = quarter;
      begins_.push_back(time);
    } else if (quarter == (first_ + begins_.size()) % 4) {
      begins_.push_back(std::max(time, begins_.back()));
    }
  }

  std::int64_t unique(std::uint32_t id, trace::Ns time) const {
    if (begins_.size() < 2 || id == 0) return id;
    const auto begun = std::upper_bound(begins_.begin() + 1, begins_.end(), time) - begins_.begin() - 1;
    const std::uint64_t now = first_ + static_cast<std::uint64_t>(begun);
    // The quarter nearest to that of the time: GPU work runs after its launch, so two back but only one ahead.
    const std::uint64_t ahead = ((id >> 30) - now) % 4;
    std::uint64_t quarter = now + ahead;
    if (ahead >= 2 && quarter >= 4) quarter -= 4;
    return static_cast<std::int64_t>((quarter / 4) << 32 | id);
  }

 private:
  std::uint64_t first_ = 0;
  std::vector<trace::Ns> begins_;  ///< of each quarter of the range that ids went through
};

}  // namespace lanescope::launch
