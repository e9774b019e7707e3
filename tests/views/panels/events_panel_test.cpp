// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/events_panel.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "tests/app/ui/event_loop.h"
#include "tests/views/panels/panel_trace.h"
#include "views/panels/rows_line.h"
#include "views/tables/event_table.h"
#include "views/tables/figure_table.h"

namespace lanescope::views {
namespace {

using trace::EventRef;

class EventsPanelTest : public testing::Test {
 protected:
  EventsPanelTest() {
    view.setTrace(panelTrace());
    view.setVisible({0, 1'000'000});
    panel.resize(1300, 320);
    panel.setView(&view);
    panel.show();
    EXPECT_TRUE(settled());
  }
  bool settled() {
    return test::runUntil([this] { return !panel.working(); });
  }
  void press(const QString& text) {
    for (auto* each : panel.findChildren<QToolButton*>())
      if (each->text() == text) QTest::mouseClick(each, Qt::LeftButton);
    EXPECT_TRUE(settled());
  }
  QStringList column(EventColumn wanted) {
    QStringList texts;
    for (int row = 0; row < panel.table().model()->rowCount(); ++row)
      texts += panel.table().model()->index(row, static_cast<int>(wanted)).data().toString();
    return texts;
  }
  void clickTitle(EventColumn wanted) {
    QHeaderView* header = panel.table().horizontalHeader();
    const int at = header->sectionViewportPosition(static_cast<int>(wanted)) + 8;
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(at, header->height() / 2));
    EXPECT_TRUE(settled());
  }
  QPoint rowAt(int row) { return panel.table().visualRect(panel.table().model()->index(row, 0)).center(); }

  ViewState view;
  EventsPanel panel;
};

TEST_F(EventsPanelTest, ListsTheEventsOfTheVisibleRangeInOrderOfTime) {
  EXPECT_EQ(panel.headline(), "6 events");
  EXPECT_EQ(panel.table().allText(), QStringLiteral("Start\tDuration\tName\tRow\tCorrelation\n"
                                                    "0 ns\t100.000 µs\tattention<float>(int)\trow 0\t\n"
                                                    "0 ns\t1.000 000 ms\tcudaMemcpy\trow 2\t\n"
                                                    "200.000 µs\t100.000 µs\tattention<float>(int)\trow 0\t\n"
                                                    "300.000 µs\t100.000 µs\t[copy]\trow 1\t\n"
                                                    "400.000 µs\t50.000 µs\tfeed\trow 0\t\n"
                                                    "600.000 µs\t300.000 µs\tattention<float>(int)\trow 0\t"));
  view.setVisible({350'000, 500'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(column(EventColumn::kName), QStringList({"cudaMemcpy", "[copy]", "feed"}));
}

TEST_F(EventsPanelTest, SortsByATitleAndBack) {
  clickTitle(EventColumn::kDuration);
  EXPECT_EQ(column(EventColumn::kDuration).first(), "1.000 ms");
  EXPECT_EQ(column(EventColumn::kDuration).last(), "50.00 µs");
  clickTitle(EventColumn::kDuration);
  EXPECT_EQ(column(EventColumn::kDuration).first(), "50.00 µs");
  clickTitle(EventColumn::kName);
  EXPECT_EQ(column(EventColumn::kName).first(), "[copy]");
}

TEST_F(EventsPanelTest, NestedListsRowByRow) {
  press("Nested");
  EXPECT_EQ(column(EventColumn::kWhere), QStringList({"row 0", "row 0", "row 0", "row 0", "row 1", "row 2"}));
}

/// step [0, 600 µs] holds load [100, 400] and write [450, 500]; read [150, 200] is in load. Then step [700, 800].
class NestedEventsTest : public EventsPanelTest {
 protected:
  NestedEventsTest() {
    trace::TraceFixture fixture;
    const auto step = fixture.name("step"), load = fixture.name("load"), read = fixture.name("read"),
               write = fixture.name("write");
    fixture.stack(
        trace::EventKind::kNvtxRange,
        {{{.start = 0, .end = 600'000, .name = step}, {.start = 700'000, .end = 800'000, .name = step}},
         {{.start = 100'000, .end = 400'000, .name = load}, {.start = 450'000, .end = 500'000, .name = write}},
         {{.start = 150'000, .end = 200'000, .name = read}}});
    view.setTrace(fixture.finish());
    view.setVisible({0, 1'000'000});
    press("Nested");
  }
  QStringList names() {
    QStringList names = column(EventColumn::kName);
    for (QString& name : names) name.replace(QChar(QChar::Nbsp), ' ');
    return names;
  }
  void clickSign(int row) {
    const QRect cell = panel.table().visualRect(panel.table().model()->index(row, int(EventColumn::kName)));
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, {cell.left() + 30, cell.center().y()});
    EXPECT_TRUE(settled());
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&panel.table(), key, modifiers);
    EXPECT_TRUE(settled());
  }
};

TEST_F(NestedEventsTest, AClickOnTheSignFoldsWhatAnEventHoldsAndAgainUnfoldsIt) {
  const QStringList all{"▾ step", "  ▾ load", "        read", "      write", "    step"};
  EXPECT_EQ(names(), all);
  clickSign(1);
  EXPECT_EQ(names(), QStringList({"▾ step", "  ▸ load", "      write", "    step"}));
  EXPECT_EQ(view.current(), std::nullopt) << "goes nowhere";
  EXPECT_EQ(panel.headline(), "5 events · 1 folded away");
  clickSign(0);
  EXPECT_EQ(names(), QStringList({"▸ step", "    step"}));
  view.setVisible({0, 650'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(names(), QStringList({"▸ step"})) << "of another range, too";
  clickSign(0);
  EXPECT_EQ(names(), QStringList({"▾ step", "  ▸ load", "      write"})) << "what was folded inside stays so";
  view.setCurrent(EventRef{2, 0});
  EXPECT_EQ(panel.table().currentRow(), 1u) << "an event folded away stands out where it is";
  press("Unfold all");
  EXPECT_EQ(panel.table().currentRow(), 2u);
  press("Fold all");
  EXPECT_EQ(names(), QStringList({"▸ step"}));
  press("Nested");
  EXPECT_EQ(panel.table().model()->rowCount(), 4) << "a flat list holds all";
}

TEST_F(NestedEventsTest, LeftAndRightFoldAndLeadInAndOut) {
  panel.table().setCurrentIndex(panel.table().model()->index(2, 0));
  key(Qt::Key_Left);
  EXPECT_EQ(panel.table().currentRow(), 1u) << "from what holds nothing to what it is in";
  key(Qt::Key_Left);
  EXPECT_EQ(names().at(1), "  ▸ load");
  EXPECT_EQ(panel.table().currentRow(), 1u);
  key(Qt::Key_Left);
  EXPECT_EQ(panel.table().currentRow(), 0u);
  key(Qt::Key_Right);
  EXPECT_EQ(panel.table().currentRow(), 1u) << "into what is unfolded";
  key(Qt::Key_Right);
  EXPECT_EQ(names().at(1), "  ▾ load");
  key(Qt::Key_Left, Qt::ShiftModifier);
  EXPECT_EQ(names(), QStringList({"▸ step", "    step"}));
  key(Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_EQ(names().size(), 5);
}

TEST_F(NestedEventsTest, HoldsWhatPassesTheFilterAndSaysSo) {
  view.setPassing(std::make_shared<const analysis::Passing>(
      view.trace(), analysis::Filter{analysis::Condition::words("step", false, true).value()}));
  ASSERT_TRUE(settled());
  EXPECT_EQ(panel.headline(), "3 events · filtered");
  EXPECT_EQ(names(), QStringList({"▾ load", "      read", "    write"}));
  view.setCountsAll(true);
  ASSERT_TRUE(settled());
  EXPECT_EQ(panel.headline(), "5 events");
}

TEST_F(EventsPanelTest, IsOfTheSelectionAndTheChosenRows) {
  press("Selection");
  EXPECT_TRUE(panel.headline().startsWith("Nothing is selected"));
  EXPECT_EQ(panel.table().model()->rowCount(), 0);
  view.setSelection(trace::TimeRange{310'000, 460'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(column(EventColumn::kName), QStringList({"cudaMemcpy", "[copy]", "feed"}));
  view.setSelectedRows({0});
  ASSERT_TRUE(settled());
  EXPECT_EQ(column(EventColumn::kName), QStringList({"feed"}));
  EXPECT_EQ(panel.headline(), "1 event · of 1 row");
}

TEST_F(EventsPanelTest, SearchesAsFindDoes) {
  auto* field = panel.findChild<QLineEdit*>();
  QTest::keyClicks(field, "atten dur>200us");
  ASSERT_TRUE(settled());
  EXPECT_EQ(column(EventColumn::kDuration), QStringList({"300.0 µs"}));
}

TEST_F(EventsPanelTest, AClickGoesThereAndTheTimelinesEventStandsOut) {
  QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, rowAt(2));
  EXPECT_EQ(view.current(), (EventRef{0, 1}));
  view.setCurrent(EventRef{0, 3});
  EXPECT_EQ(panel.table().currentRow(), 5u);
  EXPECT_EQ(panel.table().marked(), view.trace()->id({0, 3}));
  clickTitle(EventColumn::kDuration);
  EXPECT_EQ(panel.table().currentRow(), 1u) << "also in another order";
  QTest::mouseDClick(panel.table().viewport(), Qt::LeftButton, {}, rowAt(1));
  EXPECT_LT(view.visible().length(), 500'000);
}

TEST_F(EventsPanelTest, SeveralEventsAreCopiedForASpreadsheet) {
  QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, rowAt(1));
  QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, Qt::ShiftModifier, rowAt(2));
  QTest::keyClick(&panel.table(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text(),
            QStringLiteral(
                "0 ns\t1.000 000 ms\tcudaMemcpy\trow 2\t\n200.000 µs\t100.000 µs\tattention<float>(int)\trow 0\t"));
}

/// Six events, of which two at a time are shown.
class WindowedEventsTest : public EventsPanelTest {
 protected:
  WindowedEventsTest() { panel.table().setWindow(2); }
  RowsLine& line() { return *panel.findChild<RowsLine*>(); }
  QPushButton* button(const QString& text) {
    for (auto* each : panel.findChildren<QPushButton*>())
      if (each->text() == text) return each;
    ADD_FAILURE() << text.toStdString();
    return nullptr;
  }
};

TEST_F(WindowedEventsTest, ALineBelowSaysWhichRowsAreShownAndLeadsToTheOthers) {
  EXPECT_EQ(panel.table().model()->rowCount(), 2);
  EXPECT_EQ(line().text(), "Rows 1 – 2 of 6");
  EXPECT_FALSE(button("Previous")->isEnabled());
  QTest::mouseClick(button("Next"), Qt::LeftButton);
  EXPECT_EQ(line().text(), "Rows 3 – 4 of 6");
  EXPECT_EQ(column(EventColumn::kStart), QStringList({"200.000 µs", "300.000 µs"}));
  button("Last")->setFocus();
  QTest::keyClick(button("Last"), Qt::Key_Space);
  EXPECT_EQ(column(EventColumn::kStart), QStringList({"400.000 µs", "600.000 µs"}));
  EXPECT_FALSE(button("Next")->isEnabled());
  QTest::mouseClick(button("Previous"), Qt::LeftButton);
  EXPECT_EQ(line().text(), "Rows 3 – 4 of 6");
  QTest::mouseClick(button("First"), Qt::LeftButton);
  EXPECT_EQ(line().text(), "Rows 1 – 2 of 6");
  panel.table().setWindow(6);
  EXPECT_EQ(line().text(), "") << "no line where all are shown";
  EXPECT_FALSE(line().isVisible());
}

TEST_F(WindowedEventsTest, TheTimelinesEventIsShownWhereverItIs) {
  view.setCurrent(EventRef{0, 3});
  EXPECT_EQ(line().text(), "Rows 5 – 6 of 6");
  EXPECT_EQ(panel.table().currentRow(), 5u);
  QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, rowAt(0));
  EXPECT_EQ(view.current(), (EventRef{0, 2})) << "and a row of that window leads to its event";
  clickTitle(EventColumn::kDuration);
  EXPECT_EQ(column(EventColumn::kDuration), QStringList({"1.000 ms", "300.0 µs"})) << "the longest of all first";
  EXPECT_EQ(line().text(), "Rows 1 – 2 of 6");
}

TEST_F(WindowedEventsTest, CopyAndSearchGoOverAllRows) {
  QTest::mouseClick(button("Copy"), Qt::LeftButton);
  EXPECT_EQ(QApplication::clipboard()->text().count('\n'), 6) << "titles and six rows";
  EXPECT_EQ(panel.table().figures().rows.size(), 6u) << "which is what is saved";
  QTest::keyClicks(panel.findChild<QLineEdit*>(), "feed");
  ASSERT_TRUE(settled());
  EXPECT_EQ(column(EventColumn::kStart), QStringList({"400.000 µs"}));
  EXPECT_EQ(line().text(), "");
}

TEST(RowsLine, SaysSoWhereNotAllOfTheSelectedRowsAreCopied) {
  FigureTable table;
  const RowsLine line(table);
  TableContent content;
  content.columns = {{.title = "Row"}};
  content.rows = FigureTable::kMostCopied + 5;
  content.cell = [](std::size_t, std::size_t) { return analysis::Cell(std::string("x")); };
  table.setContent(content);
  EXPECT_EQ(line.text(), "");
  table.selectAll();
  QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text().size(), qsizetype{2 * FigureTable::kMostCopied - 1});
  EXPECT_EQ(line.text(), "Rows 1 – 200 005 of 200 005 · copied the first 200 000 of 200 005 selected rows");
  content.rows = 7;
  table.setContent(content);
  EXPECT_EQ(line.text(), "");
}

TEST_F(EventsPanelTest, OfMillionsOnlyWhatIsSeenIsMade) {
  constexpr std::size_t kEvents = 2'000'000;
  std::vector<trace::Event> events(kEvents);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].start = static_cast<trace::Ns>(i) * 10;
    events[i].end = events[i].start + 5;
  }
  const auto trace = trace::TraceFixture().lane(trace::EventKind::kKernel, events).finish();
  analysis::EventListQuestion question{trace, {trace->range, {}}, std::nullopt, analysis::EventOrder::kStart, false,
                                       {0}};
  const auto list = std::make_shared<const analysis::EventList>(analysis::EventList::make(question));
  TableContent content = eventContent(std::make_shared<const analysis::FoldedEvents>(list), {});
  auto cells = std::make_shared<std::size_t>(0);
  content.cell = [cells, cell = content.cell](std::size_t row, std::size_t column) {
    ++*cells;
    return cell(row, column);
  };
  FigureTable table;
  table.resize(900, 300);
  table.setWindow(RowsLine::kMost);
  table.setContent(std::move(content));
  table.show();
  table.select(list->id(kEvents - 1));
  table.grab();
  EXPECT_EQ(table.model()->rowCount(), static_cast<int>(RowsLine::kMost));
  EXPECT_EQ(table.currentRow(), kEvents - 1);
  EXPECT_LT(*cells, 2000u);
}

TEST_F(EventsPanelTest, AClosedReportIsLetGoOf) {
  const std::weak_ptr<const trace::Trace> held = view.trace();
  panel.setView(nullptr);
  view.setTrace(std::make_shared<const trace::Trace>());
  EXPECT_TRUE(held.expired());
}

}  // namespace
}  // namespace lanescope::views
