// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/overview.h"

#include <gtest/gtest.h>

#include <QMouseEvent>

#include "tests/views/timeline/chrome_state.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

class OverviewTest : public testing::Test {
 protected:
  OverviewTest() {
    state.setTrace(smallTrace());
    state.setVisible({400'000, 600'000});
    overview = std::make_unique<Overview>(state);
    overview->resize(1200, 36);
    overview->setCanvasSpan(200, 1000);  // a pixel is 1000 ns
  }
  void mouse(QEvent::Type type, int x) {
    const QPointF at(x, 18);
    QMouseEvent event(type, at, at, Qt::LeftButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(overview.get(), &event);
  }
  void drag(int from, int to) {
    mouse(QEvent::MouseButtonPress, from);
    mouse(QEvent::MouseMove, to);
    mouse(QEvent::MouseButtonRelease, to);
  }

  ViewState state;
  std::unique_ptr<Overview> overview;
};

TEST_F(OverviewTest, DraggingTheWindowMovesWhatIsVisible) {
  drag(700, 800);
  EXPECT_EQ(state.visible(), (trace::TimeRange{500'000, 700'000}));
}

TEST_F(OverviewTest, DraggingAnEdgeOfTheWindowMovesThatEnd) {
  drag(600, 500);
  EXPECT_EQ(state.visible(), (trace::TimeRange{300'000, 600'000}));
  drag(799, 899);
  EXPECT_EQ(state.visible(), (trace::TimeRange{300'000, 700'000}));
}

TEST_F(OverviewTest, AClickBesideTheWindowBringsItThere) {
  mouse(QEvent::MouseButtonPress, 1000);
  mouse(QEvent::MouseButtonRelease, 1000);
  EXPECT_EQ(state.visible(), (trace::TimeRange{700'000, 900'000}));
}

TEST_F(OverviewTest, DraggingBesideTheWindowChoosesANewOne) {
  drag(1000, 1100);
  EXPECT_EQ(state.visible(), (trace::TimeRange{800'000, 900'000}));
  state.undoZoom();
  EXPECT_EQ(state.visible(), (trace::TimeRange{400'000, 600'000}));
}

TEST_F(OverviewTest, WhenAllIsVisibleADragChoosesAWindow) {
  state.fitAll();
  drag(400, 500);
  EXPECT_EQ(state.visible(), (trace::TimeRange{200'000, 300'000}));
}

TEST_F(OverviewTest, PaintsItsStripOnceHoweverTheWindowMoves) {
  overview->grab();
  state.panBy(10'000);
  overview->grab();
  EXPECT_EQ(overview->stripsPainted(), 1);
  state.setTrace(smallTrace());
  overview->grab();
  EXPECT_EQ(overview->stripsPainted(), 2);
}

TEST(OverviewLanes, AreCallsAndRangesWhereThereIsNoGpuWork) {
  trace::Trace trace;
  trace.lanes.resize(3);
  trace.laneInfo = {{.kind = trace::EventKind::kCudaApi},
                    {.kind = trace::EventKind::kNvtxRange},
                    {.kind = trace::EventKind::kNvtxRange, .depth = 1}};
  const OverviewLanes lanes = overviewLanes(trace);
  EXPECT_EQ(lanes.upper, std::vector<trace::LaneId>{0});
  EXPECT_EQ(lanes.lower, std::vector<trace::LaneId>{1});
}

TEST(OverviewLanes, AreTheCallsOfLibrariesElseWhatThreadsDidWhereThereIsNoCuda) {
  trace::Trace trace;
  trace.lanes.resize(3);
  trace.laneInfo = {{.kind = trace::EventKind::kThreadState},
                    {.kind = trace::EventKind::kLibraryCall},
                    {.kind = trace::EventKind::kOsRuntime}};
  EXPECT_EQ(overviewLanes(trace).upper, std::vector<trace::LaneId>{1}) << "MPI, say";
  EXPECT_EQ(overviewLanes(trace).lower, std::vector<trace::LaneId>{2});
  for (const auto kind : {trace::EventKind::kThreadState, trace::EventKind::kPythonSample}) {
    trace.lanes.resize(1);
    trace.laneInfo = {{.kind = kind}};
    EXPECT_EQ(overviewLanes(trace).upper, std::vector<trace::LaneId>{0});
  }
}

TEST_F(OverviewTest, HitsOfASearchAreTicksWhereTheyAre) {
  EXPECT_TRUE(overview->ticks().empty());
  state.setHits(std::make_shared<const analysis::Hits>(
      analysis::find(*state.trace(), *analysis::Query::parse("attention dur<300us", false))));
  std::size_t ticks = 0;
  for (std::size_t x = 0; x < overview->ticks().size(); ++x) {
    if (!overview->ticks()[x]) continue;
    ++ticks;
    EXPECT_LE(x, 250u) << "the first event ends there";
  }
  EXPECT_GT(ticks, 0u);
  const QImage with = overview->grab().toImage();
  EXPECT_EQ(with.pixelColor(201, 3), Theme::colours().marker);
  state.setHits(nullptr);
  EXPECT_TRUE(overview->ticks().empty());
  EXPECT_NE(overview->grab().toImage().pixelColor(201, 3), Theme::colours().marker);
}

}  // namespace
}  // namespace lanescope::views
