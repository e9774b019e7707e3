// SPDX-License-Identifier: Apache-2.0
#include "model/trace/lane.h"

#include <gmock/gmock.h>

#include "tests/model/trace/random_events.h"

namespace lanescope::trace {
namespace {

using test::randomLane;

/// What a lane should answer, found by looking at every event.
struct NaiveLane {
  std::vector<Event> events;

  std::size_t lowerBound(Ns t) const {
    std::size_t i = 0;
    while (i < events.size() && events[i].start < t) ++i;
    return i;
  }
  std::size_t firstTouching(Ns t) const {
    std::size_t i = 0;
    while (i < events.size() && events[i].end <= t && events[i].start < t) ++i;
    return i;
  }
  std::optional<std::size_t> at(Ns t) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < events.size(); ++i)
      if (events[i].start <= t && (t < events[i].end || (t == events[i].start && events[i].start == events[i].end)))
        best = i;
    return best;
  }
  Ns busyBefore(Ns t) const {
    Ns busy = 0;
    for (const Event& e : events) busy += std::max<Ns>(0, std::min(e.end, t) - e.start);
    return busy;
  }
};

std::vector<Ns> interestingTimes(const std::vector<Event>& events, std::mt19937_64& random) {
  std::vector<Ns> times{kMinTime, kMaxTime, 0};
  for (int i = 0; i < 60; ++i) {
    const Event& e = events[random() % events.size()];
    for (const Ns t : {e.start - 1, e.start, e.start + 1, e.end - 1, e.end, e.end + 1, (e.start + e.end) / 2})
      times.push_back(t);
  }
  return times;
}

TEST(Lane, AnswersAsItsNaiveTwinDoes) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    const NaiveLane naive{randomLane(random, 1 + random() % 700)};
    const Lane lane(naive.events, true);
    ASSERT_EQ(lane.size(), naive.events.size());
    for (std::size_t i = 0; i < lane.size(); ++i) {
      ASSERT_EQ(lane.start(i), naive.events[i].start);
      ASSERT_EQ(lane.end(i), naive.events[i].end);
      ASSERT_EQ(lane.name(i), naive.events[i].name);
      ASSERT_EQ(lane.sourceRow(i), naive.events[i].sourceRow);
      ASSERT_EQ(lane.amount(i), naive.events[i].amount);
    }
    for (const Ns t : interestingTimes(naive.events, random)) {
      ASSERT_EQ(lane.lowerBound(t), naive.lowerBound(t)) << "seed " << seed << " t " << t;
      ASSERT_EQ(lane.firstTouching(t), naive.firstTouching(t)) << "seed " << seed << " t " << t;
      ASSERT_EQ(lane.at(t), naive.at(t)) << "seed " << seed << " t " << t;
      ASSERT_EQ(lane.busyBefore(t), naive.busyBefore(t)) << "seed " << seed << " t " << t;
    }
  }
}

TEST(Lane, IndexesManyBlocksThroughItsTree) {
  std::vector<Event> events;
  for (Ns i = 0; i < 300'000; ++i) events.push_back({.start = i * 10, .end = i * 10 + 4, .name = 1});
  const Lane lane(events, false);
  for (Ns i = 0; i < 300'000; i += 977) {
    EXPECT_EQ(lane.lowerBound(i * 10), static_cast<std::size_t>(i));
    EXPECT_EQ(lane.lowerBound(i * 10 + 1), static_cast<std::size_t>(i + 1));
    EXPECT_EQ(lane.busyBefore(i * 10 + 2), i * 4 + 2);
  }
}

TEST(Lane, CostsLessThanTwentyFiveBytesAnEvent) {
  std::vector<Event> events;
  for (Ns i = 0; i < 200'000; ++i)
    events.push_back({.start = i * 1000, .end = i * 1000 + 700, .name = 1, .sourceRow = static_cast<std::uint64_t>(i)});
  const Lane lane(events, false);
  EXPECT_LT(lane.bytes(), 25 * events.size());
}

TEST(Lane, KeepsEpochNanosecondsExact) {  // MOD-20
  std::vector<Event> events;
  const Ns epoch = 1682666453031165466;
  for (Ns i = 0; i < 6; ++i) events.push_back({.start = epoch + i * 100, .end = epoch + i * 100 + 50});
  const Lane lane(events, false);
  for (Ns i = 0; i < 6; ++i) {
    EXPECT_EQ(lane.start(static_cast<std::size_t>(i)), epoch + i * 100);
    EXPECT_EQ(lane.duration(static_cast<std::size_t>(i)), 50);
  }
}

TEST(Lane, RemembersWhichEventsHadNoEnd) {
  const Lane lane(std::vector<Event>{{.start = 0, .end = 5}, {.start = 5, .end = 9, .unfinished = true}}, false);
  EXPECT_FALSE(lane.unfinished(0));
  EXPECT_TRUE(lane.unfinished(1));
}

TEST(Lane, AnEmptyOneAnswersToo) {
  const Lane lane;
  EXPECT_EQ(lane.lowerBound(0), 0u);
  EXPECT_EQ(lane.firstTouching(0), 0u);
  EXPECT_EQ(lane.at(0), std::nullopt);
  EXPECT_EQ(lane.busyBefore(100), 0);
  EXPECT_TRUE(lane.span().empty());
}

// --- pyramid ---------------------------------------------------------------------------------------------------------

TEST(Pyramid, EveryBinIsBusyAsItsEventsAre) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random(seed);
    const std::vector<Event> events = randomLane(random, 1 + random() % 900);
    const Lane lane(events, false);
    const Pyramid& pyramid = lane.pyramid();
    ASSERT_LE(pyramid.bins(0), lane.size() / 4 + 2) << "at least four events a bin";
    for (unsigned level = 0; level < pyramid.levels(); ++level)
      for (std::size_t bin = 0; bin < pyramid.bins(level); ++bin) {
        const Ns width = Ns{1} << pyramid.shift(level);
        const TimeRange range{pyramid.origin() + static_cast<Ns>(bin) * width,
                              pyramid.origin() + static_cast<Ns>(bin + 1) * width};
        const bool any = std::any_of(events.begin(), events.end(), [&](const Event& e) {
          return e.start < range.end && (e.end > range.begin || e.start >= range.begin);
        });
        const double expected = static_cast<double>(lane.busy(range)) / static_cast<double>(width);
        const Pyramid::Bin got = pyramid.bin(level, bin);
        ASSERT_EQ(got.busy > 0, any) << "seed " << seed << " level " << level << " bin " << bin;
        // Merging rounds up by at most one step a level.
        ASSERT_NEAR(got.busy / 65535.0, expected, (level + 2) / 65535.0) << "seed " << seed << " level " << level;
        ASSERT_TRUE(!any || got.name != 0u);
      }
  }
}

TEST(Pyramid, TheFinestBinNamesWhatFillsMostOfIt) {
  // One bin per four events: 0-70 a, 70-80 b, 80-90 c, 90-100 b.
  const Lane lane(std::vector<Event>{{.start = 0, .end = 70, .name = 1},
                                     {.start = 70, .end = 80, .name = 2},
                                     {.start = 80, .end = 90, .name = 3},
                                     {.start = 90, .end = 100, .name = 2}},
                  false);
  EXPECT_EQ(lane.pyramid().bin(lane.pyramid().levels() - 1, 0).name, 1u);
}

TEST(Pyramid, ChoosesTheCoarsestLevelThatFitsAPixel) {
  std::vector<Event> events;
  for (Ns i = 0; i < 64; ++i) events.push_back({.start = i * 1024, .end = i * 1024 + 1024, .name = 1});
  const Lane lane(events, false);
  const Pyramid& pyramid = lane.pyramid();
  const Ns finest = Ns{1} << pyramid.shift(0);
  EXPECT_EQ(pyramid.levelFor(finest - 1), -1);
  EXPECT_EQ(pyramid.levelFor(finest), 0);
  EXPECT_EQ(pyramid.levelFor(2 * finest + 1), 1);
  EXPECT_EQ(pyramid.levelFor(kMaxTime), static_cast<int>(pyramid.levels()) - 1);
  EXPECT_EQ(pyramid.levelFor(0), -1);
}

}  // namespace
}  // namespace lanescope::trace
