// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/sample_clock.h"

#include <ctime>

#include "collector/sample/metric_file.h"

namespace lanescope::sample {
namespace {

struct Known {
  int clock;
  const char* name;
};
// Where two are equally near, the earlier one.
constexpr Known kKnown[] = {{CLOCK_REALTIME, "CLOCK_REALTIME"},
                            {CLOCK_MONOTONIC, "CLOCK_MONOTONIC"},
                            {CLOCK_MONOTONIC_RAW, "CLOCK_MONOTONIC_RAW"},
                            {CLOCK_BOOTTIME, "CLOCK_BOOTTIME"},
                            {CLOCK_TAI, "CLOCK_TAI"}};
/// A stamp may be as old as a system that did not run us, and a little ahead where clocks were compared badly.
constexpr std::uint64_t kOldest = 2'000'000'000, kAhead = 1'000'000;

std::uint64_t apart(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

/// The best of 16 tries: an interrupt between the reads widens the bracket of one.
wire::ClockPair compare(int clock) {
  wire::ClockPair best;
  best.bracket = ~std::uint64_t{0};
  for (int i = 0; i < 16; ++i) {
    const std::uint64_t before = readClock(CLOCK_MONOTONIC), other = readClock(clock),
                        after = readClock(CLOCK_MONOTONIC);
    if (after - before < best.bracket) best = {before + (after - before) / 2, other, after - before, 0};
  }
  best.boottime = readClock(CLOCK_BOOTTIME);
  return best;
}

}  // namespace

void SampleClock::see(std::uint64_t stamp) {
  const std::uint64_t now = readClock(CLOCK_MONOTONIC);
  if (!isKnown()) {
    std::uint64_t nearest = kOldest;
    for (const Known& known : kKnown) {
      const std::uint64_t time = readClock(known.clock), distance = apart(time, stamp);
      if (stamp > time + kAhead || distance >= nearest) continue;
      nearest = distance;
      clock_ = known.clock;
      name_ = known.name;
    }
    if (clock_ < 0) name_ = "own";
  }
  if (clock_ >= 0) return;
  // How late it comes is unknown, so a stamp that comes sooner is a better pair, and no step of the clock: brackets are
  // as wide as a stamp may be late, and say which is best.
  const bool sooner = best_.bracket == 0 || stamp + best_.monotonic > best_.realtime + now;
  if (sooner) best_ = {now, stamp, best_.bracket == 0 ? kOldest : best_.bracket - 1, readClock(CLOCK_BOOTTIME)};
}

wire::ClockPair SampleClock::pair() const { return isOwn() ? best_ : compare(clock_); }

}  // namespace lanescope::sample
