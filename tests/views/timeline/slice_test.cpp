// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/slice.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

namespace lanescope::views {
namespace {

using trace::Event;
using trace::Lane;
using trace::LaneInfo;
using trace::Ns;
using trace::TimeRange;

/// "3+10 bar 0 | 20 column 1/255 n2": place, what it is, and which event or how full with which name.
std::string text(const LaneSlice& slice) {
  std::ostringstream out;
  for (const Span& span : slice.spans) {
    if (&span != &slice.spans.front()) out << " | ";
    if (span.isColumn()) {
      out << span.x << " column " << int{span.fill} << " n" << span.name;
      if (span.flags & Span::kInstant) out << " instant";
    } else {
      out << span.x << '+' << span.width << " bar " << span.event;
      if (span.flags & Span::kUnfinished) out << " unfinished";
    }
  }
  return out.str();
}

Event event(Ns start, Ns end, trace::NameId name = 1) {
  Event e;
  e.start = start, e.end = end, e.name = name;
  return e;
}

LaneSlice slice(const Lane& lane, TimeRange range, int width) {
  return sliceLane(lane, LaneInfo{}, Scale{range, width}, Palette{});
}

std::string sliced(std::vector<Event> events, TimeRange range, int width) {
  return text(slice(Lane(events, false), range, width));
}

TEST(Scale, MapsTimesToColumnsAndBackExactly) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const Ns length = 1 + static_cast<Ns>(random() >> (4 + random() % 58));
    const Ns begin = static_cast<Ns>(random() >> 3) - (Ns{1} << 60);
    const Scale scale{{begin, begin + length}, 1 + static_cast<int>(random() % 4000)};
    const int column = static_cast<int>(random() % static_cast<unsigned>(scale.width));
    const Ns first = scale.time(column);
    EXPECT_GE(scale.x(first), column);
    EXPECT_LT(scale.x(first - 1), column);
  }
}

TEST(Slice, WideEventsAreBarsThatTouchWhereTheEventsTouch) {
  EXPECT_EQ(sliced({event(10, 30), event(30, 60), event(70, 100)}, {0, 100}, 100),
            "10+20 bar 0 | 30+30 bar 1 | 70+30 bar 2");
}

TEST(Slice, EventsBeyondTheEdgesAreCutAtThem) {
  EXPECT_EQ(sliced({event(-500, 30), event(90, 500)}, {0, 100}, 100), "0+30 bar 0 | 90+10 bar 1");
  EXPECT_EQ(sliced({event(-500, 0), event(100, 500)}, {0, 100}, 100), "");
}

TEST(Slice, NarrowEventsShareAColumnAndTheDominantNameColoursIt) {
  EXPECT_EQ(sliced({event(1000, 1100, 1), event(1200, 1500, 2), event(1600, 1610, 3)}, {0, 100'000}, 100),
            "1 column 104 n2");
}

TEST(Slice, TheColumnWhereABarEndsBelongsToWhatStartsThere) {
  EXPECT_EQ(sliced({event(0, 1050), event(1060, 3000)}, {0, 10'000}, 100), "0+10 bar 0 | 10+20 bar 1");
  EXPECT_EQ(sliced({event(0, 1050), event(1060, 1070)}, {0, 10'000}, 100), "0+10 bar 0 | 10 column 153 n1");
}

TEST(Slice, ALoneShortEventInALongViewHasAColumnThatNamesIt) {
  const LaneSlice s =
      slice(Lane(std::vector{event(300'000'000'000, 300'000'000'200)}, false), {0, 600'000'000'000}, 1920);
  EXPECT_EQ(text(s), "960 column 1 n1");
  EXPECT_EQ(s.spans[0].event, 0u);
}

TEST(Slice, AZeroLengthEventIsAnInstant) {
  EXPECT_EQ(sliced({event(50, 50)}, {0, 100}, 100), "50 column 1 n1 instant");
  EXPECT_EQ(sliced({event(5, 5)}, {0, 10}, 1000), "500 column 1 n1 instant");
}

TEST(Slice, SixKernelsAtAnEpochTimeAreSixEqualBars) {  // MOD-20
  std::vector<Event> events;
  const Ns begin = 1'682'666'453'031'165'466;
  for (Ns i = 0; i < 6; ++i) events.push_back(event(begin + 100 * i, begin + 100 * i + 50));
  EXPECT_EQ(sliced(events, {begin, begin + 600}, 600),
            "0+50 bar 0 | 100+50 bar 1 | 200+50 bar 2 | 300+50 bar 3 | 400+50 bar 4 | 500+50 bar 5");
}

TEST(Slice, AnUnfinishedEventSaysSo) {
  Event e = event(10, 90);
  e.unfinished = true;
  EXPECT_EQ(sliced({e}, {0, 100}, 100), "10+80 bar 0 unfinished");
}

TEST(Slice, WideEventsBetweenMillionsOfNarrowOnesAreStillBars) {
  std::vector<Event> events;
  for (Ns t = 0; t < 1'000'000; t += 10) events.push_back(event(t, t + 3));
  events.push_back(event(1'000'000, 1'500'000, 2));
  for (Ns t = 1'500'000; t < 2'000'000; t += 10) events.push_back(event(t, t + 3));
  const LaneSlice s = slice(Lane(events, false), {0, 2'000'000}, 1000);
  int bars = 0;
  for (const Span& span : s.spans)
    if (!span.isColumn()) {
      ++bars;
      EXPECT_EQ(span.name, 2u);
      EXPECT_NEAR(span.x, 500, 1);
      EXPECT_NEAR(span.right(), 750, 1);
    }
  EXPECT_EQ(bars, 1);
}

/// Lanes that would be dear if work followed the events: even, bursts, all in one instant, all touching.
std::vector<Event> adversary(int kind, std::mt19937_64& random, std::size_t n) {
  std::vector<Event> events;
  Ns t = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Ns gap = kind == 0   ? static_cast<Ns>(random() % 20)
                   : kind == 1 ? (i % (n / 3) == 0 ? 1'000'000'000 : static_cast<Ns>(random() % 3))
                   : kind == 2 ? (i == 0 || i + 1 == n ? 1'000'000'000'000 : 0)
                               : 0;
    const Ns length = kind == 2 ? 0 : kind == 3 ? 5 : static_cast<Ns>(random() % (random() % 50 == 0 ? 10'000 : 10));
    events.push_back(event(t + gap, t + gap + length, static_cast<trace::NameId>(1 + random() % 5)));
    t += gap + length;
  }
  return events;
}

TEST(Slice, WorkIsBoundedByPixelsWhateverTheLane) {
  std::mt19937_64 random(2);
  for (int kind = 0; kind < 4; ++kind) {
    const Lane lane(adversary(kind, random, 1'000'000), false);
    const TimeRange span = lane.span();
    for (int zoom = 0; zoom < 42; zoom += 3) {
      const Ns length = std::max<Ns>(span.length() >> zoom, 10);
      const std::size_t at = random() % lane.size();
      const Ns begin = zoom == 0 ? span.begin : lane.start(at) - length / 2;
      const int width = 1000;
      const LaneSlice s = slice(lane, {begin, begin + length}, width);
      EXPECT_LE(s.work.events, (kVisitsPerColumn + 2) * width) << kind << ' ' << zoom;
      EXPECT_LE(s.work.bins, 6u * width) << kind << ' ' << zoom;
      EXPECT_LE(s.work.searches, 3u * width + 1) << kind << ' ' << zoom;
      EXPECT_LE(s.spans.size(), static_cast<std::size_t>(width));
    }
  }
}

/// As a lane of the kept events alone, but for the numbers of events.
TEST(Slice, OfAPartIsThatOfItsEventsAloneAndCostsNoMore) {  // GUI-01, GUI-02
  std::mt19937_64 random(3);
  for (const unsigned oneOf : {2u, 97u, 50'000u}) {
    std::vector<Event> all, some;
    std::vector<std::size_t> kept;
    Ns t = 0;
    for (std::size_t i = 0; i < 400'000; ++i) {
      const Ns length = static_cast<Ns>(random() % 900);
      all.push_back(event(t, t + length, static_cast<trace::NameId>(1 + random() % 4)));
      t += length + static_cast<Ns>(random() % 200);
      if (random() % oneOf == 0) kept.push_back(i), some.push_back(all.back());
    }
    std::vector<std::uint64_t> bits((all.size() + 63) / 64);
    for (const std::size_t i : kept) bits[i / 64] |= std::uint64_t{1} << i % 64;
    const Lane lane(all, false), alone(some, false);
    const trace::LanePart part(lane, bits);
    for (Ns zoom = t; zoom > 500; zoom /= 7) {
      const TimeRange range{t / 3, t / 3 + zoom};
      LaneSlice filtered = sliceLane(trace::LaneView(lane, &part), LaneInfo{}, Scale{range, 700}, Palette{});
      const LaneSlice expected = slice(alone, range, 700);
      for (Span& span : filtered.spans) {
        if (span.event == Span::kNoEvent) continue;
        ASSERT_TRUE(part.has(span.event));
        span.event = static_cast<std::uint32_t>(part.countBefore(span.event));
      }
      EXPECT_EQ(text(filtered), text(expected)) << oneOf << ' ' << zoom;
      EXPECT_EQ(filtered.work.events, expected.work.events);
      EXPECT_EQ(filtered.work.bins, expected.work.bins);
      EXPECT_EQ(filtered.work.searches, expected.work.searches);
    }
  }
}

TEST(Slice, EveryColumnWithAnEventIsPaintedAndSpansNeverOverlap) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 400; ++round) {
    const Lane lane(adversary(round % 4, random, 3 + random() % 3000), false);
    const TimeRange whole = lane.span();
    const Ns length = std::max<Ns>(1, (whole.length() >> (random() % 16)) + static_cast<Ns>(random() % 7));
    const Ns begin = whole.begin - 3 + static_cast<Ns>(random() % static_cast<std::uint64_t>(whole.length() + 5));
    const Scale scale{{begin, begin + length}, 1 + static_cast<int>(random() % 700)};
    const LaneSlice s = sliceLane(lane, LaneInfo{}, scale, Palette{});

    std::vector<bool> painted(static_cast<std::size_t>(scale.width), false);
    int right = 0;
    for (const Span& span : s.spans) {
      ASSERT_GE(span.x, right) << round;
      ASSERT_GE(span.width, 1);
      ASSERT_GE(span.fill, 1);
      right = span.right();
      ASSERT_LE(right, scale.width);
      for (int x = span.x; x < right; ++x) painted[static_cast<std::size_t>(x)] = true;
    }
    std::vector<bool> naive(painted.size(), false);
    for (std::size_t i = 0; i < lane.size(); ++i) {
      if (lane.start(i) >= scale.range.end) continue;
      const Ns last = std::max(lane.end(i) - 1, lane.start(i));
      if (last < scale.range.begin) continue;
      for (int x = std::max(scale.x(lane.start(i)), 0); x <= std::min(scale.x(last), scale.width - 1); ++x)
        naive[static_cast<std::size_t>(x)] = true;
    }
    for (std::size_t x = 0; x < naive.size(); ++x)
      ASSERT_TRUE(!naive[x] || painted[x]) << "round " << round << " column " << x << " of " << scale.width;
  }
}

TEST(Slice, MergedLanesShowShortBarsOverLongOnesAndAddTheirFill) {
  const Lane lane1(std::vector{event(0, 80), event(90'000, 90'001)}, false),
      lane2(std::vector{event(20, 40, 2)}, false);
  const Scale scale{{0, 100}, 100};
  const LaneSlice a = sliceLane(lane1, LaneInfo{}, scale, Palette{}, 7),
                  b = sliceLane(lane2, LaneInfo{}, scale, Palette{}, 8);
  const LaneSlice* both[] = {&a, &b};
  const LaneSlice merged = mergeSlices(both, 100);
  EXPECT_EQ(text(merged), "0+20 bar 0 | 20+20 bar 0 | 40+40 bar 0");
  EXPECT_EQ(merged.spans[1].lane, 8u);
}

TEST(Slice, WhereAThreadWaitsIsSeenOnlyInPixelsInWhichItDidNotRun) {
  const Lane waits(std::vector{event(10, 50), event(51'000, 51'900), event(53'000, 53'900)}, false),
      runs(std::vector{event(50, 60, 2), event(51'900, 52'000, 2)}, false);
  LaneInfo waiting;
  waiting.kind = trace::EventKind::kThreadWait;
  const auto both = [&](TimeRange range) {
    const Scale scale{range, 100};
    const LaneSlice a = sliceLane(waits, waiting, scale, Palette{}), b = sliceLane(runs, LaneInfo{}, scale, Palette{});
    const LaneSlice* slices[] = {&a, &b};
    return text(mergeSlices(slices, 100));
  };
  EXPECT_EQ(both({0, 100}), "10+40 bar 0 | 50+10 bar 0");
  EXPECT_EQ(both({0, 100'000}), "0 column 2 n2 | 51 column 25 n2 | 53 column 229 n1")
      << "how much it ran is not drowned by how long it waited";
}

}  // namespace
}  // namespace lanescope::views
