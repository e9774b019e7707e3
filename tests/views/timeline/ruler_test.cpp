// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/ruler.h"

#include <gtest/gtest.h>

#include <QMouseEvent>

#include "tests/views/timeline/chrome_state.h"
#include "views/timeline/canvas.h"
#include "views/timeline/scroll_map.h"

namespace lanescope::views {
namespace {

class RulerTest : public testing::Test {
 protected:
  RulerTest() {
    state.setTrace(smallTrace());
    state.setVisible({0, 1'000'000});
    ruler = std::make_unique<Ruler>(state);
    ruler->resize(1200, 26);
    ruler->setCanvasSpan(200, 1000);
  }
  void mouse(QEvent::Type type, int x) {
    const QPointF at(x, 10);
    QMouseEvent event(type, at, at, Qt::LeftButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(ruler.get(), &event);
  }

  ViewState state;
  std::unique_ptr<Ruler> ruler;
};

TEST_F(RulerTest, GridLinesStandUnderTheLabelledTicks) {
  TimelineCanvas canvas(state);
  canvas.resize(1000, 200);
  const QImage grid = canvas.grab().toImage();
  const int below = 2;  // in a heading, where nothing hides the grid
  int lines = 0;
  for (int x = 0; x < 1000; ++x) lines += grid.pixel(x, below) == Theme::colours().gridLine.rgb();
  int majors = 0;
  for (const Tick& tick : rulerTicks(state.visible(), 1000).ticks) {
    const int x = Scale{state.visible(), 1000}.x(tick.time);
    if (!tick.major() || x < 0 || x >= 1000) continue;
    ++majors;
    EXPECT_EQ(QColor(grid.pixel(x, below)), Theme::colours().gridLine) << x;
  }
  EXPECT_EQ(lines, majors);
}

TEST_F(RulerTest, ALabelStandsWholeOrNotAtAll) {
  state.setVisible({0, 1'010'000});  // 1 ms is ten pixels from the edge
  const QImage picture = ruler->grab().toImage();
  const auto drawn = [&](int from, int to) {
    int pixels = 0;
    for (int x = from; x < to; ++x)
      for (int y = 0; y < picture.height() - 9; ++y) pixels += QColor(picture.pixel(x, y)) != Theme::colours().chrome;
    return pixels;
  };
  const Scale scale{state.visible(), 1000};
  std::vector<int> majors;
  for (const Tick& tick : rulerTicks(state.visible(), 1000).ticks)
    if (const int x = 200 + scale.x(tick.time); tick.major() && x < 1200) majors.push_back(x);
  ASSERT_EQ(majors.back(), 200 + scale.x(1'000'000));
  EXPECT_EQ(drawn(majors.back(), 1200), 0);
  EXPECT_GT(drawn(majors[majors.size() - 2], majors.back()), 0) << "the one before has room";
}

TEST_F(RulerTest, ADragSelectsInEitherDirection) {
  mouse(QEvent::MouseButtonPress, 700);
  mouse(QEvent::MouseMove, 300);
  mouse(QEvent::MouseButtonRelease, 300);
  ASSERT_TRUE(state.selection());
  EXPECT_EQ(*state.selection(), (trace::TimeRange{100'000, 500'000}));
}

TEST_F(RulerTest, AClickBesideTheSelectionClearsItAndADoubleClickOnItZoomsThere) {
  state.setSelection(trace::TimeRange{100'000, 500'000});
  mouse(QEvent::MouseButtonDblClick, 400);
  EXPECT_EQ(state.visible(), (trace::TimeRange{100'000, 500'000}));
  state.setVisible({0, 1'000'000});
  mouse(QEvent::MouseButtonPress, 900);
  mouse(QEvent::MouseButtonRelease, 900);
  EXPECT_FALSE(state.selection());
}

TEST(ScrollMap, CountsNanosecondsWhileTheyFit) {
  const ScrollMap map({0, 1'000'000}, {250'000, 500'000});
  EXPECT_EQ(map.unit, 1);
  EXPECT_EQ(map.value, 250'000);
  EXPECT_EQ(map.maximum, 750'000);
  EXPECT_EQ(map.beginAt(map.maximum), 750'000);
}

TEST(ScrollMap, FitsDaysIntoAnInt) {
  const trace::Ns day = 86'400'000'000'000;
  const ScrollMap map({-day, 30 * day}, {10 * day, 10 * day + 100});
  EXPECT_GT(map.maximum, 1 << 28);
  EXPECT_GE(map.page, 1);
  EXPECT_NEAR(static_cast<double>(map.beginAt(map.value) - 10 * day), 0, static_cast<double>(map.unit));
}

}  // namespace
}  // namespace lanescope::views
