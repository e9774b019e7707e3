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
  /// This stretch alone.
  void set(trace::Ns begin, trace::Ns end) { windows_ = {{begin, std::max(begin, end)}}; }
  /// Nothing at all was recorded.
  void neverOpened() { nothing_ = true; }

  bool keeps(trace::Ns start, trace::Ns end) const {
    if (nothing_) return false;
    if (windows_.empty()) return true;
    const auto after = std::upper_bound(windows_.begin(), windows_.end(), end,
                                        [](trace::Ns time, const auto& window) { return time < window.first; });
    return after != windows_.begin() && std::prev(after)->second >= start;
  }

  /// The stretches of both, those that touch as one.
  void add(const CaptureWindows& other) {
    windows_.insert(windows_.end(), other.windows_.begin(), other.windows_.end());
    std::sort(windows_.begin(), windows_.end());
    std::vector<std::pair<trace::Ns, trace::Ns>> merged;
    for (const auto& window : windows_) {
      if (merged.empty() || merged.back().second < window.first) merged.push_back(window);
      else merged.back().second = std::max(merged.back().second, window.second);
    }
    windows_ = std::move(merged);
  }
  /// The nth alone.
  CaptureWindows only(std::size_t number) const {
    CaptureWindows one;
    number < windows_.size() ? one.windows_.push_back(windows_[number]) : one.neverOpened();
    return one;
  }

  std::size_t count() const { return windows_.size(); }

 private:
  static constexpr trace::Ns kOpen = std::numeric_limits<trace::Ns>::max();
  std::vector<std::pair<trace::Ns, trace::Ns>> windows_;
  bool nothing_ = false;
};

}  // namespace lanescope::launch
