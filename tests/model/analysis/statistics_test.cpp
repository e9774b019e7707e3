// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace lanescope::analysis {
namespace {

using trace::Ns;

Statistics of(std::vector<std::int64_t> values) { return statisticsOf(values); }

/// Straight from the definitions, in long doubles.
Statistics naive(std::vector<std::int64_t> values) {
  Statistics s;
  s.count = values.size();
  if (values.empty()) return s;
  std::sort(values.begin(), values.end());
  long double sum = 0, squares = 0;
  for (const std::int64_t value : values) s.total += value, sum += static_cast<long double>(value);
  const long double mean = sum / static_cast<long double>(values.size());
  for (const std::int64_t value : values)
    squares += (static_cast<long double>(value) - mean) * (static_cast<long double>(value) - mean);
  s.min = values.front(), s.max = values.back();
  s.mean = static_cast<double>(mean);
  s.median =
      (static_cast<double>(values[(values.size() - 1) / 2]) + static_cast<double>(values[values.size() / 2])) / 2;
  if (values.size() > 1)
    s.deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(values.size() - 1)));
  return s;
}

void expectEqual(const Statistics& a, const Statistics& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.total, b.total);
  EXPECT_EQ(a.min, b.min);
  EXPECT_EQ(a.max, b.max);
  EXPECT_DOUBLE_EQ(a.mean, b.mean);
  EXPECT_DOUBLE_EQ(a.median, b.median);
  EXPECT_NEAR(a.deviation, b.deviation, 1e-9 * std::abs(b.deviation));
}

TEST(Statistics, OfNothingIsAllZero) {
  const Statistics s = of({});
  EXPECT_EQ(s.count, 0u);
  EXPECT_EQ(s.total, 0);
  EXPECT_EQ(s.min, 0);
  EXPECT_EQ(s.deviation, 0);
}

TEST(Statistics, DeviateAsASampleAndHaveTheMeanOfTheMiddleAsMedian) {
  const Statistics s = of({577585, 576465});
  EXPECT_EQ(s.total, 1154050);
  EXPECT_DOUBLE_EQ(s.median, 577025.0);
  EXPECT_NEAR(s.deviation, 791.96, 0.005);
  EXPECT_EQ(of({42}).deviation, 0);
}

TEST(Statistics, OfGreatAlmostEqualValuesKeepTheirSmallDeviation) {
  const Ns great = 4'000'000'000'000'000'000;
  EXPECT_DOUBLE_EQ(of({great, great + 2}).deviation, std::sqrt(2.0));
}

TEST(Statistics, ASumThatDoesNotFitStopsAtTheLargestTime) {
  const Statistics s = of(std::vector<std::int64_t>(5, trace::kMaxTime));
  EXPECT_EQ(s.total, std::numeric_limits<Ns>::max());
  EXPECT_DOUBLE_EQ(s.mean, static_cast<double>(trace::kMaxTime));
  EXPECT_TRUE(std::isfinite(of(std::vector<std::int64_t>(100, std::numeric_limits<Ns>::max())).deviation));
}

TEST(Statistics, OfShortAndLongValuesEqualTheNaiveTwin) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 400; ++round) {
    const std::size_t count = random() % (round % 4 == 0 ? 5000 : 12);
    const std::uint64_t spread = std::uint64_t{1} << random() % 32;
    std::vector<std::uint32_t> shorter;
    std::vector<std::int64_t> longer, all;
    for (std::size_t i = 0; i < count; ++i) {
      // Bodies with outliers far away, many equal values, evenly spread ones.
      std::uint64_t value = random() % spread;
      if (round % 3 == 0) value = 1000 + value % 7;
      if (random() % 50 == 0) value = 0xFFFFFFFE - random() % 5;
      shorter.push_back(static_cast<std::uint32_t>(value));
      all.push_back(static_cast<std::int64_t>(value));
    }
    for (std::size_t i = random() % 4 == 0 ? random() % (count + 3) : 0; i > 0; --i)
      longer.push_back(static_cast<std::int64_t>(0xFFFFFFFF + random() % 1'000'000'000'000));
    all.insert(all.end(), longer.begin(), longer.end());
    const Statistics s = statisticsOf(shorter, longer);
    expectEqual(s, naive(all));
    expectEqual(of(all), naive(all));
    std::vector<std::int64_t> parts[3];
    for (const std::int64_t value : all) parts[random() % 3].push_back(value);
    for (auto& part : parts) std::ranges::sort(part);
    const std::span<const std::int64_t> sorted[] = {parts[0], parts[1], parts[2]};
    expectEqual(statisticsOf(sorted), naive(all));
  }
}

}  // namespace
}  // namespace lanescope::analysis
