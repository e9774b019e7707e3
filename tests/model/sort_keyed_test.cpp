// SPDX-License-Identifier: Apache-2.0
#include "model/sort_keyed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace lanescope {
namespace {

std::vector<Keyed> some(std::size_t count, std::uint64_t mask, std::uint64_t base = 0) {
  std::mt19937_64 random(7);
  std::vector<Keyed> items;
  for (std::size_t i = 0; i < count; ++i) items.push_back({base + (random() & mask), static_cast<std::uint32_t>(i)});
  return items;
}

TEST(SortKeyed, DoesAsAStableSort) {
  for (const std::uint64_t mask : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xFF}, std::uint64_t{0xFF00000},
                                   std::uint64_t{1} << 40 | 3, ~std::uint64_t{0}})
    for (const std::size_t count : {0, 1, 2, 256, 257, 20'000, 100'003}) {
      std::vector<Keyed> items = some(count, mask), twin = items;
      std::ranges::reverse(items);
      std::ranges::reverse(twin);
      sortKeyed(items);
      std::ranges::stable_sort(twin, {}, &Keyed::key);
      EXPECT_EQ(items, twin) << mask << ' ' << count;
    }
}

TEST(SortKeyed, MovesEachItemOnceForADigitThatDiffers) {
  const std::uint64_t far = std::uint64_t{1} << 62;
  auto names = some(100'000, 0x7FF, far), hours = some(100'000, (std::uint64_t{1} << 42) - 1, far);
  EXPECT_EQ(sortKeyed(names), 100'000u);
  EXPECT_EQ(sortKeyed(hours), 400'000u);
  EXPECT_EQ(sortKeyed(hours), 0u) << "is in order";
}

TEST(SortKeyed, KeysStandAsTheirNumbers) {
  const std::int64_t whole[] = {std::numeric_limits<std::int64_t>::min(), -1, 0, 1,
                                std::numeric_limits<std::int64_t>::max()};
  const double measured[] = {-std::numeric_limits<double>::infinity(), -2.5, -1e-300, 0, 1e-300, 2.5, 1e300};
  EXPECT_TRUE(std::ranges::is_sorted(whole, std::less_equal(), [](std::int64_t number) { return keyOf(number); }));
  EXPECT_TRUE(std::ranges::is_sorted(measured, {}, [](double number) { return keyOf(number); }));
  EXPECT_EQ(keyOf(-0.0), keyOf(0.0));
}

}  // namespace
}  // namespace lanescope
