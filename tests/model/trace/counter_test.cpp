// SPDX-License-Identifier: Apache-2.0
#include "model/trace/counter.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::trace {
namespace {

Counter counter(std::vector<Ns> times, std::vector<double> values) {
  return Counter("value", Counter::Unit::kCount, std::make_shared<std::vector<Ns>>(std::move(times)),
                 std::move(values));
}

TEST(Counter, TheValueBeforeARangeHoldsAtItsBegin) {
  const Counter c = counter({10, 20, 30}, {1, 9, 4});
  const auto inside = c.over({15, 25});
  EXPECT_TRUE(inside.any);
  EXPECT_EQ(inside.min, 1);
  EXPECT_EQ(inside.max, 9);
  EXPECT_EQ(inside.last, 9);
  EXPECT_FALSE(c.over({0, 10}).any);
  EXPECT_EQ(c.over({100, 200}).last, 4);
}

TEST(Counter, MeanIsWeightedByTime) {
  const Counter c = counter({0, 10, 20}, {1, 3, 0});
  EXPECT_DOUBLE_EQ(c.mean({0, 20}), 2);
  EXPECT_DOUBLE_EQ(c.mean({5, 15}), 2);
  EXPECT_DOUBLE_EQ(c.mean({-10, 10}), 0.5);  // 0 before the first sample
  EXPECT_DOUBLE_EQ(c.mean({20, 40}), 0);
}

TEST(Counter, ExtentsEqualALookAtEverySample) {
  std::mt19937_64 random(3);
  std::vector<Ns> times;
  std::vector<double> values;
  Ns t = -50;
  for (int i = 0; i < 5000; ++i) {
    t += static_cast<Ns>(random() % 4);  // some samples share a time
    times.push_back(t);
    values.push_back(static_cast<double>(random() % 1000));
  }
  const Counter c = counter(times, values);
  for (int i = 0; i < 3000; ++i) {
    const Ns a = static_cast<Ns>(random() % 8000) - 100;
    const Ns b = a + 1 + static_cast<Ns>(random() % 3000);
    bool any = false;
    double low = 0, high = 0, last = 0;
    const auto take = [&](double v) {
      low = any ? std::min(low, v) : v;
      high = any ? std::max(high, v) : v;
      last = v;
      any = true;
    };
    const auto first = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), a) - times.begin());
    if (first > 0 && (first == times.size() || times[first] > a)) take(values[first - 1]);
    for (std::size_t s = first; s < times.size() && times[s] < b; ++s) take(values[s]);
    const auto got = c.over({a, b});
    ASSERT_EQ(got.any, any);
    if (!any) continue;
    ASSERT_EQ(got.min, low);
    ASSERT_EQ(got.max, high);
    ASSERT_EQ(got.last, last);
  }
}

}  // namespace
}  // namespace lanescope::trace
