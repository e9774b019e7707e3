// SPDX-License-Identifier: Apache-2.0
// What a process lost so far, by kind. Counting is one relaxed addition; any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "collector/wire/records.h"

namespace lanescope::inject {

class Losses {
 public:
  static constexpr std::uint32_t kKinds = 10;

  void count(wire::LossKind kind, std::uint64_t lost = 1) {
    counts_[static_cast<std::uint32_t>(kind)].fetch_add(lost, std::memory_order_relaxed);
  }
  std::uint64_t of(wire::LossKind kind) const {
    return counts_[static_cast<std::uint32_t>(kind)].load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> counts_[kKinds] = {};
};

}  // namespace lanescope::inject
