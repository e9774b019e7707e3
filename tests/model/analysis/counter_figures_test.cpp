// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/counter_figures.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::analysis {
namespace {

using trace::Counter;
using trace::Ns;

constexpr std::uint32_t kHeading = 0, kOther = 2;

/// A heading over a GPU metric, and memory in use beside it; both of the same samples.
trace::Trace counters(const std::vector<Ns>& times, const std::vector<double>& values) {
  trace::Trace trace;
  const auto shared = std::make_shared<const std::vector<Ns>>(times);
  trace.counters = {std::make_shared<const Counter>("SMs Active", Counter::Unit::kPercent, shared, values),
                    std::make_shared<const Counter>("Memory", Counter::Unit::kBytes, shared, values)};
  trace.counterInfo = {{.group = "GPU metrics"}, {}};
  trace.rows = {{.kind = trace::RowKind::kGpuMetrics, .children = {1}},
                {.kind = trace::RowKind::kMetric, .parent = 0, .counters = {0}},
                {.kind = trace::RowKind::kMemoryUsage, .counters = {1}}};
  return trace;
}

TEST(CounterFigures, WhatIsNotKnownDoesNotCountAndMemoryHoldsOn) {
  const trace::Trace trace = counters({10, 20, 30}, {2, 4, 12});
  EXPECT_EQ(counterFigures(trace, 0, {0, 100}).mean, 3);  // from 10 to 30
  EXPECT_EQ(counterFigures(trace, 0, {0, 100}).max, 12);
  EXPECT_EQ(counterFigures(trace, 0, {30, 31}).mean, 12);
  EXPECT_EQ(counterFigures(trace, 1, {0, 50}).mean, 7.5);  // from 10 to 50
  EXPECT_EQ(counterFigures(trace, 1, {40, 50}).mean, 12);
  EXPECT_FALSE(counterFigures(trace, 0, {0, 10}).any);
  EXPECT_FALSE(counterFigures(trace, 0, {40, 50}).any);
}

TEST(CounterFigures, EqualALookAtEveryNanosecond) {
  std::mt19937_64 random(5);
  std::vector<Ns> times;
  std::vector<double> values;
  for (Ns t = 3; t < 400; t += 1 + static_cast<Ns>(random() % 9)) {
    times.push_back(t);
    values.push_back(static_cast<double>(random() % 100));
  }
  const trace::Trace trace = counters(times, values);
  for (int i = 0; i < 500; ++i) {
    const Ns begin = static_cast<Ns>(random() % 420) - 10;
    const trace::TimeRange range{begin, begin + 1 + static_cast<Ns>(random() % 60)};
    double sum = 0, length = 0;
    for (Ns t = std::max(range.begin, times.front()); t < std::min(range.end, times.back()); ++t, ++length) {
      const auto next = std::upper_bound(times.begin(), times.end(), t);
      sum += values[static_cast<std::size_t>(next - times.begin() - 1)];
    }
    const CounterFigures figures = counterFigures(trace, 0, range);
    if (length > 0) {
      ASSERT_NEAR(figures.mean, sum / length, 1e-9);
    }
  }
}

TEST(CounterFigures, LinesAreOfTheSelectedRowsAndWhatIsBelowThem) {
  const trace::Trace trace = counters({10, 20}, {2, 4});
  const auto linesOf = [&](std::vector<std::uint32_t> rows) {
    std::vector<std::uint32_t> found;
    for (const CounterLine& line : counterLines(trace, {{0, 30}, std::move(rows)})) found.push_back(line.counter);
    return found;
  };
  EXPECT_EQ(linesOf({}), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(linesOf({kHeading}), std::vector<std::uint32_t>{0});
  EXPECT_EQ(linesOf({kOther}), std::vector<std::uint32_t>{1});
}

}  // namespace
}  // namespace lanescope::analysis
