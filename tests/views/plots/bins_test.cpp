// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/bins.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

namespace lanescope::views {
namespace {

using trace::Ns;

std::uint64_t total(const Bins& bins) {
  return std::accumulate(bins.counts.begin(), bins.counts.end(), std::uint64_t{0});
}

/// What holds of every histogram, whatever it is of.
void expectSound(const Bins& bins, const std::vector<Ns>& durations) {
  ASSERT_EQ(bins.edges.size(), bins.size() + 1);
  EXPECT_LE(bins.size(), 60u);
  EXPECT_TRUE(std::is_sorted(bins.edges.begin(), bins.edges.end(), std::less_equal<>())) << "each wider than nothing";
  EXPECT_EQ(total(bins), durations.size());
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto inside = std::count_if(durations.begin(), durations.end(),
                                      [&](Ns d) { return bins.range(i).contains(std::max<Ns>(d, 0)); });
    EXPECT_EQ(bins.counts[i], static_cast<std::uint64_t>(inside)) << i;
  }
}

TEST(Bins, OfNothingThereAreNone) { EXPECT_TRUE(binsOf({}).empty()); }

TEST(Bins, OneValueHasOneBin) {
  const std::vector<Ns> once{92'226}, often(1000, 92'226);
  EXPECT_EQ(binsOf(once).edges, (std::vector<Ns>{92'226, 92'227}));
  EXPECT_EQ(binsOf(often).counts, std::vector<std::uint64_t>{1000});
}

TEST(Bins, GrowWhereTheLongestIsMoreThanAHundredTimesTheShortest) {
  EXPECT_FALSE(binsOf(std::vector<Ns>{1000, 100'000}).logarithmic);
  const Bins bins = binsOf(std::vector<Ns>{1000, 200'000});
  EXPECT_TRUE(bins.logarithmic);
  EXPECT_LT(bins.range(0).length() * 10, bins.range(bins.size() - 1).length());
}

TEST(Bins, HoldEveryDurationOnceWhateverTheyAre) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const int size = 1 + static_cast<int>(random() % 300);
    const double spread = 1 + random() % 8;
    std::lognormal_distribution<double> length(8, spread / 2);
    std::vector<Ns> durations;
    for (int i = 0; i < size; ++i) durations.push_back(static_cast<Ns>(length(random)));
    expectSound(binsOf(durations), durations);
  }
}

TEST(Bins, ManyOfThemAreAsWideAsFreedmanAndDiaconisSay) {
  std::vector<Ns> durations;
  for (Ns i = 0; i < 1000; ++i) durations.push_back(10'000 + i);  // quartiles 500 apart: 100 wide
  EXPECT_EQ(binsOf(durations).size(), 10u);
}

TEST(Bins, ZeroNegativeAndVastDurationsHaveTheirPlace) {
  const std::vector<Ns> durations{-5, 0, 0, 1, 2, trace::kMaxTime};
  const Bins bins = binsOf(durations);
  EXPECT_TRUE(bins.logarithmic);
  expectSound(bins, durations);
  const std::vector<Ns> longest{0, std::numeric_limits<Ns>::max()};
  EXPECT_EQ(total(binsOf(longest)), 2u);
}

}  // namespace
}  // namespace lanescope::views
