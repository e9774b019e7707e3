// SPDX-License-Identifier: Apache-2.0
#include "model/trace/split.h"

#include <gmock/gmock.h>

#include "tests/model/trace/random_events.h"

namespace lanescope::trace {
namespace {

using testing::ElementsAre;

std::vector<std::vector<std::pair<Ns, Ns>>> timesOf(const SplitLanes& split) {
  std::vector<std::vector<std::pair<Ns, Ns>>> all;
  for (const LanePtr& lane : split.lanes) {
    auto& times = all.emplace_back();
    for (std::size_t i = 0; i < lane->size(); ++i) times.emplace_back(lane->start(i), lane->end(i));
  }
  return all;
}

SplitLanes split(std::vector<std::pair<Ns, Ns>> times, Order order) {
  EventList events;
  for (const auto& [start, end] : times) events.push_back({.start = start, .end = end, .sourceRow = events.size()});
  return splitIntoLanes(events, order, false);
}

TEST(Split, KeepsKernelsThatOverlapOnOneStreamWhole) {  // IMP-01
  const SplitLanes lanes = split({{3000, 6776}, {5000, 7000}}, Order::kShortFirst);
  EXPECT_THAT(timesOf(lanes), ElementsAre(ElementsAre(std::pair(3000, 6776)), ElementsAre(std::pair(5000, 7000))));
}

TEST(Split, AZeroLengthEventThatTouchesANeighbourIsNoOverlap) {  // IMP-43
  const SplitLanes lanes = split({{100, 100}, {100, 200}, {200, 200}}, Order::kShortFirst);
  ASSERT_EQ(lanes.lanes.size(), 1u);
  EXPECT_EQ(lanes.lanes[0]->totalBusy(), 100);
}

TEST(Split, TheLongerOfTwoThatStartTogetherIsTheParent) {  // IMP-11
  const SplitLanes lanes = split({{0, 10}, {0, 20}}, Order::kOuterFirst);
  EXPECT_THAT(timesOf(lanes), ElementsAre(ElementsAre(std::pair(0, 20)), ElementsAre(std::pair(0, 10))));
}

TEST(Split, OfEqualEventsTheFirstInTheFileIsTheParent) {
  const SplitLanes lanes = split({{5, 9}, {0, 10}, {0, 10}}, Order::kOuterFirst);
  EXPECT_EQ(lanes.lanes[0]->sourceRow(0), 1u);
  EXPECT_EQ(lanes.lanes[1]->sourceRow(0), 2u);
}

TEST(Split, AChildThatOutlivesItsParentGoesToAnotherLaneAndIsCounted) {  // IMP-13
  const SplitLanes lanes = split({{0, 1000}, {900, 1100}}, Order::kOuterFirst);
  EXPECT_THAT(timesOf(lanes), ElementsAre(ElementsAre(std::pair(0, 1000)), ElementsAre(std::pair(900, 1100))));
  EXPECT_EQ(lanes.partialOverlaps, 1u);
}

TEST(Split, LaneNumberIsNestingDepth) {
  const SplitLanes lanes = split({{0, 100}, {10, 40}, {20, 30}, {50, 90}, {60, 70}, {100, 120}}, Order::kOuterFirst);
  EXPECT_THAT(timesOf(lanes), ElementsAre(ElementsAre(std::pair(0, 100), std::pair(100, 120)),
                                          ElementsAre(std::pair(10, 40), std::pair(50, 90)),
                                          ElementsAre(std::pair(20, 30), std::pair(60, 70))));
  EXPECT_EQ(lanes.partialOverlaps, 0u);
}

TEST(Split, LosesNothingKeepsCorrelationsAndNeverOverlapsWhateverTheOrder) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    EventList events;
    for (Event event : test::randomEvents(random, 1 + random() % 400, 1 + static_cast<Ns>(random() % 5000))) {
      event.correlation = static_cast<std::int64_t>(event.sourceRow) * 7 + 1;
      events.push_back(event);
    }
    const SplitLanes lanes = splitIntoLanes(events, seed % 2 ? Order::kOuterFirst : Order::kShortFirst, false);

    std::vector<bool> seen(events.size(), false);
    for (std::size_t l = 0; l < lanes.lanes.size(); ++l) {
      const Lane& lane = *lanes.lanes[l];
      for (std::size_t i = 0; i < lane.size(); ++i) {
        const auto row = lane.sourceRow(i);
        ASSERT_FALSE(seen[row]);
        seen[row] = true;
        ASSERT_EQ(lane.start(i), events[row].start);
        ASSERT_EQ(lane.end(i), events[row].end);
        ASSERT_EQ(lanes.correlations[l][i], events[row].correlation);
        ASSERT_TRUE(i == 0 || lane.start(i) >= lane.end(i - 1));
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(events.size()));
  }
}

TEST(Split, ShuffledRowsGiveTheSameLanes) {  // IMP-36
  std::mt19937_64 random(1);
  std::vector<std::pair<Ns, Ns>> times;
  for (Ns i = 0; i < 3000; ++i) times.emplace_back(i * 10, i * 10 + static_cast<Ns>(random() % 25));
  const auto sorted = timesOf(split(times, Order::kShortFirst));
  std::shuffle(times.begin(), times.end(), random);
  EXPECT_EQ(timesOf(split(times, Order::kShortFirst)), sorted);
}

TEST(Split, ManyThatOverlapAllCostLittleEach) {
  std::vector<std::pair<Ns, Ns>> times;
  for (Ns i = 0; i < 3000; ++i) times.emplace_back(i, 1'000'000 + i);
  EXPECT_EQ(split(times, Order::kShortFirst).lanes.size(), 3000u);
}

}  // namespace
}  // namespace lanescope::trace
