// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/view_state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/trace_fixture.h"
#include "views/scale.h"
#include "views/timeline/layout.h"

namespace lanescope::views {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Ns;
using trace::TimeRange;
using trace::TraceFixture;

constexpr Ns kHour = 3'600'000'000'000;

trace::TracePtr traceOver(Ns begin, Ns end, bool complete = true) {
  return TraceFixture().lane(EventKind::kKernel, {Event{begin, end}}).finish(complete);
}

TEST(ViewState, TheFirstTraceWithEventsIsFittedAndLaterSnapshotsKeepTheView) {
  ViewState state;
  state.setTrace(traceOver(1000, 2'000'000, false));
  EXPECT_LE(state.visible().begin, 1000);
  EXPECT_GE(state.visible().end, 2'000'000);
  state.setVisible({5000, 6000});
  state.setTrace(traceOver(1000, 9'000'000));
  EXPECT_EQ(state.visible(), (TimeRange{5000, 6000}));
}

TEST(ViewState, AViewNobodyMovedGrowsWithTheLoadingTrace) {
  ViewState state;
  state.setTrace(traceOver(0, 1000, false));
  state.setTrace(traceOver(0, 1'000'000));
  EXPECT_GE(state.visible().end, 1'000'000);
  EXPECT_FALSE(state.canUndoZoom());
}

TEST(ViewState, ATraceOfOneInstantIsFitted) {
  ViewState state;
  state.setTrace(traceOver(kHour, kHour));
  EXPECT_GE(state.visible().length(), ViewState::kShortestView);
  EXPECT_TRUE(state.visible().contains(kHour));
}

TEST(ViewState, ZoomingInAndOutAgainReturnsToTheSameRange) {
  ViewState state;
  state.setTrace(traceOver(0, 5 * kHour));
  std::mt19937_64 random(1);
  const TimeRange before = state.visible();
  for (const int steps : {1, 10, 60, 120}) {
    const Ns anchor = static_cast<Ns>(random() % (5 * kHour));
    for (int i = 0; i < steps; ++i) state.zoomAround(anchor, 0.8, i > 0);
    for (int i = 0; i < steps; ++i) state.zoomAround(anchor, 1 / 0.8, true);
    EXPECT_NEAR(static_cast<double>(state.visible().begin - before.begin), 0, steps) << steps;
    EXPECT_NEAR(static_cast<double>(state.visible().length() - before.length()), 0, steps) << steps;
    state.setVisible(before);
  }
}

TEST(ViewState, TheAnchorStaysInItsPixelFromHoursToNanoseconds) {
  ViewState state;
  const Ns origin = 1'682'666'453'031'165'466;
  state.setTrace(traceOver(origin, origin + 10 * kHour));
  const Ns anchor = origin + 7 * kHour + 123;
  const int pixel = Scale{state.visible(), 1920}.x(anchor);
  while (state.visible().length() > ViewState::kShortestView) {
    state.zoomAround(anchor, 0.8, true);
    const Scale scale{state.visible(), 1920};
    const double slack = 1 + 1920.0 / static_cast<double>(state.visible().length());  // times are whole nanoseconds
    EXPECT_NEAR(scale.x(anchor), pixel, slack) << state.visible().length();
  }
  EXPECT_EQ(state.visible().length(), ViewState::kShortestView);
}

TEST(ViewState, OneCallFromHoursToTenNanosecondsKeepsTheAnchor) {
  ViewState state;
  state.setTrace(traceOver(0, 10 * kHour));
  state.zoomAround(5 * kHour, 1e-15);
  EXPECT_EQ(state.visible().length(), ViewState::kShortestView);
  EXPECT_TRUE(state.visible().contains(5 * kHour));
}

TEST(ViewState, TheViewStaysNearTheTrace) {
  ViewState state;
  state.setTrace(traceOver(0, 1'000'000));
  state.panBy(kHour);
  EXPECT_LE(state.visible().end, 1'200'000);
  state.zoomAround(0, 1e12);
  EXPECT_LE(state.visible().length(), 1'300'000);
}

TEST(ViewState, AnInstantIsCentredAtTheZoomThereIs) {
  ViewState state;
  state.setTrace(traceOver(0, 1'000'000));
  state.setVisible({200'000, 300'000});
  state.zoomTo({600'000, 600'000});
  EXPECT_EQ(state.visible(), (TimeRange{550'000, 650'000}));
  state.zoomTo({600'000, 600'100});
  EXPECT_EQ(state.visible(), (TimeRange{599'990, 600'110})) << "what has a length fills the view";
}

TEST(ViewState, UndoTakesBackOneGesture) {
  ViewState state;
  state.setTrace(traceOver(0, 1'000'000));
  const TimeRange before = state.visible();
  for (int i = 0; i < 5; ++i) state.zoomAround(500'000, 0.5, i > 0);
  state.undoZoom();
  EXPECT_EQ(state.visible(), before);
  EXPECT_FALSE(state.canUndoZoom());
}

TEST(ViewState, AGestureWhoseFirstCallChangesNothingStillHasItsStepOfUndo) {
  ViewState state;
  state.setTrace(traceOver(0, 1'000'000));
  state.setVisible({200'000, 400'000});
  const TimeRange before = state.visible();
  state.setVisible(before);  // a drag that begins straight down
  state.setVisible({100'000, 300'000}, true);
  state.setVisible({50'000, 250'000}, true);
  state.undoZoom();
  EXPECT_EQ(state.visible(), before);
  EXPECT_TRUE(state.canUndoZoom());
}

TEST(ViewState, AGestureThatGoesOnAfterAnUndoIsAnotherStep) {
  ViewState state;
  state.setTrace(traceOver(0, 1'000'000));
  const TimeRange before = state.visible();
  state.zoomAround(500'000, 0.5);
  state.undoZoom();
  state.zoomAround(500'000, 0.5, true);
  state.undoZoom();
  EXPECT_EQ(state.visible(), before);
}

TEST(ViewState, ASnapshotKeepsTheCurrentRowAndEventAndAReloadForgetsWhatIsNoMore) {
  const auto traceOf = [](int rows, Ns begin) {
    TraceFixture fixture;
    for (int i = 0; i < rows; ++i) fixture.lane(EventKind::kKernel, {Event{begin, begin + 10}});
    return fixture.finish();
  };
  ViewState state;
  state.setTrace(traceOf(3, 0));
  state.setCurrent(trace::EventRef{2, 0});
  state.setCurrentRow(2);
  int changes = 0;
  QObject::connect(&state, &ViewState::currentChanged, [&] { ++changes; });
  QObject::connect(&state, &ViewState::traceChanged,
                   [&] { EXPECT_TRUE(!state.current() || state.trace()->lanes.size() > 2); });
  state.setTrace(traceOf(5, 0));
  EXPECT_EQ(state.current(), (trace::EventRef{2, 0}));
  EXPECT_EQ(state.currentRow(), 2u);
  EXPECT_EQ(changes, 0);
  state.setTrace(traceOf(1, 0));
  EXPECT_FALSE(state.current());
  EXPECT_EQ(state.currentRow(), trace::kNone);
  EXPECT_EQ(changes, 1);

  state.setCurrent(trace::EventRef{0, 0});
  state.setTrace(traceOf(1, 500));
  EXPECT_FALSE(state.current()) << "another event has its number";
}

TEST(ViewState, EscapeClearsTheSelectionFirstAndThenTheCurrentEvent) {
  ViewState state;
  state.setTrace(traceOver(0, 1000));
  state.setSelection(TimeRange{1, 5});
  state.setCurrent(trace::EventRef{0, 0});
  state.clear();
  EXPECT_FALSE(state.selection());
  EXPECT_TRUE(state.current());
  state.clear();
  EXPECT_FALSE(state.current());
}

TEST(ViewState, ClearingDropsWhatWasFoundBeforeTheSelection) {
  ViewState state;
  state.setSelection(TimeRange{1, 5});
  state.setHits(std::make_shared<const analysis::Hits>());
  state.clear();
  EXPECT_FALSE(state.hits());
  EXPECT_TRUE(state.selection());
}

TEST(Layout, RowsStandBelowEachOtherAndAreFoundByTheirHeight) {
  ViewState state;
  state.setTrace(TraceFixture()
                     .heading("process")
                     .lane(EventKind::kKernel, {Event{0, 10}})
                     .stack(EventKind::kNvtxRange, {{Event{0, 10}}, {Event{1, 9}}, {Event{2, 8}}})
                     .finish());
  const Layout layout(state);
  ASSERT_EQ(layout.boxes().size(), 3u);
  EXPECT_TRUE(layout.boxes()[0].heading);
  EXPECT_EQ(layout.boxes()[2].lanes, 3);
  EXPECT_EQ(layout.boxes()[2].height, 60);
  EXPECT_EQ(layout.height(), 22 + 24 + 60);
  EXPECT_EQ(layout.boxAt(-1), -1);
  EXPECT_EQ(layout.boxAt(22), 1);
  EXPECT_EQ(layout.boxAt(layout.height()), -1);
  EXPECT_EQ(layout.between(23, 46).size(), 1u);
  EXPECT_EQ(layout.boxOf(2), 2);
}

TEST(Layout, OfMoreLevelsThanAnIntHasPixelsIsBounded) {
  auto deep = std::make_shared<trace::Trace>(*TraceFixture()
                                                  .stack(EventKind::kNvtxRange, {{Event{0, 10}}, {Event{1, 9}}})
                                                  .lane(EventKind::kKernel, {})
                                                  .finish());
  deep->laneInfo[1].depth = 400'000'000;
  ViewState state;
  state.setTrace(deep);
  state.setRowScale(0, 8);
  state.setAllRowsScale(8);
  const Layout layout(state);
  EXPECT_EQ(layout.height(), Layout::kTallest);
  EXPECT_EQ(layout.boxAt(Layout::kTallest - 1), 0);
}

TEST(ViewState, EscapeClearsTheChosenNameBeforeAndTheSelectedRowsAfterTheRest) {
  ViewState state;
  state.setTrace(trace::TraceFixture().lane(trace::EventKind::kKernel, {{0, 10, 0}}).finish());
  state.setChosenName(0);
  state.setSelection(trace::TimeRange{0, 5});
  state.setSelectedRows({0});
  state.clear();
  EXPECT_FALSE(state.chosenName());
  EXPECT_TRUE(state.selection());
  state.clear();
  EXPECT_FALSE(state.selection());
  EXPECT_FALSE(state.selectedRows().empty());
  state.clear();
  EXPECT_TRUE(state.selectedRows().empty());
}

TEST(ViewState, SelectedRowsFollowTheirKeysIntoALaterSnapshotAndRowsThatAreGoneAreForgotten) {
  const auto snapshot = [](std::initializer_list<const char*> keys) {
    trace::Trace trace = *trace::TraceFixture().lane(trace::EventKind::kKernel, {{0, 10, 0}}).finish();
    const trace::Row row = trace.rows.front();
    trace.rows.clear();
    trace.rootRows.clear();
    for (const char* key : keys) {
      trace.rootRows.push_back(static_cast<std::uint32_t>(trace.rows.size()));
      trace.rows.push_back(row);
      trace.rows.back().key = key;
    }
    return std::make_shared<const trace::Trace>(trace);
  };
  ViewState state;
  state.setTrace(snapshot({"a", "b", "c"}));
  state.setSelectedRows({2, 0, 2, 77});
  EXPECT_EQ(state.selectedRows(), (std::vector<std::uint32_t>{0, 2})) << "in order, once, and only what there is";
  int changes = 0;
  QObject::connect(&state, &ViewState::selectedRowsChanged, [&] { ++changes; });
  state.setTrace(snapshot({"new", "a", "b"}));
  EXPECT_EQ(state.selectedRows(), std::vector<std::uint32_t>{1});
  EXPECT_EQ(changes, 1);
}

TEST(ViewState, AReloadForgetsWhatNamesAndHitsMeant) {
  const auto load = [] { return trace::TraceFixture().lane(trace::EventKind::kKernel, {{0, 10, 0}}).finish(); };
  ViewState state;
  state.setTrace(load());
  state.setChosenName(0);
  state.setHits(std::make_shared<const analysis::Hits>());
  state.setTrace(load());
  EXPECT_FALSE(state.chosenName());
  EXPECT_FALSE(state.hits());
}

TEST(ViewState, TheMarginsBesideTheRecordingAreNotPartOfWhatFiguresAreOf) {
  ViewState state;
  state.setTrace(trace::TraceFixture().lane(trace::EventKind::kKernel, {{1'000, 2'000'000, 0}}).finish());
  state.fitAll();
  EXPECT_LT(state.visible().begin, 1'000);
  EXPECT_EQ(state.visibleRecorded(), (trace::TimeRange{1'000, 2'000'000}));
  state.setVisible({500'000, 600'000});
  EXPECT_EQ(state.visibleRecorded(), (trace::TimeRange{500'000, 600'000}));
}

TEST(ViewState, WithoutASelectionZGoesToTheEvent) {
  ViewState state;
  state.setTrace(trace::TraceFixture().lane(trace::EventKind::kKernel, {{0, 1'000'000, 0}}).finish());
  state.setVisible({0, 1'000});
  state.setCurrent(trace::EventRef{0, 0});
  state.zoomToSelection();
  EXPECT_GE(state.visible().end, 1'000'000);
}

}  // namespace
}  // namespace lanescope::views
