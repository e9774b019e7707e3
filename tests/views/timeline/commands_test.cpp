// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/commands.h"

#include <gtest/gtest.h>

#include "tests/support/trace_fixture.h"
#include "views/timeline/canvas.h"

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
  state.undoZoom();
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

/// A process, collapsed, over a row "kernels" and a stream that show the same lane; below the stream once more.
trace::TracePtr nestedTrace() {
  auto trace = std::make_shared<trace::Trace>(*trace::TraceFixture()
                                                   .lane(EventKind::kKernel, {Event{0, 1000}, Event{500'000, 501'000}})
                                                   .lane(EventKind::kKernel, {Event{0, 1'000'000}})
                                                   .finish());
  trace->rows = {{.key = "p", .children = {1, 2}, .lanes = {0}, .expanded = false, .summary = true},
                 {.kind = trace::RowKind::kKernels, .key = "k", .parent = 0, .depth = 1, .lanes = {0}},
                 {.kind = trace::RowKind::kStream, .key = "s", .parent = 0, .depth = 1, .children = {3}, .lanes = {0}},
                 {.kind = trace::RowKind::kKernels, .key = "s/k", .parent = 2, .depth = 2, .lanes = {0}},
                 {.kind = trace::RowKind::kStream, .key = "t", .lanes = {1}}};
  trace->rootRows = {0, 4};
  return trace;
}

TEST(Commands, EventsAreAtHomeInTheStreamRatherThanInAboveIt) {
  EXPECT_EQ(homeRows(*nestedTrace()), (std::vector<std::uint32_t>{2, 4}));
}

TEST(Commands, RevealingAnEventOpensWhatHidesItsRow) {
  ViewState state;
  state.setTrace(nestedTrace());
  revealEvent(state, {0, 1});
  EXPECT_EQ(state.current(), (trace::EventRef{0, 1}));
  EXPECT_TRUE(state.isExpanded(0));
  EXPECT_EQ(state.currentRow(), 2u);
}

TEST(Commands, RevealingAnEventKeepsTheZoomAndMovesOnlyWhatIsOutOfSight) {
  ViewState state;
  state.setTrace(nestedTrace());
  state.setVisible({0, 10'000});
  revealEvent(state, {0, 0});
  EXPECT_EQ(state.visible(), (trace::TimeRange{0, 10'000}));
  revealEvent(state, {0, 1});
  EXPECT_EQ(state.visible(), (trace::TimeRange{495'500, 505'500}));
  revealEvent(state, {1, 0});
  EXPECT_EQ(state.visible(), (trace::TimeRange{495'500, 505'500})) << "it runs right through what is seen";
  state.setVisible({0, 100});
  revealEvent(state, {0, 1});
  EXPECT_EQ(state.visible(), (trace::TimeRange{499'990, 500'090})) << "of a longer one the begin";
}

}  // namespace
}  // namespace lanescope::views
