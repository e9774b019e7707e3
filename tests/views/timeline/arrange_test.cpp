// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/arrange.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QToolTip>

#include "tests/support/launch_trace.h"
#include "tests/support/trace_fixture.h"
#include "tests/views/timeline/chrome_state.h"
#include "views/timeline/go_to.h"
#include "views/timeline/timeline.h"

namespace lanescope::views {
namespace {

using testing::ElementsAre;
using trace::Event;
using trace::EventKind;
using trace::Row;
using trace::RowKind;

constexpr std::uint32_t kProcessRow = 0, kGpuRow = 1, kKernelRow = 2, kMetricRow = 3;

std::vector<std::string> shown(const ViewState& state) {
  std::vector<std::string> labels;
  const Layout layout(state);
  for (const RowBox& box : layout.boxes()) labels.push_back(state.trace()->rows[box.row].label);
  return labels;
}

/// A process with streams and threads in an order that no sort gives.
trace::TracePtr streamsAndThreads() {
  trace::TraceFixture fixture;
  const auto kernel = fixture.name("gemm"), reduce = fixture.name("ncclDevKernel_AllReduce");
  fixture.heading("train [42]");
  fixture.lane(EventKind::kKernel, {Event{500, 600, kernel}});                             // stream 14, busy 100
  fixture.lane(EventKind::kKernel, {Event{100, 150, reduce}});                             // stream 7, busy 50
  fixture.lane(EventKind::kCudaApi, {Event{300, 900, kernel}});                            // thread 9 b
  fixture.lane(EventKind::kCudaApi, {Event{200, 210, kernel}});                            // thread 10 A
  fixture.heading("other [7]");
  auto trace = std::make_shared<trace::Trace>(*fixture.finish());
  const auto adopt = [&](std::uint32_t row, RowKind kind, std::string key, std::string label) {
    Row& child = trace->rows[row];
    child.kind = kind;
    child.key = "process 42/" + key;
    child.label = std::move(label);
    child.parent = 0;
    child.depth = 1;
    trace->rows[0].children.push_back(row);
  };
  trace->rows[0].key = "process 42";
  trace->rows[5].key = "process 7";
  adopt(1, RowKind::kStream, "stream 1.14", "Stream 14 · main");
  adopt(2, RowKind::kStream, "stream 1.7", "Stream 7 · zeta");
  adopt(3, RowKind::kThread, "thread 9", "9 b");
  adopt(4, RowKind::kThread, "thread 10", "10 A");
  trace->rootRows = {0, 5};
  return trace;
}

/// The timeline of many rows, each 24 pixels high, in a window of a few.
struct TimelineTest : testing::Test {
  explicit TimelineTest(int rows = 100) {
    trace::TraceFixture fixture;
    const auto name = fixture.name("k");
    for (int i = 0; i < rows; ++i) fixture.lane(EventKind::kKernel, {Event{i * 10, i * 10 + 5, name}});
    state.setTrace(fixture.finish());
    timeline.resize(800, 400);
    timeline.show();
  }
  QPoint headerOf(std::uint32_t row) {
    const RowBox& box = boxOf(row);
    return {100, timeline.canvas()->window().toView(box.y) + box.height / 2};
  }
  const RowBox& boxOf(std::uint32_t row) {
    const Layout& layout = timeline.canvas()->rowLayout();
    return layout.boxes()[static_cast<std::size_t>(layout.boxOf(row))];
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(timeline.canvas(), key, modifiers); }

  ViewState state;
  Timeline timeline{state};
};

TEST_F(TimelineTest, APinnedRowStaysAtTheTopWhileTheOthersScrollUnderIt) {
  togglePin(state, 50);
  EXPECT_EQ(boxOf(50).y, 0);
  TimelineCanvas& canvas = *timeline.canvas();
  canvas.setScroll(1000);
  EXPECT_EQ(canvas.rowAt(5), 50u);
  EXPECT_EQ(timeline.headers()->scrollY(), 1000);
  EXPECT_EQ(canvas.rowAt(30), (1000u + 30u) / 24u - 1) << "row 50 stands before those that scroll";
  QTest::mouseClick(timeline.headers(), Qt::LeftButton, {}, QPoint(100, 5));
  EXPECT_EQ(state.currentRow(), 50u) << "the header too";
  togglePin(state, 50);
  EXPECT_EQ(boxOf(50).y, 50 * 24);
}

TEST_F(TimelineTest, WhatIsUnderAPinnedRowIsNeitherSeenNorHit) {
  togglePin(state, 50);
  TimelineCanvas& canvas = *timeline.canvas();
  canvas.setScroll(12);  // half of row 0 is under it
  const auto over = canvas.hit({static_cast<qreal>(canvas.width()) / 2, 12});
  EXPECT_TRUE(over && over->event.lane == 50u);
  for (const std::uint32_t row : {0u, 1u}) {
    state.setCurrent(trace::EventRef{row, 0});
    for (const QRectF& bar : canvas.relations().current) EXPECT_GE(bar.top(), 24) << row;
  }
  EXPECT_EQ(canvas.rowAt(25), 0u);
}

TEST_F(TimelineTest, PinnedRowsTakeHalfOfTheViewAtMost) {
  for (std::uint32_t row = 20; row < 60; ++row) togglePin(state, row);
  const RowWindow window = timeline.canvas()->window();
  EXPECT_GT(window.still, 0);
  EXPECT_LE(window.still, window.height / 2);
  timeline.canvas()->setScroll(timeline.canvas()->maximumScroll());
  EXPECT_EQ(timeline.canvas()->rowAt(timeline.canvas()->height() - 1), 99u) << "all can be reached";
}

TEST_F(TimelineTest, RevealingARowBringsItBelowThePinnedOnes) {
  togglePin(state, 50);
  state.revealRow(90);
  state.revealRow(10);
  EXPECT_EQ(timeline.canvas()->window().toView(boxOf(10).y), 24);
}

TEST_F(TimelineTest, DraggingAHeaderPutsTheRowWhereTheLineIs) {
  Headers& headers = *timeline.headers();
  QTest::mousePress(&headers, Qt::LeftButton, {}, headerOf(0));
  QTest::mouseMove(&headers, headerOf(2));
  QTest::mouseMove(&headers, headerOf(3) + QPoint(0, 8));
  QTest::mouseRelease(&headers, Qt::LeftButton, {}, headerOf(3) + QPoint(0, 8));
  const auto labels = shown(state);
  EXPECT_THAT(std::vector(labels.begin(), labels.begin() + 5),
              ElementsAre("row 1", "row 2", "row 3", "row 0", "row 4"));
  QTest::mousePress(&headers, Qt::LeftButton, {}, headerOf(0));
  QTest::mouseMove(&headers, headerOf(1));
  QTest::mouseMove(&headers, QPoint(-100, 5));
  QTest::mouseRelease(&headers, Qt::LeftButton, {}, QPoint(-100, 5));
  EXPECT_EQ(shown(state), labels) << "let go beside the headers, it stays";
}

TEST_F(TimelineTest, AClickThatTremblesMovesNoRow) {
  const auto before = shown(state);
  Headers& headers = *timeline.headers();
  QTest::mousePress(&headers, Qt::LeftButton, {}, headerOf(2) + QPoint(0, 7));
  QTest::mouseMove(&headers, headerOf(2) + QPoint(0, 9));
  QTest::mouseRelease(&headers, Qt::LeftButton, {}, headerOf(2) + QPoint(0, 9));
  EXPECT_EQ(shown(state), before);
}

TEST_F(TimelineTest, HiddenRowsAreCountedAndShownAgainByTheLineBelow) {
  RowLine& line = *timeline.rowLine();
  EXPECT_FALSE(line.isVisible());
  state.setCurrentRow(3);
  hideRow(state, 3);
  EXPECT_EQ(state.currentRow(), 4u) << "the next one, to hide more";
  hideRow(state, 4);
  EXPECT_EQ(timeline.canvas()->rowLayout().boxOf(3), -1);
  ASSERT_TRUE(line.isVisible());
  auto* hidden = line.findChild<QPushButton*>("hiddenRows");
  EXPECT_EQ(hidden->text(), "2 rows hidden");
  QTimer::singleShot(0, &line, [&] {  // the menu has its own loop
    QMenu& list = *hidden->menu();
    ASSERT_EQ(list.actions().size(), 2);
    EXPECT_TRUE(list.actions()[1]->text().endsWith(QString::fromStdString(state.trace()->rows[4].label)));
    QTest::keyClick(&list, Qt::Key_Down);
    QTest::keyClick(&list, Qt::Key_Down);
    QTest::keyClick(&list, Qt::Key_Return);
  });
  QTest::mouseClick(hidden, Qt::LeftButton);
  EXPECT_EQ(hiddenRows(state), std::vector<std::uint32_t>{3}) << "each is shown again by itself";
  EXPECT_EQ(state.currentRow(), 4u);
  EXPECT_EQ(hidden->text(), "1 row hidden");
  QTest::mouseClick(line.findChild<QPushButton*>("showRows"), Qt::LeftButton);
  EXPECT_FALSE(line.isVisible());
  EXPECT_EQ(shown(state).size(), 100u);
}

TEST_F(TimelineTest, ARowIsFoundByItsNameWhileOneTypes) {
  hideRow(state, 77);
  timeline.rowLine()->find();
  auto* field = timeline.rowLine()->findChild<QLineEdit*>("rowField");
  ASSERT_TRUE(field->isVisible());
  QTest::keyClicks(field, "ROW 7");
  EXPECT_EQ(state.currentRow(), 7u);
  EXPECT_EQ(timeline.rowLine()->said(), "1 of 11");
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(state.currentRow(), 70u);
  QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
  QTest::keyClick(field, Qt::Key_Up);
  EXPECT_EQ(state.currentRow(), 79u) << "around the end";
  QTest::keyClicks(field, "7");
  EXPECT_EQ(state.currentRow(), 77u);
  EXPECT_GE(timeline.canvas()->rowLayout().boxOf(77), 0) << "it was hidden";
  EXPECT_GT(timeline.canvas()->scroll(), 0);
  QTest::keyClicks(field, "x");
  EXPECT_EQ(timeline.rowLine()->said(), "No row has that in its name");
  QTest::keyClick(field, Qt::Key_Escape);
  EXPECT_FALSE(timeline.rowLine()->isVisible());
}

struct ManyRows : TimelineTest {
  ManyRows() : TimelineTest(0) {
    trace::TraceFixture fixture;
    const auto name = fixture.name("k");
    fixture.heading("process");
    for (int i = 0; i < 5000; ++i) fixture.lane(EventKind::kKernel, {Event{i, i + 1, name}});
    auto trace = std::make_shared<trace::Trace>(*fixture.finish());
    trace->rootRows = {0};
    for (std::uint32_t row = 1; row <= 5000; ++row) {
      // Every fifth holds the four behind it.
      const std::uint32_t parent = row % 5 == 1 ? 0 : row - (row - 1) % 5;
      trace->rows[row].parent = parent;
      trace->rows[row].depth = parent == 0 ? 1 : 2;
      trace->rows[parent].children.push_back(row);
    }
    state.setTrace(trace);
    state.setExpandedBelow(0, false);
    timeline.grab();
  }
};

TEST_F(ManyRows, ExpandingAllBelowLaysOutOnceAndDrawsOnlyWhatIsSeen) {
  TimelineCanvas& canvas = *timeline.canvas();
  int layouts = 0;
  QObject::connect(&canvas, &TimelineCanvas::layoutChanged, [&] { ++layouts; });
  const int frames = canvas.framesPainted(), figures = timeline.headers()->figuresComputed();
  state.setExpandedBelow(0, true);
  timeline.grab();
  EXPECT_EQ(layouts, 1);
  EXPECT_EQ(canvas.rowLayout().boxes().size(), 5001u);
  EXPECT_EQ(canvas.framesPainted(), frames + 1);
  EXPECT_LE(canvas.stats().rows, canvas.height() / 20 + 2);
  EXPECT_LE(timeline.headers()->figuresComputed() - figures, canvas.height() / 20 + 2);
  canvas.setScroll(canvas.maximumScroll());
  timeline.grab();
  EXPECT_LE(canvas.stats().rows, canvas.height() / 20 + 2);
  EXPECT_EQ(canvas.rowAt(canvas.height() - 1), 5000u);
}

TEST_F(TimelineTest, LabelsOfEveryKindAreElidedAndTheirTooltipsBounded) {
  auto odd = std::make_shared<trace::Trace>(*state.trace());
  const std::string nul("a\0b", 3);
  const std::vector<std::string> labels = {std::string(512 * 1024, 'x'), "שלום עולם", "🙂🙃", nul, "line\nbreak <b>"};
  for (std::size_t i = 0; i < labels.size(); ++i) odd->rows[i].label = labels[i];
  odd->rows[6].parent = 0;
  odd->rows[6].depth = 1;
  state.setTrace(odd);
  togglePin(state, 6);
  const QImage shot = timeline.headers()->grab().toImage();
  EXPECT_FALSE(shot.isNull());
  for (std::uint32_t row = 0; row < 7; ++row) {
    const QPoint at = headerOf(row);
    QHelpEvent help(QEvent::ToolTip, at, timeline.headers()->mapToGlobal(at));
    QCoreApplication::sendEvent(timeline.headers(), &help);
    EXPECT_LT(QToolTip::text().size(), 1000) << row;
    EXPECT_FALSE(QToolTip::text().contains("<b>")) << row;
  }
  QToolTip::hideText();
  // Found by a part of it, and only what a person could read is looked at.
  EXPECT_EQ(rowsNamed(state, QStringLiteral("עולם")), std::vector<std::uint32_t>{1});
}

TEST_F(TimelineTest, TheHeadersMenuCopiesANameWhole) {
  auto odd = std::make_shared<trace::Trace>(*state.trace());
  odd->rows[0].label = std::string(512 * 1024, 'x') + "end";
  state.setTrace(odd);
  QTimer::singleShot(0, [] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (!menu) return;
    for (QAction* action : menu->actions())
      if (action->text() == "Copy the name") action->trigger();
    menu->close();
  });
  QContextMenuEvent event(QContextMenuEvent::Mouse, headerOf(0), timeline.headers()->mapToGlobal(headerOf(0)));
  QCoreApplication::sendEvent(timeline.headers(), &event);
  EXPECT_EQ(QApplication::clipboard()->text().toStdString(), odd->rows[0].label);
}

TEST_F(TimelineTest, GoingToAnEventShowsTheRowThatHidesIt) {
  hideRow(state, 30);
  goToEvent(state, {30, 0});
  EXPECT_TRUE(hiddenRows(state).empty());
  EXPECT_EQ(state.currentRow(), 30u);
}

TEST(Arrange, ASignOnAHeaderShowsTheHiddenRowsBelowIt) {
  ViewState state;
  state.setTrace(smallTrace());
  hideRow(state, kKernelRow);
  hideRow(state, kMetricRow);
  state.setExpanded(kGpuRow, false);
  showRowsBelow(state, kGpuRow);
  EXPECT_THAT(shown(state), ElementsAre("overlap", "CUDA HW", "Kernels"));
}

TEST(Arrange, APinnedRowTakesWhatIsBelowItAlongAndSaysWhereItIsFrom) {
  ViewState state;
  state.setTrace(smallTrace());
  togglePin(state, kGpuRow);
  EXPECT_THAT(shown(state), ElementsAre("CUDA HW", "Kernels", "overlap", "SMs active"));
  const Layout layout(state);
  EXPECT_TRUE(layout.boxes()[0].pinned);
  EXPECT_FALSE(layout.boxes()[1].pinned);
  EXPECT_EQ(layout.boxes()[1].depth, 1);
  EXPECT_EQ(pathAbove(*state.trace(), kKernelRow), "overlap › CUDA HW");
  togglePin(state, kKernelRow);
  EXPECT_THAT(shown(state), ElementsAre("CUDA HW", "Kernels", "overlap", "SMs active"));
  moveRow(state, kKernelRow, -1);
  EXPECT_THAT(shown(state), ElementsAre("Kernels", "CUDA HW", "overlap", "SMs active"));
  unpinAll(state);
  EXPECT_THAT(shown(state), ElementsAre("overlap", "CUDA HW", "Kernels", "SMs active"));
}

TEST(Arrange, ARowMovesAmongThoseBesideItOnly) {
  ViewState state;
  state.setTrace(smallTrace());
  moveRow(state, kMetricRow, -1);
  EXPECT_THAT(shown(state), ElementsAre("overlap", "SMs active", "CUDA HW", "Kernels"));
  moveRow(state, kMetricRow, -5);
  EXPECT_THAT(shown(state), ElementsAre("overlap", "SMs active", "CUDA HW", "Kernels"));
  moveRowTo(state, kMetricRow, kKernelRow, true);
  EXPECT_THAT(shown(state), ElementsAre("overlap", "SMs active", "CUDA HW", "Kernels"));
  moveRow(state, kMetricRow, 1);
  EXPECT_THAT(shown(state), ElementsAre("overlap", "CUDA HW", "Kernels", "SMs active"));
}

TEST(Arrange, RowsThatComeLaterStandBehindThoseThatWereOrdered) {
  ViewState state;
  state.setTrace(smallTrace());
  moveRow(state, kMetricRow, -1);
  auto later = std::make_shared<trace::Trace>(*smallTrace());
  later->rows.push_back({.kind = RowKind::kThreads, .key = "p/t", .label = "Threads", .parent = 0, .depth = 1});
  later->rows[0].children = {4, 1, 3};
  state.setTrace(later);
  EXPECT_THAT(shown(state), ElementsAre("overlap", "SMs active", "CUDA HW", "Kernels", "Threads"));
}

TEST(Arrange, StreamsAndThreadsAreSortedAmongThemselves) {
  ViewState state;
  state.setTrace(streamsAndThreads());
  const auto sorted = [&](RowSort by) {
    sortRows(state, by);
    return shown(state);
  };
  const std::string train = "train [42]", other = "other [7]", s14 = "Stream 14 · main", s7 = "Stream 7 · zeta";
  EXPECT_THAT(sorted(RowSort::kName), ElementsAre(train, s14, s7, "10 A", "9 b", other));
  EXPECT_THAT(sorted(RowSort::kNumber), ElementsAre(train, s7, s14, "9 b", "10 A", other));
  EXPECT_THAT(sorted(RowSort::kBusyTime), ElementsAre(train, s14, s7, "9 b", "10 A", other));
  EXPECT_THAT(sorted(RowSort::kFirstEvent), ElementsAre(train, s7, s14, "10 A", "9 b", other));
  EXPECT_THAT(sorted(RowSort::kAsRecorded), ElementsAre(train, s14, s7, "9 b", "10 A", other));
  EXPECT_EQ(state.arrangement(), RowArrangement()) << "as recorded is no order of its own";
}

TEST(Arrange, PresetsShowWhatTheySayAndPinnedRowsStay) {
  ViewState state;
  state.setTrace(streamsAndThreads());
  showOnly(state, RowPreset::kCommunication);
  EXPECT_THAT(shown(state), ElementsAre("train [42]", "Stream 7 · zeta"));
  state.setCurrentRow(5);
  showOnly(state, RowPreset::kOneProcess);
  EXPECT_THAT(shown(state), ElementsAre("other [7]"));
  togglePin(state, 4);
  showOnly(state, RowPreset::kOneProcess);
  EXPECT_THAT(shown(state), ElementsAre("10 A", "other [7]"));
  showOnly(state, RowPreset::kAll);
  EXPECT_TRUE(hiddenRows(state).empty());

  state.setArrangement({});
  state.setTrace(trace::launchTrace());
  showOnly(state, RowPreset::kGpuOnly);
  const Layout layout(state);
  for (const RowBox& box : layout.boxes()) {
    const Row& row = state.trace()->rows[box.row];
    EXPECT_TRUE(row.kind != RowKind::kThreads && row.kind != RowKind::kCudaApi) << row.label;
  }
  EXPECT_FALSE(hiddenRows(state).empty());
}

}  // namespace
}  // namespace lanescope::views
