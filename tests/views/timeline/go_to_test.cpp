// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/go_to.h"

#include <gtest/gtest.h>

#include "tests/support/trace_fixture.h"

namespace lanescope::views {
namespace {

using trace::Event;
using trace::EventKind;

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

TEST(GoTo, EventsAreAtHomeInTheStreamRatherThanInAboveIt) {
  EXPECT_EQ(homeRows(*nestedTrace()), (std::vector<std::uint32_t>{2, 4}));
}

TEST(GoTo, GoingToAnEventOpensWhatHidesItsRow) {
  ViewState state;
  state.setTrace(nestedTrace());
  goToEvent(state, {0, 1});
  EXPECT_EQ(state.current(), (trace::EventRef{0, 1}));
  EXPECT_TRUE(state.isExpanded(0));
  EXPECT_EQ(state.currentRow(), 2u);
}

TEST(GoTo, GoingToAnEventKeepsTheZoomAndMovesOnlyWhatIsOutOfSight) {
  ViewState state;
  state.setTrace(nestedTrace());
  state.setVisible({0, 10'000});
  goToEvent(state, {0, 0});
  EXPECT_EQ(state.visible(), (trace::TimeRange{0, 10'000}));
  goToEvent(state, {0, 1});
  EXPECT_EQ(state.visible(), (trace::TimeRange{495'500, 505'500}));
  goToEvent(state, {1, 0});
  EXPECT_EQ(state.visible(), (trace::TimeRange{495'500, 505'500})) << "it runs right through what is seen";
  state.setVisible({0, 100});
  goToEvent(state, {0, 1});
  EXPECT_EQ(state.visible(), (trace::TimeRange{499'990, 500'090})) << "of a longer one the begin";
}

}  // namespace
}  // namespace lanescope::views
