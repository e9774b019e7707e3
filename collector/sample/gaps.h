// SPDX-License-Identifier: Apache-2.0
// How many samples are missing between those that came: each sample is about a stretch of time, and the next begins where
// it ends. The length of the samples themselves tells how many would have fitted into a gap. Plain value.
#pragma once

#include <cstdint>

namespace lanescope::sample {

class Gaps {
 public:
  /// After a start: what came before it is no gap.
  void restart() { last_ = 0; }

  void see(std::uint64_t start, std::uint64_t end) {
    const std::uint64_t length = end > start ? end - start : 0;
    if (last_ != 0 && start > last_ && length > 0) missing_ += (start - last_ + length / 2) / length;
    last_ = end;
  }

  std::uint64_t missing() const { return missing_; }

 private:
  std::uint64_t last_ = 0, missing_ = 0;
};

}  // namespace lanescope::sample
