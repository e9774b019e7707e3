// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/headers.h"

#include <gtest/gtest.h>

#include <QMouseEvent>
#include <QWheelEvent>

#include "tests/views/timeline/chrome_state.h"
#include "views/timeline/row_figure.h"

namespace lanescope::views {
namespace {

constexpr std::uint32_t kProcessRow = 0, kGpuRow = 1, kKernelRow = 2, kMetricRow = 3;

class HeadersTest : public testing::Test {
 protected:
  HeadersTest() {
    state.setTrace(smallTrace());
    state.setVisible({0, 1'000'000});
    headers = std::make_unique<Headers>(state);
    headers->resize(268, 400);
  }
  int middleOf(std::uint32_t row) const {
    const Layout layout(state);
    const RowBox& box = layout.boxes()[static_cast<std::size_t>(layout.boxOf(row))];
    return box.y + box.height / 2;
  }
  void mouse(QEvent::Type type, QPointF at, Qt::KeyboardModifiers modifiers = {}) {
    QMouseEvent event(type, at, at, Qt::LeftButton, Qt::LeftButton, modifiers);
    QCoreApplication::sendEvent(headers.get(), &event);
  }
  void click(QPointF at, Qt::KeyboardModifiers modifiers = {}) {
    mouse(QEvent::MouseButtonPress, at, modifiers);
    mouse(QEvent::MouseButtonRelease, at, modifiers);
  }

  ViewState state;
  std::unique_ptr<Headers> headers;
};

TEST_F(HeadersTest, SayTheBusyShareOfTheVisibleRange) {
  EXPECT_EQ(headers->figure(kKernelRow).text.toStdString(), "75.0 %");
  EXPECT_EQ(headers->figure(kKernelRow).meaning.toStdString(), "Busy share of the visible range");
  state.setVisible({500'000, 1'000'000});
  EXPECT_EQ(headers->figure(kKernelRow).text.toStdString(), "100.0 %");
  EXPECT_TRUE(headers->figure(kProcessRow).text.isEmpty());
}

TEST_F(HeadersTest, WorkOutAFigureOnceForOneVisibleRange) {
  headers->grab();
  const int once = headers->figuresComputed();
  headers->grab();
  EXPECT_EQ(headers->figuresComputed(), once);
}

TEST_F(HeadersTest, SayTheMeanOfAMetricOrItsValueAtThePointer) {
  EXPECT_EQ(headers->figure(kMetricRow).text.toStdString(), "mean 40 %");
  headers->setCursorTime(600'000);
  EXPECT_EQ(headers->figure(kMetricRow).text.toStdString(), "here 60 %");
  EXPECT_EQ(headers->figure(kMetricRow).meaning.toStdString(), "Value at the pointer");
  headers->setCursorTime(std::nullopt);
  EXPECT_EQ(headers->figure(kMetricRow).text.toStdString(), "mean 40 %");
}

TEST_F(HeadersTest, AClickOnTheArrowTogglesTheRowAndOnTheLabelOnlyChoosesIt) {
  click(QPointF(30, middleOf(kGpuRow)));
  EXPECT_FALSE(state.isExpanded(kGpuRow));
  EXPECT_EQ(state.currentRow(), kGpuRow);
  click(QPointF(80, middleOf(kProcessRow)));
  EXPECT_TRUE(state.isExpanded(kProcessRow));
  EXPECT_EQ(state.currentRow(), kProcessRow);
}

TEST_F(HeadersTest, AnAltClickTogglesAllBelowToo) {
  click(QPointF(18, middleOf(kProcessRow)), Qt::AltModifier);
  EXPECT_FALSE(state.isExpanded(kProcessRow));
  EXPECT_FALSE(state.isExpanded(kGpuRow));
  click(QPointF(18, middleOf(kProcessRow)), Qt::AltModifier);
  EXPECT_TRUE(state.isExpanded(kGpuRow));
}

TEST_F(HeadersTest, DraggingTheLowerEdgeOfARowChangesItsHeight) {
  const Layout before(state);
  const RowBox box = before.boxes()[static_cast<std::size_t>(before.boxOf(kKernelRow))];
  mouse(QEvent::MouseButtonPress, QPointF(100, box.y + box.height));
  mouse(QEvent::MouseMove, QPointF(100, box.y + 2 * box.height));
  mouse(QEvent::MouseButtonRelease, QPointF(100, box.y + 2 * box.height));
  const Layout after(state);
  EXPECT_EQ(after.boxes()[static_cast<std::size_t>(after.boxOf(kKernelRow))].height, 2 * box.height);
}

TEST_F(HeadersTest, AWheelTurnScrollsTheRowsAlsoWhenAltTurnsItSideways) {
  std::vector<int> scrolled;
  QObject::connect(headers.get(), &Headers::scrolled, [&](int pixels) { scrolled.push_back(pixels); });
  for (const QPoint angle : {QPoint(0, -120), QPoint(-120, 0)}) {
    QWheelEvent event({50, 50}, {50, 50}, {}, angle, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(headers.get(), &event);
  }
  EXPECT_EQ(scrolled, (std::vector<int>{72, 72}));
}

TEST(CounterValue, HasTheUnitOfItsCounter) {
  using Unit = trace::Counter::Unit;
  EXPECT_EQ(counterValue(Unit::kPercent, 36.2).toStdString(), "36 %");
  EXPECT_EQ(counterValue(Unit::kPercent, 4.21).toStdString(), "4.2 %");
  EXPECT_EQ(counterValue(Unit::kHertz, 1'980'000'000).toStdString(), "1.98 GHz");
  EXPECT_EQ(counterValue(Unit::kBytes, 16'800'000).toStdString(), "16.8 MB");
}

TEST(BusyFigure, OfAnIdleRowSaysWhatItIsAShareOf) {
  trace::Row row{.kind = trace::RowKind::kIdle};
  row.busy = std::make_shared<const trace::BusyUnion>(smallTrace()->lanes);
  const RowFigure idle = busyFigure(row, {0, 1'000'000});
  EXPECT_EQ(idle.text.toStdString(), "75.0 %");
  EXPECT_TRUE(idle.meaning.startsWith("Share of the visible range in gaps")) << idle.meaning.toStdString();
  row.kind = trace::RowKind::kKernels;
  EXPECT_EQ(busyFigure(row, {0, 1'000'000}).meaning.toStdString(), "Busy share of the visible range");
}

TEST_F(HeadersTest, CtrlClickSelectsRowsAndShiftClickARunOfThem) {
  click({100.0, middleOf(kKernelRow) * 1.0}, Qt::ControlModifier);
  EXPECT_EQ(state.selectedRows(), std::vector{kKernelRow});
  EXPECT_TRUE(state.isSelected(kKernelRow));
  click({100.0, middleOf(kMetricRow) * 1.0}, Qt::ControlModifier);
  EXPECT_EQ(state.selectedRows(), (std::vector{kKernelRow, kMetricRow}));
  click({100.0, middleOf(kKernelRow) * 1.0}, Qt::ControlModifier);
  EXPECT_EQ(state.selectedRows(), std::vector{kMetricRow});
  click({100.0, middleOf(kGpuRow) * 1.0});
  EXPECT_EQ(state.selectedRows(), std::vector{kMetricRow}) << "a plain click looks at a row";
  click({100.0, middleOf(kMetricRow) * 1.0}, Qt::ShiftModifier);
  EXPECT_EQ(state.selectedRows(), (std::vector{kGpuRow, kKernelRow, kMetricRow}));
}

}  // namespace
}  // namespace lanescope::views
