// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/spoken.h"

#include <gtest/gtest.h>

#include "tests/support/launch_trace.h"
#include "views/timeline/timeline.h"

namespace lanescope::views {
namespace {

TEST(Spoken, SaysTheEventItsTimesItsLaunchAndItsRow) {
  ViewState state;
  state.setTrace(trace::launchTrace());
  EXPECT_EQ(spokenState(state).toStdString(), "");
  state.setCurrentRow(trace::rowLabelled(*state.trace(), "Kernels"));
  EXPECT_EQ(spokenState(state).toStdString(), "row Kernels");
  state.setCurrent(trace::eventNamed(*state.trace(), "one"));
  EXPECT_EQ(spokenState(state).toStdString(),
            "one, kernel, starts at 20.000 µs, lasts 10.000 µs, launched by cudaLaunchKernel, row Kernels");
  state.setCurrent(trace::eventNamed(*state.trace(), "cudaGraphLaunch"));
  state.setSelection(trace::TimeRange{0, 1500});
  EXPECT_EQ(spokenState(state).toStdString(),
            "cudaGraphLaunch, CUDA API, starts at 50.000 µs, lasts 2.000 µs, GPU work started: 3, row Kernels, "
            "1.500 µs selected");
}

TEST(Spoken, TheTimelineHandsItToScreenReaders) {
  ViewState state;
  Timeline timeline(state);
  state.setTrace(trace::launchTrace());
  EXPECT_EQ(timeline.canvas()->accessibleName().toStdString(), "Timeline");
  state.setCurrent(trace::eventNamed(*state.trace(), "late"));
  EXPECT_TRUE(timeline.canvas()->accessibleDescription().startsWith("late, kernel"));
  EXPECT_FALSE(timeline.headers()->accessibleName().isEmpty());
}

}  // namespace
}  // namespace lanescope::views
