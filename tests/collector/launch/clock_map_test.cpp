// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/clock_map.h"

#include <gtest/gtest.h>

#include <limits>

namespace lanescope::launch {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr trace::Ns kNow = 1'700'000'000 * trace::Ns{kSecond};

/// A pair at that second, the wall clock so far ahead of kNow.
wire::ClockPair pair(std::uint64_t second, trace::Ns ahead = 0, std::uint64_t bracket = 40) {
  return {second * kSecond, second * kSecond + static_cast<std::uint64_t>(kNow + ahead), bracket, 0};
}

TEST(ClockMap, WithoutAPairTimesStayAsTheyAre) { EXPECT_EQ(ClockMap().offsetAt(5), 0); }

TEST(ClockMap, BetweenStepsTheTightestPairGivesTheOneOffset) {
  const ClockMap clock({pair(1, 30, 100), pair(3, -7, 20), pair(2, 12, 60)});
  EXPECT_EQ(clock.steps(), 0u);
  for (const std::uint64_t second : {0, 1, 2, 3, 100}) EXPECT_EQ(clock.offsetAt(pair(second).realtime), kNow - 7);
}

TEST(ClockMap, AStepForwardChangesTheOffsetBehindIt) {
  const ClockMap clock({pair(1), pair(2), pair(3, 5 * kSecond), pair(4, 5 * kSecond)});
  EXPECT_EQ(clock.steps(), 1u);
  EXPECT_EQ(clock.largestStep(), 5 * trace::Ns{kSecond});
  EXPECT_EQ(clock.offsetAt(pair(1).realtime), kNow);
  EXPECT_EQ(clock.offsetAt(pair(4, 5 * kSecond).realtime), kNow + 5 * trace::Ns{kSecond});
  EXPECT_FALSE(clock.isDoubtful(pair(2).realtime));
  EXPECT_TRUE(clock.isDoubtful(pair(2).realtime + kSecond / 2)) << "before or behind the step, who knows";
  EXPECT_FALSE(clock.isDoubtful(pair(9, 5 * kSecond).realtime));
}

TEST(ClockMap, AStepBackMakesTimesThatCameTwiceDoubtful) {
  const trace::Ns back = -trace::Ns{kSecond} * 5;
  const ClockMap clock({pair(10), pair(20), pair(21, back), pair(30, back)});
  EXPECT_EQ(clock.offsetAt(pair(12).realtime), kNow) << "long before the step";
  EXPECT_FALSE(clock.isDoubtful(pair(12).realtime));
  EXPECT_EQ(clock.offsetAt(pair(28, back).realtime), kNow + back);
  EXPECT_TRUE(clock.isDoubtful(pair(18).realtime)) << "the clock showed this at 18 and at 23";
}

TEST(ClockMap, HostilePairsNeverOverflow) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::vector<wire::ClockPair> pairs{
      {kMost, 0, 0, 0}, {0, kMost, 0, 0}, {0, 0, kMost, 0}, {kMost, kMost, kMost, kMost}};
  EXPECT_TRUE(ClockMap(pairs).empty());
  for (std::uint64_t i = 0; i < 100'000; ++i) pairs.push_back({i * 2, (i % 2) << 60, 0, 0});
  const ClockMap clock(pairs);
  EXPECT_LE(clock.steps(), 64u);
  EXPECT_NO_FATAL_FAILURE(clock.isDoubtful(kMost));
  EXPECT_NO_FATAL_FAILURE(clock.offsetAt(kMost));
}

TEST(ClockMap, DifferencesEndWhereTheRangeEnds) {
  constexpr trace::Ns kLeast = std::numeric_limits<trace::Ns>::min(), kMost = std::numeric_limits<trace::Ns>::max();
  EXPECT_EQ(minus(5, 7), -2);
  EXPECT_EQ(minus(kLeast, 1), kLeast);
  EXPECT_EQ(minus(kMost, -1), kMost);
  EXPECT_EQ(asTime(~0ull), kMost);
}

}  // namespace
}  // namespace lanescope::launch
