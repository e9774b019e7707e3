// SPDX-License-Identifier: GPL-3.0-or-later
// What a person sees while a report is still being read, and when they come back to where they were (GUI-04).
#include <gtest/gtest.h>

#include "tests/support/trace_fixture.h"
#include "views/timeline/canvas.h"

namespace lanescope::views {
namespace {

using trace::Event;
using trace::EventKind;
using trace::TraceFixture;

/// As many levels as asked for in the first row, two more rows below, `above` further ones on top.
trace::TracePtr snapshot(std::size_t levels, int above, bool complete) {
  TraceFixture fixture;
  fixture.stack(EventKind::kNvtxRange, std::vector<std::vector<Event>>(levels, {Event{0, 1000}}));
  for (int i = 0; i < 40; ++i) fixture.lane(EventKind::kKernel, {Event{i * 10, i * 10 + 5}});
  for (int i = 0; i < above; ++i) fixture.lane(EventKind::kKernel, {Event{0, 1}});
  auto trace = std::make_shared<trace::Trace>(*fixture.finish(complete));
  std::rotate(trace->rootRows.begin(), trace->rootRows.end() - above, trace->rootRows.end());
  return trace;
}

int heightOf(const ViewState& state, std::uint32_t row) {
  const Layout layout(state);
  return layout.boxes()[static_cast<std::size_t>(layout.boxOf(row))].height;
}

TEST(Arriving, NoRowChangesItsHeightWhileDataArrives) {
  ViewState state;
  state.setTrace(snapshot(0, 0, false));
  const int heading = heightOf(state, 0), plain = heightOf(state, 1);
  for (std::size_t levels = 1; levels < 6; ++levels) {
    state.setTrace(snapshot(levels, static_cast<int>(levels), false));
    EXPECT_EQ(heightOf(state, 0), heading) << levels;
    EXPECT_EQ(heightOf(state, 1), plain) << levels;
  }
  EXPECT_EQ(heightOf(state, 45), plain) << "a new row has its own";
  state.setTrace(snapshot(5, 5, true));
  EXPECT_EQ(heightOf(state, 0), 100) << "all of it is there";
}

TEST(Arriving, WhatIsLookedAtStaysInPlaceWhenRowsComeAboveIt) {
  ViewState state;
  state.setTrace(snapshot(2, 0, false));
  TimelineCanvas canvas(state);
  canvas.resize(400, 200);
  canvas.setScroll(300);
  const std::uint32_t top = canvas.rowAt(0), bottom = canvas.rowAt(199);
  for (const int above : {1, 4, 9}) {
    state.setTrace(snapshot(3, above, false));
    EXPECT_EQ(canvas.rowAt(0), top) << above;
    EXPECT_EQ(canvas.rowAt(199), bottom) << above;
  }
  state.setTrace(snapshot(6, 9, true));
  EXPECT_EQ(canvas.rowAt(0), top) << "also when the heights settle";
  canvas.setScroll(0);
  state.setTrace(snapshot(6, 12, false));
  EXPECT_EQ(canvas.scroll(), 0) << "at the top one sees what comes";
}

TEST(Arriving, ComingBackCostsWhatPixelsCost) {
  TraceFixture fixture;
  std::vector<Event> events;
  for (trace::Ns i = 0; i < 300'000; ++i) events.push_back({i * 10, i * 10 + 7});
  fixture.stack(EventKind::kNvtxRange, {events, events});
  ViewState state;
  state.setTrace(fixture.finish());
  TimelineCanvas canvas(state);
  canvas.resize(800, 100);
  canvas.grab();
  const trace::TimeRange there{1'000'000, 1'400'000};
  state.setVisible(there);
  const auto work = [&] {
    const int frames = canvas.framesPainted();
    canvas.grab();
    EXPECT_EQ(canvas.framesPainted(), frames + 1);
    const SliceWork& done = canvas.stats().work;
    return done.events + done.bins + done.searches;
  };
  const std::size_t first = work();
  EXPECT_LE(first, 2u * 800 * 40) << "two lanes of 800 columns";
  state.panBy(there.length());
  EXPECT_LE(work(), 2u * 800 * 40);
  state.panBy(-there.length());
  EXPECT_EQ(state.visible(), there);
  EXPECT_EQ(work(), first);
  state.zoomAround(1'200'000, 0.5);
  EXPECT_LE(work(), 2u * 800 * 40);
  state.zoomAround(1'200'000, 2);
  EXPECT_EQ(state.visible(), there);
  EXPECT_EQ(work(), first);
  const int frames = canvas.framesPainted();
  state.marks();
  canvas.grab();
  EXPECT_EQ(canvas.framesPainted(), frames) << "nothing changed: nothing is drawn anew";
}

}  // namespace
}  // namespace lanescope::views
