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

/// The durations with a label, in the order of the axis.
std::vector<Ns> labelled(const Bins& bins, double leastApart) {
  std::vector<Ns> at;
  double last = -1e9;
  for (const DurationTick& tick : durationTicks(bins, leastApart)) {
    EXPECT_GE(tick.place, 0);
    EXPECT_LE(tick.place, static_cast<double>(bins.size()));
    if (!tick.labelled) continue;
    EXPECT_GE(tick.place - last, leastApart) << tick.at;
    last = tick.place;
    at.push_back(tick.at);
  }
  return at;
}

TEST(DurationTicks, StandAtRoundDurationsAsManyAsHaveRoom) {
  const Bins wide{{3, 30, 300, 3'000, 30'000}, {1, 1, 1, 1}, true};
  EXPECT_EQ(labelled(wide, 0.9), (std::vector<Ns>{10, 100, 1'000, 10'000}));
  EXPECT_EQ(labelled(wide, 0.25), (std::vector<Ns>{5, 10, 20, 50, 100, 200, 500, 1'000, 2'000, 5'000, 10'000, 20'000}));
  EXPECT_EQ(labelled(wide, 1.5), (std::vector<Ns>{100, 10'000})) << "every other power";
  const auto all = durationTicks(wide, 0.9);
  EXPECT_EQ(all.size(), 36u) << "3 to 9 ns, and so on: how the axis runs";
  EXPECT_NEAR(all[7].place, 0.523, 0.001) << "10 ns between 3 and 30 on a logarithmic axis";

  const Bins even{{980, 1'020, 1'060, 1'100, 1'140}, {1, 1, 1, 1}, false};
  EXPECT_EQ(labelled(even, 1), (std::vector<Ns>{1'000, 1'050, 1'100}));
  EXPECT_EQ(durationTicks(even, 1).front().place, 0.5);
}

TEST(DurationTicks, AreTheEndsWhereNothingIsRoundAndNoneOfNothing) {
  EXPECT_TRUE(durationTicks({}, 1).empty());
  EXPECT_EQ(labelled({{7, 8}, {3}, false}, 1), std::vector<Ns>{7});
  EXPECT_EQ(labelled({{1'001, 1'004}, {3}, false}, 0.5), (std::vector<Ns>{1'001, 1'003}));
  constexpr Ns kMost = std::numeric_limits<Ns>::max();
  EXPECT_EQ(labelled({{kMost - 9, kMost}, {3}, false}, 0.5), (std::vector<Ns>{kMost - 9, kMost - 1})) << "damaged";
}

}  // namespace
}  // namespace lanescope::views
