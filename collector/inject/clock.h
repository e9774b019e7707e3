// SPDX-License-Identifier: Apache-2.0
// The clocks of a recording: CLOCK_MONOTONIC for what we stamp, CLOCK_REALTIME for what CUPTI stamps, pairs to convert.
// About 16 ns a read where the kernel offers it without a system call. Any thread, also in signal handlers.
#pragma once

#include <ctime>

#include <cstdint>

#include "collector/wire/records.h"

namespace lanescope::inject {

inline std::uint64_t readClock(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000ull + static_cast<std::uint64_t>(t.tv_nsec);
}

inline std::uint64_t now() { return readClock(CLOCK_MONOTONIC); }

/// The best of 16 tries: an interrupt between the reads widens the bracket of one.
inline wire::ClockPair readClockPair() {
  wire::ClockPair best;
  best.bracket = ~0ull;
  for (int i = 0; i < 16; ++i) {
    const std::uint64_t before = now();
    const std::uint64_t realtime = readClock(CLOCK_REALTIME);
    const std::uint64_t after = now();
    if (after - before < best.bracket) {
      best = {before + (after - before) / 2, realtime, after - before, readClock(CLOCK_BOOTTIME)};
    }
  }
  return best;
}

}  // namespace lanescope::inject
