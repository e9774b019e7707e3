// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/measure.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>

namespace lanescope::bench {
namespace {

/// A line of /proc/self/status, which is in kB.
std::int64_t statusBytes(std::string_view key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return std::stoll(line.substr(key.size() + 1)) * 1024;
  return 0;
}

}  // namespace

double cpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

std::int64_t anonymousBytes() {
  malloc_trim(0);
  return statusBytes("RssAnon");
}

std::int64_t peakBytes() { return statusBytes("VmHWM"); }

Percentiles percentiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double p) {  // the nearest rank
    const auto rank = static_cast<std::size_t>(std::ceil(p * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
  };
  return {at(0.50), at(0.95), at(0.99), values.back()};
}

std::string json(const Percentiles& p) {
  return fmt::format(R"({{"p50":{:.3f},"p95":{:.3f},"p99":{:.3f},"max":{:.3f}}})", p.p50, p.p95, p.p99, p.max);
}

}  // namespace lanescope::bench
