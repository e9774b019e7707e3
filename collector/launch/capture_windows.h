// SPDX-License-Identifier: Apache-2.0
// The stretches of time that were recorded; none given means all of it. O(log windows).
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "model/trace/time.h"

namespace lanescope::launch {

class CaptureWindows {
 public:
  /// In order of time.
  void begin(trace::Ns time) {
    if (windows_.empty() || windows_.back().second != kOpen) windows_.emplace_back(time, kOpen);
  }
  void end(trace::Ns time) {
    if (!windows_.empty() && windows_.back().second == kOpen)
      windows_.back().second = std::max(time, windows_.back().first);
  }
  /// Nothing at all was recorded.
  void neverOpened() { nothing_ = true; }

  bool keeps(trace::Ns start, trace::Ns end) const {
    if (nothing_) return false;
    if (windows_.empty()) return true;
    const auto after = std::upper_bound(windows_.begin(), windows_.end(), end,
                                        [](trace::Ns time, const auto& window) { return time < window.first; });
    return after != windows_.begin() && std::prev(after)->second >= start;
  }

  std::size_t count() const { return windows_.size(); }

 private:
  static constexpr trace::Ns kOpen = std::numeric_limits<trace::Ns>::max();
  std::vector<std::pair<trace::Ns, trace::Ns>> windows_;
  bool nothing_ = false;
};

}  // namespace lanescope::launch
