// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/folded_events.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/analysed.h"
#include "tests/support/trace_fixture.h"

namespace lanescope::analysis {
namespace {

using trace::EventKind;
using trace::EventRef;
using trace::TraceFixture;

trace::TracePtr someTrace() {
  TraceFixture fixture;
  const auto a = fixture.name("a"), b = fixture.name("b"), c = fixture.name("c");
  return fixture
      .stack(EventKind::kNvtxRange, {{{.start = 0, .end = 100, .name = c}, {.start = 200, .end = 300, .name = a}},
                                     {{.start = 0, .end = 50, .name = b}, {.start = 60, .end = 100, .name = a}}})
      .lane(EventKind::kKernel,
            {{.start = 10, .end = 90, .name = b}, {.start = 150, .end = 400, .name = a, .unfinished = true}})
      .finish();
}

EventList listOf(const trace::TracePtr& trace, EventOrder order, bool descending = false,
                 Selection selection = {{-1000, 1000}, {}}, std::string_view query = {}) {
  EventListQuestion question{trace, std::move(selection), std::nullopt, order, descending, {0, 0, 1}};
  if (!query.empty()) question.query = Query::parse(query, false).value();
  return EventList::make(std::move(question));
}

/// "c 0-100" for each, indented by its depth.
std::vector<std::string> textOf(const EventList& list) {
  std::vector<std::string> lines;
  const trace::Trace& trace = *list.question().trace;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto time = trace.time(list.at(i));
    lines.push_back(std::string(list.depth(i), ' ') + std::string((*trace.names)[trace.name(list.at(i))].text) + ' ' +
                    std::to_string(time.begin) + '-' + std::to_string(time.end));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(EventList, StandsInOrderOfTimeWhateverTheLane) {
  EXPECT_EQ(textOf(listOf(someTrace(), EventOrder::kStart)),
            (Lines{"c 0-100", "b 0-50", "b 10-90", "a 60-100", "a 150-400", "a 200-300"}));
  EXPECT_EQ(textOf(listOf(someTrace(), EventOrder::kStart, true)),
            (Lines{"a 200-300", "a 150-400", "a 60-100", "b 10-90", "c 0-100", "b 0-50"}));
}

TEST(EventList, SortsByDurationNameAndRowWithEqualsInOrderOfTime) {
  EXPECT_EQ(textOf(listOf(someTrace(), EventOrder::kDuration, true)),
            (Lines{"c 0-100", "a 200-300", "b 10-90", "b 0-50", "a 60-100", "a 150-400"}))
      << "what has no end comes last";
  EXPECT_EQ(textOf(listOf(someTrace(), EventOrder::kDuration)),
            (Lines{"a 60-100", "b 0-50", "b 10-90", "c 0-100", "a 200-300", "a 150-400"}));
  EXPECT_EQ(textOf(listOf(someTrace(), EventOrder::kName)),
            (Lines{"a 60-100", "a 150-400", "a 200-300", "b 0-50", "b 10-90", "c 0-100"}));
  EXPECT_EQ(textOf(listOf(someTrace(), EventOrder::kRow, true)),
            (Lines{"b 10-90", "a 150-400", "c 0-100", "b 0-50", "a 60-100", "a 200-300"}));
}

TEST(EventList, NestsWhatLiesInside) {
  EXPECT_EQ(textOf(listOf(someTrace(), EventOrder::kNested)),
            (Lines{"c 0-100", " b 0-50", " a 60-100", "a 200-300", "b 10-90", "a 150-400"}));
}

TEST(EventList, HoldsWhatTouchesTheRangeOnTheRowsThatIsLookedFor) {
  EXPECT_EQ(textOf(listOf(someTrace(), EventOrder::kStart, false, {{80, 160}, {}})),
            (Lines{"c 0-100", "b 10-90", "a 60-100", "a 150-400"}));
  EXPECT_EQ(textOf(listOf(someTrace(), EventOrder::kStart, false, {{80, 160}, {1}})), (Lines{"b 10-90", "a 150-400"}));
  EXPECT_EQ(textOf(listOf(someTrace(), EventOrder::kStart, false, {{0, 180}, {}}, "a kind:nvtx")), (Lines{"a 60-100"}));
}

TEST(EventList, EveryEventIsFoundWhereItStands) {
  for (const EventOrder order : {EventOrder::kStart, EventOrder::kDuration, EventOrder::kName, EventOrder::kRow,
                                 EventOrder::kPartner, EventOrder::kNested})
    for (const bool descending : {false, true}) {
      const EventList list = listOf(someTrace(), order, descending);
      for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(list.placeOf(list.at(i)), i);
    }
  const EventList part = listOf(someTrace(), EventOrder::kStart, false, {{80, 160}, {}});
  EXPECT_EQ(part.placeOf({0, 1}), std::nullopt);
}

TEST(EventList, AnEventTakesFourBytes) {
  std::vector<trace::Event> events(100'000);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].start = static_cast<trace::Ns>(i) * 10;
    events[i].end = events[i].start + 5;
  }
  const auto trace = TraceFixture().lane(EventKind::kKernel, events).finish();
  EventListQuestion question{trace, {{0, 1'000'000}, {}}, std::nullopt, EventOrder::kStart, false, {0}};
  EXPECT_EQ(EventList::make(question).bytes(), events.size() * sizeof(trace::EventId));
}

TEST(EventList, TheSameEventsStandInAnotherOrderAsIfTheyWereLookedForAgain) {
  std::vector<EventList> lists{listOf(someTrace(), EventOrder::kStart, false, {{0, 1000}, {}}, "dur<100ns")};
  ASSERT_EQ(lists.front().size(), 3u);
  for (const auto order : {EventOrder::kDuration, EventOrder::kName, EventOrder::kNested, EventOrder::kStart})
    for (const bool descending : {false, true}) {
      EventListQuestion question = lists.front().question();
      question.order = order;
      question.descending = descending;
      lists.push_back(lists.back().inOrder(order, descending));
      EXPECT_EQ(textOf(lists.back()), textOf(EventList::make(question)));
    }
}

TEST(EventList, ALaunchAndItsKernelStandWhereTheOtherIs) {
  test::Analysed all = [] {
    test::TemporaryFolder folder;
    test::ReportBuilder builder(folder / "report.sqlite");
    builder.add(test::R{.start = 0, .end = 10, .correlation = 1, .name = "cudaLaunchKernel"});
    builder.add(test::R{.start = 20, .end = 30, .correlation = 2, .name = "cudaLaunchKernel"});
    builder.add(test::K{.start = 50, .end = 60, .correlation = 2, .name = "second"});
    builder.add(test::K{.start = 70, .end = 90, .correlation = 1, .name = "first"});
    return test::Analysed(builder.write());
  }();
  const std::vector<std::uint32_t> rows(all.trace->lanes.size(), 0);
  const EventList list = EventList::make(
      {all.trace, {{0, 1000}, {}}, Query::parse("kind:kernel", false).value(), EventOrder::kPartner, false, rows});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(all.name(list.at(0)), "first") << "launched first";
}

TEST(FoldedEvents, DoAsANaiveListOfWhatIsNotFoldedAway) {
  TraceFixture fixture;
  std::vector<std::vector<trace::Event>> levels(4);
  for (trace::Ns width = 1000, level = 0; level < 4; ++level, width /= 3)
    for (trace::Ns start = 0; start + width <= 12'000; start += 1000 + 100 * level)
      if (level == 0 || start % 3 == 0) levels[static_cast<std::size_t>(level)].push_back({start, start + width});
  const trace::TracePtr trace = fixture.stack(EventKind::kNvtxRange, levels).finish();
  EventListQuestion question{trace, {trace->range, {}}, {}, EventOrder::kNested, false, {0, 0, 0, 0}};
  const auto list = std::make_shared<const EventList>(EventList::make(question));
  ASSERT_GT(list->size(), 20u);
  for (unsigned pattern = 0; pattern < 64; ++pattern) {
    Folds folds{.all = (pattern & 1) != 0, .others = {}};
    for (std::size_t i = 0; i < list->size(); ++i)
      if ((i * 7 + pattern) % (2 + pattern % 5) == 0) folds.set(list->id(i), !folds.all);
    const FoldedEvents events(list, folds);
    std::size_t row = 0;
    for (std::size_t i = 0; i < list->size(); ++row) {
      ASSERT_EQ(events.place(row), i);
      ASSERT_EQ(events.rowOf(list->at(i)), row);
      std::size_t inside = i + 1;
      while (inside < list->size() && list->depth(inside) > list->depth(i)) ++inside;
      const bool folded = inside > i + 1 && folds.folded(list->id(i));
      ASSERT_EQ(events.folded(row), folded);
      ASSERT_EQ(events.holdsOthers(row), inside > i + 1);
      for (std::size_t hidden = i + 1; folded && hidden < inside; ++hidden) {
        ASSERT_EQ(events.rowOf(list->at(hidden)), std::nullopt);
        ASSERT_EQ(events.rowOf(list->at(hidden), true), row);
      }
      i = folded ? inside : i + 1;
    }
    EXPECT_EQ(events.size(), row);
  }
}

}  // namespace
}  // namespace lanescope::analysis
