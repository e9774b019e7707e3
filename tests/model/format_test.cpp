// SPDX-License-Identifier: Apache-2.0
#include "model/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace lanescope {
namespace {

TEST(Format, ADurationKeepsFourDigitsInTheUnitThatFits) {
  EXPECT_EQ(formatDuration(0), "0 ns");
  EXPECT_EQ(formatDuration(800), "800 ns");
  EXPECT_EQ(formatDuration(1000), "1.000 µs");
  EXPECT_EQ(formatDuration(92226), "92.23 µs");
  EXPECT_EQ(formatDuration(92226, 3), "92.2 µs");
  EXPECT_EQ(formatDuration(25'610'621'473, 3), "25.6 s");
  EXPECT_EQ(formatDuration(-92226), "-92.23 µs");
}

TEST(Format, RoundingGoesHalfUpAndCarriesIntoTheNextUnit) {
  EXPECT_EQ(formatDuration(12'345), "12.35 µs");
  EXPECT_EQ(formatDuration(999'949), "999.9 µs");
  EXPECT_EQ(formatDuration(999'950), "1.000 ms");
  EXPECT_EQ(formatDuration(9'999'600), "10.00 ms");
}

TEST(Format, ADurationNeverShowsMoreDigitsThanTheNanosecondsHave) {
  EXPECT_EQ(formatDuration(5), "5 ns");
  EXPECT_EQ(formatDuration(1234, 9), "1.234 µs");
}

TEST(Format, SecondsAreGroupedAsNoUnitIsLonger) {
  EXPECT_EQ(formatDuration(3'600'000'000'000), "3 600 s");
  EXPECT_EQ(formatDuration(std::numeric_limits<std::int64_t>::min()), "-9 223 372 037 s");
}

TEST(Format, AnExactDurationHasEveryDigit) {
  EXPECT_EQ(formatExact(92'226), "92.226 µs");
  EXPECT_EQ(formatExact(1'234'567'890), "1.234 567 890 s");
  EXPECT_EQ(formatExact(1'000'000), "1.000 000 ms");
  EXPECT_EQ(formatExact(0), "0 ns");
  EXPECT_EQ(formatExact(-3000), "-3.000 µs");
}

TEST(Format, BytesAreInDecimalUnitsWithThreeDigits) {
  EXPECT_EQ(formatBytes(512), "512 B");
  EXPECT_EQ(formatBytes(16'777'216), "16.8 MB");
  EXPECT_EQ(formatBytes(999'999), "1.00 MB");
  EXPECT_EQ(formatBytes(std::numeric_limits<std::uint64_t>::max()), "18.4 EB");
}

TEST(Format, ARateIsBytesOverTimeAndNothingWithoutTime) {
  EXPECT_EQ(formatRate(16'777'216, 309'500), "54.2 GB/s");
  EXPECT_EQ(formatRate(16, 0), "–");
  EXPECT_EQ(formatRate(std::numeric_limits<std::uint64_t>::max(), 1'000'000'000), "18.4 EB/s");
}

TEST(Format, AShareHasOneDecimalAndNothingOfNothing) {
  EXPECT_EQ(formatShare(366, 1000), "36.6 %");
  EXPECT_EQ(formatShare(1, 3), "33.3 %");
  EXPECT_EQ(formatShare(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()), "100.0 %");
  EXPECT_EQ(formatShare(1, 0), "–");
}

TEST(Format, ACountIsGroupedByThree) {
  EXPECT_EQ(formatCount(7), "7");
  EXPECT_EQ(formatCount(1000), "1 000");
  EXPECT_EQ(formatCount(1'234'567), "1 234 567");
}

}  // namespace
}  // namespace lanescope
