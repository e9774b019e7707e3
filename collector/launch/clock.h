// SPDX-License-Identifier: Apache-2.0
// The two clocks of a recording, in ns: monotonic for deadlines and events, real time for when it was. Any thread.
#pragma once

#include <ctime>

#include "model/trace/time.h"

namespace lanescope::launch {

inline constexpr trace::Ns kSecond = 1'000'000'000;

inline trace::Ns clockNow(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

inline trace::Ns monotonicNow() { return clockNow(CLOCK_MONOTONIC); }

}  // namespace lanescope::launch
