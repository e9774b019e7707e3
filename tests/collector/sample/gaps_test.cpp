// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/gaps.h"

#include <gtest/gtest.h>

namespace lanescope::sample {
namespace {

TEST(Gaps, SamplesThatFollowEachOtherHaveNone) {
  Gaps gaps;
  for (std::uint64_t t = 1000; t < 2000; t += 100) gaps.see(t, t + 100);
  EXPECT_EQ(gaps.missing(), 0u);
}

TEST(Gaps, StampsThatDoNotQuiteTouchAreNoGap) {
  Gaps gaps;
  gaps.see(1000, 1100);
  gaps.see(1140, 1240);
  gaps.see(1190, 1290);
  EXPECT_EQ(gaps.missing(), 0u);
}

TEST(Gaps, AGapCountsTheSamplesThatWouldHaveFitted) {
  Gaps gaps;
  gaps.see(1000, 1100);
  gaps.see(1802, 1902);
  EXPECT_EQ(gaps.missing(), 7u);
  gaps.see(2000, 2100);
  EXPECT_EQ(gaps.missing(), 8u);
}

TEST(Gaps, ARestartIsNoGap) {
  Gaps gaps;
  gaps.see(1000, 1100);
  gaps.restart();
  gaps.see(9000, 9100);
  EXPECT_EQ(gaps.missing(), 0u);
}

TEST(Gaps, AnEmptySampleCountsNothing) {
  Gaps gaps;
  gaps.see(1000, 1100);
  gaps.see(5000, 5000);
  gaps.see(5000, 4000);
  EXPECT_EQ(gaps.missing(), 0u);
}

}  // namespace
}  // namespace lanescope::sample
