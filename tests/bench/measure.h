// SPDX-License-Identifier: GPL-3.0-or-later
// What the benchmarks share: clocks, memory, percentiles, and the one JSON object they print.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::bench {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

/// Of the processor, for one thread: what else runs on the machine does not count.
double cpuMilliseconds();

/// Anonymous memory in RAM after what malloc holds back has been returned, in bytes.
std::int64_t anonymousBytes();

/// The most memory this process ever had in RAM, in bytes.
std::int64_t peakBytes();

struct Percentiles {
  double p50 = 0, p95 = 0, p99 = 0, max = 0;
};
Percentiles percentiles(std::vector<double> values);

/// `{"p50":…,"p95":…,"p99":…,"max":…}` in ms with three decimals.
std::string json(const Percentiles& percentiles);

}  // namespace lanescope::bench
