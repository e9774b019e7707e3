// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/ticks.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::views {
namespace {

constexpr trace::Ns kMs = 1'000'000, kS = 1'000'000'000, kMin = 60 * kS, kH = 60 * kMin;

Ticks ticksAt(trace::TimeRange visible, int width) { return ticksFor(visible, width, 90); }

std::string labels(const Ticks& ticks) {
  std::string all = ticks.baseLabel;
  for (const Tick& tick : ticks.ticks)
    if (tick.major()) all += (all.empty() ? "" : " | ") + tick.label;
  return all;
}

TEST(Ticks, OfTheStartOfATraceAreTimesThemselves) {
  EXPECT_EQ(labels(ticksAt({0, 1'200'000}, 600)), "0 ms | 0.2 ms | 0.4 ms | 0.6 ms | 0.8 ms | 1.0 ms | 1.2 ms");
  EXPECT_EQ(labels(ticksAt({0, 50}, 500)), "0 ns | 10 ns | 20 ns | 30 ns | 40 ns | 50 ns");
}

TEST(Ticks, DeepInALongTraceCountFromABaseThatIsWrittenOnce) {
  const trace::Ns begin = 12 * kS + 345'678'901;
  EXPECT_EQ(labels(ticksAt({begin, begin + 40}, 400)), "12.345 678 s | +910 ns | +920 ns | +930 ns | +940 ns");
}

TEST(Ticks, KeepTheirBaseWhilePanningWithinItsUnit) {
  const trace::Ns begin = 12 * kS + 345'100'000;
  const Ticks before = ticksAt({begin, begin + 5'000}, 800);
  const Ticks after = ticksAt({begin + 3'000, begin + 8'000}, 800);
  ASSERT_FALSE(before.baseLabel.empty());
  EXPECT_EQ(before.base, after.base);
  EXPECT_EQ(before.baseLabel, after.baseLabel);
}

TEST(Ticks, ReadAsAClockFromMinutesOn) {
  EXPECT_EQ(labels(ticksAt({0, 3 * kMin}, 600)),
            "0 s | 0 min 30 s | 1 min 00 s | 1 min 30 s | 2 min 00 s | 2 min 30 s | 3 min 00 s");
  EXPECT_EQ(labels(ticksAt({0, 5 * kH}, 600)), "0 s | 1 h | 2 h | 3 h | 4 h | 5 h");
  EXPECT_EQ(labels(ticksAt({2 * kH, 3 * kH}, 400)), "2 h 00 min | 2 h 15 min | 2 h 30 min | 2 h 45 min | 3 h 00 min");
}

TEST(Ticks, OfNegativeTimesHaveAMinus) {
  EXPECT_EQ(labels(ticksAt({-300, 300}, 600)), "-300 ns | -200 ns | -100 ns | 0 ns | 100 ns | 200 ns | 300 ns");
  EXPECT_EQ(labels(ticksAt({-2 * kMs, 0}, 200)), "-2 ms | -1 ms | 0 ms");
}

TEST(Ticks, OfNothingAreNone) {
  EXPECT_TRUE(ticksAt({5, 5}, 800).ticks.empty());
  EXPECT_TRUE(ticksAt({0, 100}, 0).ticks.empty());
}

TEST(Ticks, AreFewAlsoForTheLongestTimesInTheNarrowestRuler) {
  for (const int width : {1, 2, 10, 100, 1000})
    for (const trace::Ns length : {trace::kMaxTime / 7, trace::kMaxTime, trace::kMaxTime - trace::kMinTime}) {
      const Ticks ticks = ticksFor({trace::kMinTime, trace::kMinTime + length}, width, 200);
      EXPECT_LE(ticks.ticks.size(), static_cast<std::size_t>(width / 40 + 8)) << width << ' ' << length;
      EXPECT_GT(ticks.step, length / (width / 200 + 2) / 5) << width << ' ' << length;
    }
}

TEST(Ticks, AreExactEvenlySpacedAndFarEnoughApartAtEveryZoom) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 4000; ++round) {
    const trace::Ns length = trace::Ns{10} << (random() % 53);
    const trace::Ns begin =
        static_cast<trace::Ns>(random() % (8 * static_cast<std::uint64_t>(length) + 1)) - 4 * length;
    const trace::TimeRange visible{begin, begin + length};
    const int width = 100 + static_cast<int>(random() % 3000);
    const Ticks ticks = ticksAt(visible, width);
    ASSERT_LE(ticks.ticks.size(), static_cast<std::size_t>(width));
    const double gap = static_cast<double>(ticks.step) * width / static_cast<double>(length);
    EXPECT_GE(gap, 89.9);
    EXPECT_TRUE(gap <= 90 * 2.51 || ticks.step == 1) << ticks.step << " of " << length << " in " << width;
    EXPECT_EQ(ticks.step % ticks.minorStep, 0);
    for (std::size_t i = 0; i < ticks.ticks.size(); ++i) {
      const Tick& tick = ticks.ticks[i];
      EXPECT_GE(tick.time, visible.begin);
      EXPECT_LE(tick.time, visible.end);
      EXPECT_EQ(tick.major(), tick.time % ticks.step == 0);
      if (i > 0) {
        EXPECT_EQ(tick.time - ticks.ticks[i - 1].time, ticks.minorStep);
      }
    }
  }
}

TEST(Ticks, HaveLabelsThatDifferWhereTimesDiffer) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    const trace::Ns length = trace::Ns{10} << (random() % 50);
    const trace::Ns begin = static_cast<trace::Ns>(random() % (trace::Ns{1} << (10 + random() % 50)));
    const Ticks ticks = ticksAt({begin, begin + length}, 1600);
    std::string last;
    for (const Tick& tick : ticks.ticks) {
      if (!tick.major()) continue;
      EXPECT_NE(tick.label, last) << "base " << ticks.baseLabel << " step " << ticks.step;
      EXPECT_LE(tick.label.size(), 17u) << tick.label << " base " << ticks.baseLabel << " step " << ticks.step;
      last = tick.label;
    }
  }
}

TEST(Ticks, WriteATimeWithTheDigitsItsStepNeeds) {
  EXPECT_EQ(timeLabel(1'250'000, 250'000), "1.25 ms");
  EXPECT_EQ(timeLabel(2'000'000, 250'000), "2.00 ms");
  EXPECT_EQ(timeLabel(33'912'345, 1), "33.912 345 ms");
  EXPECT_EQ(timeLabel(-3'000, 1'000), "-3 µs");
  EXPECT_EQ(timeLabel(2 * kH + 5 * kMin, kMin), "2 h 05 min");
  EXPECT_EQ(timeLabel(61 * kS + 500 * kMs, 100 * kMs), "1 min 01.5 s");
}

}  // namespace
}  // namespace lanescope::views
