// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/sample_clock.h"

#include <gtest/gtest.h>

#include "collector/sample/metric_file.h"

namespace lanescope::sample {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

TEST(SampleClock, IsTheSystemsClockThatAStampIsNearestTo) {
  for (const auto& [clock, name] :
       {std::pair(CLOCK_REALTIME, "CLOCK_REALTIME"), {CLOCK_MONOTONIC, "CLOCK_MONOTONIC"}}) {
    SampleClock sample;
    EXPECT_FALSE(sample.isKnown());
    sample.see(readClock(clock) - 30 * kMillisecond);
    EXPECT_STREQ(sample.name(), name);
    EXPECT_FALSE(sample.isOwn());
    const wire::ClockPair pair = sample.pair();
    const std::uint64_t now = readClock(clock), monotonic = readClock(CLOCK_MONOTONIC);
    EXPECT_LE(pair.realtime, now);
    EXPECT_LE(pair.monotonic, monotonic);
    // Taken between two reads of the one clock, so no further apart than these.
    if (clock != CLOCK_MONOTONIC) continue;
    EXPECT_LE(pair.realtime, pair.monotonic + pair.bracket);
    EXPECT_LE(pair.monotonic, pair.realtime + pair.bracket);
  }
}

TEST(SampleClock, TheFirstStampDecides) {
  SampleClock sample;
  sample.see(readClock(CLOCK_REALTIME));
  sample.see(readClock(CLOCK_MONOTONIC));
  EXPECT_STREQ(sample.name(), "CLOCK_REALTIME");
}

TEST(SampleClock, AClockOfItsOwnIsKnownByTheStampThatCameSoonest) {
  SampleClock sample;
  const std::uint64_t now = readClock(CLOCK_MONOTONIC), ahead = 1'000'000'000'000'000'000;
  sample.see(now + ahead - 100 * kMillisecond);
  EXPECT_TRUE(sample.isOwn());
  const wire::ClockPair first = sample.pair();
  sample.see(readClock(CLOCK_MONOTONIC) + ahead - 50 * kMillisecond);
  const wire::ClockPair better = sample.pair();
  EXPECT_GT(better.realtime - better.monotonic, first.realtime - first.monotonic);
  EXPECT_LT(better.bracket, first.bracket);
  sample.see(readClock(CLOCK_MONOTONIC) + ahead - 900 * kMillisecond);
  EXPECT_EQ(sample.pair().realtime, better.realtime);
}

}  // namespace
}  // namespace lanescope::sample
