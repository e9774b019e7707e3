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

}  // namespace
}  // namespace lanescope::views
