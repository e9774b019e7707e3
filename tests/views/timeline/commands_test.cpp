// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/commands.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/ui/event_loop.h"
#include "tests/support/launch_trace.h"
#include "tests/support/trace_fixture.h"
#include "views/timeline/canvas.h"
#include "views/timeline/go_to.h"
#include "views/timeline/layout.h"
#include "views/timeline/longest_steps.h"
#include "views/timeline/remarks.h"
#include "views/timeline/trail.h"

namespace lanescope::views {
namespace {

using trace::Event;
using trace::EventKind;

TEST(Commands, SteppingThroughTheRowsBringsEachIntoSight) {
  trace::TraceFixture fixture;
  for (int i = 0; i < 20; ++i) fixture.lane(EventKind::kKernel, {Event{0, 1000}});
  ViewState state;
  state.setTrace(fixture.finish());
  TimelineCanvas canvas(state);
  canvas.resize(400, 100);
  stepRow(state, -1);
  EXPECT_EQ(state.currentRow(), 19u) << "going up begins at the last";
  EXPECT_EQ(canvas.scroll(), canvas.maximumScroll());
  stepRow(state, -19);
  EXPECT_EQ(state.currentRow(), 0u);
  EXPECT_EQ(canvas.scroll(), 0);
  stepRow(state, 100);
  EXPECT_EQ(state.currentRow(), 19u);
}

TEST(Commands, FittingTheGpuWorkLeavesOutWhatCameBeforeAndAfter) {
  ViewState state;
  state.setTrace(trace::TraceFixture()
                     .lane(EventKind::kOsRuntime, {Event{0, 1'000'000}})
                     .lane(EventKind::kKernel, {Event{500'000, 510'000}})
                     .finish());
  fitGpuWork(state);
  EXPECT_TRUE(state.visible().contains(500'000) && state.visible().contains(510'000));
  EXPECT_LT(state.visible().length(), 20'000);
  Trail::of(state).undoZoom();
  EXPECT_TRUE(state.visible().contains(0));
}

TEST(Commands, ZoomingInAndOutOnceChangesNothing) {
  ViewState state;
  state.setTrace(trace::TraceFixture().lane(EventKind::kKernel, {Event{0, 1'000'000}}).finish());
  const trace::TimeRange before = state.visible();
  zoomIn(state);
  EXPECT_LT(state.visible().length(), before.length());
  zoomOut(state);
  EXPECT_NEAR(static_cast<double>(state.visible().length() - before.length()), 0, 1);
}

TEST(Commands, SteppingVisitsTheEventsOfARowInOrderOfStartWhateverTheirLanes) {
  trace::TraceFixture fixture;
  const auto name = fixture.name("k");
  fixture.lane(EventKind::kKernel, {{0, 10, name}, {100, 110, name}, {200, 210, name}});
  fixture.lane(EventKind::kKernel, {{50, 60, name}, {100, 120, name}});
  trace::Trace both = *fixture.finish();
  both.rows[0].lanes = {0, 1};
  ViewState state;
  state.setTrace(std::make_shared<const trace::Trace>(both));
  state.setCurrentRow(0);
  const auto walk = [&](bool forward) {
    std::vector<std::pair<trace::LaneId, std::uint32_t>> visited;
    for (int i = 0; i < 6; ++i) {
      stepEvent(state, forward);
      visited.emplace_back(state.current()->lane, state.current()->index);
    }
    return visited;
  };
  using Visits = std::vector<std::pair<trace::LaneId, std::uint32_t>>;
  EXPECT_EQ(walk(true), (Visits{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {0, 2}})) << "stays at the last";
  EXPECT_EQ(walk(false), (Visits{{1, 1}, {0, 1}, {1, 0}, {0, 0}, {0, 0}, {0, 0}}));
}

TEST(Commands, JumpingFollowsACorrelationThereAndBack) {
  ViewState state;
  state.setTrace(trace::launchTrace());
  const auto kernel = trace::eventNamed(*state.trace(), "late");
  state.setVisible({205'000, 225'000});
  state.setCurrent(kernel);
  jumpToPartner(state);
  EXPECT_EQ(state.current(), trace::eventNamed(*state.trace(), "cudaLaunchKernel", 1));
  EXPECT_TRUE(state.visible().contains(201'000)) << "brought into sight";
  EXPECT_EQ(state.visible().length(), 20'000) << "at the same zoom";
  jumpToPartner(state);
  EXPECT_EQ(state.current(), kernel);
}

TEST(Commands, RevealingAnEventOpensTheRowsAboveItAndLeavesWhatIsInSight) {
  ViewState state;
  state.setTrace(trace::launchTrace());
  state.setAllExpanded(false);
  const trace::TimeRange before = state.visible();
  revealEvent(state, trace::eventNamed(*state.trace(), "layer"));
  EXPECT_GE(Layout(state).boxOf(trace::rowLabelled(*state.trace(), "NVTX")), 0);
  EXPECT_EQ(state.visible(), before);
}

TEST(Commands, TheTimeOfTheCurrentEventCanBeSelected) {
  ViewState state;
  state.setTrace(trace::launchTrace());
  selectCurrent(state);
  EXPECT_FALSE(state.selection());
  state.setCurrent(trace::eventNamed(*state.trace(), "layer"));
  selectCurrent(state);
  EXPECT_EQ(state.selection(), (trace::TimeRange{0, 100'000}));
}

TEST(Commands, TheLongestOfManyEventsIsLookedForElsewhereAndEachPressIsAStep) {
  std::vector<Event> events;
  for (trace::Ns i = 0; i < 100'000; ++i) events.push_back({i * 1000, i * 1000 + i % 300});
  events[70'000].end = events[70'000].start + 900;
  events[20'000].end = events[20'000].start + 800;
  ViewState state;
  state.setTrace(trace::TraceFixture().lane(EventKind::kKernel, std::move(events)).finish());
  state.setCurrentRow(0);
  LongestSteps& steps = LongestSteps::of(state);
  const auto settled = [&] { return test::runUntil([&] { return !steps.running(); }); };
  stepLongest(state, true);
  EXPECT_EQ(state.current(), std::nullopt) << "the GUI thread looks through none";
  EXPECT_TRUE(steps.running());
  stepLongest(state, true);
  stepLongest(state, true);
  ASSERT_TRUE(settled());
  EXPECT_EQ(state.current()->index, 299u) << "of equals the first, behind the two that are longer";
  stepLongest(state, false);
  ASSERT_TRUE(settled());
  EXPECT_EQ(state.current()->index, 20'000u);
  stepLongest(state, false);
  state.setCurrent(trace::EventRef{0, 5});
  EXPECT_FALSE(steps.running()) << "who goes elsewhere is not fetched back";
  stepLongest(state, true);
  ASSERT_TRUE(settled());
  EXPECT_EQ(state.current()->index, 305u);
}

TEST(Commands, CommandsThatLookForEventsPassByWhatTheFilterLeavesOut) {
  trace::TraceFixture fixture;
  const auto keep = fixture.name("keep"), drop = fixture.name("drop");
  ViewState state;
  state.setTrace(
      fixture.lane(EventKind::kKernel, {{0, 10, keep}, {100, 900, drop}, {1000, 1500, keep}, {3000, 3900, drop}})
          .finish());
  state.setPassing(std::make_shared<const analysis::Passing>(
      state.trace(), analysis::Filter{analysis::Condition::words("keep", false).value()}));
  state.setCurrentRow(0);
  stepLongest(state, true);
  EXPECT_EQ(state.current()->index, 2u);
  stepLongest(state, true);
  EXPECT_EQ(state.current()->index, 0u);
  state.setMeasure(Measure{0, 0, 2000});
  EXPECT_TRUE(measureText(state).endsWith("2 events start")) << measureText(state).toStdString();
  state.setVisible({1600, 2000});
  stepActivity(state, true);
  EXPECT_EQ(state.visible(), (trace::TimeRange{1600, 2000})) << "nothing further on passes";
  stepActivity(state, false);
  EXPECT_TRUE(state.visible().contains(1499)) << state.visible().begin;
}

TEST(Commands, TheCurrentRowFollowsTheCurrentEvent) {
  ViewState state;
  state.setTrace(trace::launchTrace());
  goToEvent(state, trace::eventNamed(*state.trace(), "late"));
  const auto shown = [&] {
    const auto& lanes = state.trace()->rows[state.currentRow()].lanes;
    return std::find(lanes.begin(), lanes.end(), state.current()->lane) != lanes.end();
  };
  const auto lands = [&](const char* name, std::size_t n = 0) {
    EXPECT_EQ(state.current(), trace::eventNamed(*state.trace(), name, n));
    ASSERT_NE(state.currentRow(), trace::kNone);
    EXPECT_TRUE(shown()) << name;
  };
  followCorrelation(state, false);
  lands("cudaLaunchKernel", 1);
  followCorrelation(state, true);
  lands("late");
  jumpToPartner(state);
  lands("cudaLaunchKernel", 1);
  state.setCurrentRow(trace::rowLabelled(*state.trace(), "NVTX"));
  stepEvent(state, false);
  lands("cudaGraphLaunch");
  state.setCurrentRow(trace::rowLabelled(*state.trace(), "NVTX"));
  stepLongest(state, true);
  lands("cudaLaunchKernel", 1);
}

TEST(Commands, FromALaunchOneComesBackToWhereOneCameFromAndOnThroughTheRest) {
  ViewState state;
  state.setTrace(trace::launchTrace());
  const auto launch = trace::eventNamed(*state.trace(), "cudaGraphLaunch");
  std::vector<trace::EventRef> nodes;
  for (const trace::EventId id : state.trace()->partners(launch)) nodes.push_back(state.trace()->ref(id));
  ASSERT_GE(nodes.size(), 2u);
  const trace::EventRef last = nodes.back(), before = nodes[nodes.size() - 2];
  state.setCurrent(before);
  followCorrelation(state, false);
  EXPECT_EQ(state.current(), launch);
  followCorrelation(state, true);
  EXPECT_EQ(state.current(), before) << "not the first of the graph";
  followCorrelation(state, true);
  EXPECT_EQ(state.current(), last);
  followCorrelation(state, true);
  EXPECT_EQ(state.current(), last);
  EXPECT_TRUE(Remarks::of(state).text().startsWith("This is the last of ")) << Remarks::of(state).text().toStdString();
  goToEvent(state, launch);
  goToEvent(state, nodes.front());  // as the link in Details does
  followCorrelation(state, true);
  EXPECT_EQ(state.current(), nodes[1]);
}

TEST(Commands, UndoingAJumpBringsBackTheEventThatWasCurrent) {
  ViewState state;
  state.setTrace(trace::launchTrace());
  const auto kernel = trace::eventNamed(*state.trace(), "late");
  state.setVisible({205'000, 225'000});
  const trace::TimeRange before = state.visible();
  state.setCurrent(kernel);
  jumpToPartner(state);
  ASSERT_NE(state.visible(), before);
  Trail::of(state).undoZoom();
  EXPECT_EQ(state.visible(), before);
  EXPECT_EQ(state.current(), kernel);
  zoomIn(state);
  state.setCurrent(std::nullopt);
  Trail::of(state).undoZoom();
  EXPECT_EQ(state.current(), std::nullopt) << "a zoom is no jump";
}

TEST(Commands, WhatHasNowhereToGoSaysSo) {
  ViewState state;
  state.setTrace(trace::launchTrace());
  followCorrelation(state, true);
  EXPECT_EQ(Remarks::of(state).text(), "No event is current: click one first");
  zoomIn(state);
  EXPECT_TRUE(Remarks::of(state).text().isEmpty()) << "goes with the next action";
  state.setCurrent(trace::eventNamed(*state.trace(), "cudaLaunchKernel"));
  EXPECT_TRUE(Remarks::of(state).text().isEmpty()) << "another event is another matter";
  followCorrelation(state, false);
  EXPECT_EQ(Remarks::of(state).text(), "Nothing recorded led to this event");
  followCorrelation(state, true);
  EXPECT_EQ(state.current(), trace::eventNamed(*state.trace(), "one"));
  EXPECT_TRUE(Remarks::of(state).text().isEmpty());
  followCorrelation(state, true);
  EXPECT_EQ(Remarks::of(state).text(), "Nothing recorded came of this event");
}

}  // namespace
}  // namespace lanescope::views
