// SPDX-License-Identifier: Apache-2.0
#include "model/report/occupancy.h"

#include <gtest/gtest.h>

#include <limits>

namespace lanescope::report {
namespace {

// Of TARGET_INFO_GPU in real exports.
constexpr SmLimits kH100{64, 32, 65536, 233472, 32, 9, 0};
constexpr SmLimits kA100{64, 32, 65536, 167936, 32, 8, 0};
constexpr SmLimits kT4{32, 16, 65536, 65536, 32, 7, 5};

std::string textOf(const SmLimits& limits, const KernelShape& kernel) {
  const auto found = occupancy(limits, kernel);
  return found ? occupancyText(*found) : "unknown";
}

TEST(Occupancy, ASmallKernelFillsTheMultiprocessor) {
  EXPECT_EQ(textOf(kH100, {256, 18, 0}), "100 % of 64 warps, limited by warps");
}

TEST(Occupancy, RegistersHalveIt) { EXPECT_EQ(textOf(kH100, {1024, 64, 0}), "50 % of 64 warps, limited by registers"); }

TEST(Occupancy, RegistersOfAWarpComeInUnitsOf256) {
  // 33 registers × 32 threads take 1280, not 1056: 51 warps, 48 in whole shares of four, so 6 blocks of 8.
  EXPECT_EQ(textOf(kH100, {256, 33, 0}), "75 % of 64 warps, limited by registers");
}

TEST(Occupancy, SharedMemoryOfABlockHasAReservedKibibyteFromAmpereOn) {
  EXPECT_EQ(textOf(kH100, {128, 96, 21568 + 82240}), "12.5 % of 64 warps, limited by shared memory");
  // 228 KiB hold four blocks of 57 KiB, but not four of 57 KiB and one more each.
  EXPECT_EQ(textOf(kH100, {128, 16, 57 * 1024 - 1024}), "25 % of 64 warps, limited by shared memory");
  EXPECT_EQ(textOf(kH100, {128, 16, 57 * 1024}), "18.8 % of 64 warps, limited by shared memory");
  EXPECT_EQ(textOf(kT4, {128, 16, 16 * 1024}), "50 % of 32 warps, limited by shared memory");
}

TEST(Occupancy, TinyBlocksRunOutOfBlocks) {
  EXPECT_EQ(textOf(kA100, {32, 16, 0}), "50 % of 64 warps, limited by blocks");
  EXPECT_EQ(textOf(kA100, {1, 16, 0}), "50 % of 64 warps, limited by blocks");
}

TEST(Occupancy, NamesEveryLimitThatIsReached) {
  EXPECT_EQ(textOf(kT4, {64, 64, 0}), "100 % of 32 warps, limited by warps and blocks and registers");
}

TEST(Occupancy, AWarpThatIsNotFullCountsAsOne) {
  EXPECT_EQ(textOf(kH100, {1000, 32, 0}), "100 % of 64 warps, limited by warps and registers");
}

TEST(Occupancy, IsUnknownWithoutLimitsOrWithNonsense) {
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(textOf({}, {256, 18, 0}), "unknown");
  SmLimits noBlocks = kH100;
  noBlocks.blocks = 0;  // as some exports have it
  EXPECT_EQ(textOf(noBlocks, {256, 18, 0}), "unknown");
  EXPECT_EQ(textOf(kH100, {0, 18, 0}), "unknown");
  EXPECT_EQ(textOf(kH100, {kHuge, kHuge, kHuge}), "unknown");
  EXPECT_EQ(textOf(kH100, {256, -1, 0}), "unknown");
  EXPECT_EQ(textOf(kH100, {4096, 18, 0}), "unknown");  // more than one multiprocessor holds
}

}  // namespace
}  // namespace lanescope::report
