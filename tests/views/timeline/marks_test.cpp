// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/marks.h"

#include <gmock/gmock.h>

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QTest>

#include "tests/app/ui/event_loop.h"
#include "tests/support/launch_trace.h"
#include "tests/support/trace_fixture.h"
#include "views/panels/marks_panel.h"
#include "views/theme.h"
#include "views/timeline/commands.h"
#include "views/timeline/timeline.h"

namespace lanescope::views {
namespace {

using testing::ElementsAre;
using trace::Event;
using trace::EventKind;
using trace::TimeRange;

std::vector<std::string> names(const ViewState& state) {
  std::vector<std::string> list;
  for (const Mark& mark : state.marks().all()) list.push_back(mark.name.toStdString());
  return list;
}

TEST(Marks, StandInOrderOfTimeAndGetFreshNames) {
  ViewState state;
  Marks& marks = state.marks();
  marks.add({{50, 50}, {}, {}});
  marks.add({{10, 20}, {}, {}});
  marks.add({{5, 5}, {}, {}});
  EXPECT_THAT(names(state), ElementsAre("Mark 2", "Range 1", "Mark 1"));
  marks.remove(2);
  marks.add({{60, 60}, {}, {}});
  EXPECT_THAT(names(state), ElementsAre("Mark 2", "Range 1", "Mark 3")) << "a name is not used twice";
  marks.rename(0, "  ");
  marks.rename(1, QString(5000, 'x'));
  EXPECT_EQ(marks.all()[0].name, "Mark 2");
  EXPECT_EQ(marks.all()[1].name.size(), Marks::kLongestText);
  EXPECT_EQ(marks.next(10, true), 2u);
  EXPECT_EQ(marks.next(10, false), 0u);
  EXPECT_EQ(marks.next(5, false), std::nullopt);
  EXPECT_EQ(marks.next(60, true), std::nullopt);
}

struct MarksInTimeline : testing::Test {
  MarksInTimeline() {
    trace::TraceFixture fixture;
    const auto name = fixture.name("k");
    fixture.lane(EventKind::kKernel, {{0, 100, name}, {200, 500, name}, {900, 1000, name}});
    fixture.lane(EventKind::kKernel, {{100'000, 100'200, name}});
    state.setTrace(fixture.finish());
    timeline.resize(1268, 400);
    timeline.show();
    state.setVisible({0, 1000});
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(timeline.canvas(), key, modifiers); }
  QPoint at(trace::Ns time, int y = 12) {
    return {static_cast<int>(timeline.canvas()->width() * time / state.visible().length()), y};
  }

  ViewState state;
  Timeline timeline{state};
};

TEST_F(MarksInTimeline, AMarkStandsUnderThePointerElseAtTheEventElseInTheMiddle) {
  addMark(state);
  EXPECT_EQ(state.marks().all()[0].time, (TimeRange{500, 500}));
  state.setCurrent(trace::EventRef{0, 1});
  addMark(state);
  EXPECT_EQ(state.marks().all()[0].time, (TimeRange{200, 200}));
  QTest::mouseMove(timeline.canvas(), at(50));
  addMark(state);
  EXPECT_NEAR(static_cast<double>(state.marks().all()[0].time.begin), 50, 2);
  markSelection(state);
  state.setSelection(TimeRange{5, 900});
  markSelection(state);
  EXPECT_EQ(state.marks().all()[0].time, (TimeRange{5, 900}));
  EXPECT_EQ(state.marks().all().back().time, (TimeRange{500, 500}));
  EXPECT_EQ(state.marks().all()[3].time, (TimeRange{200, 500})) << "of the event";
}

TEST_F(MarksInTimeline, MarksAreDrawnOnRulerAndRows) {
  auto* ruler = timeline.findChild<Ruler*>();
  const QImage before = ruler->grab().toImage(), rows = timeline.canvas()->grab().toImage();
  state.marks().add({{300, 600}, "phase", {}});
  const QImage after = ruler->grab().toImage();
  const QColor amber = Theme::colours().marker;
  const int left = timeline.canvas()->mapTo(&timeline, QPoint()).x();
  EXPECT_EQ(after.pixelColor(left + at(300).x(), after.height() / 2), amber);
  EXPECT_NE(before.pixelColor(left + at(300).x(), after.height() / 2), amber);
  EXPECT_EQ(after.pixelColor(left + at(590).x(), 1), amber) << "a range has a bar";
  EXPECT_NE(timeline.canvas()->grab().toImage().pixelColor(at(450)), rows.pixelColor(at(450)));
}

TEST_F(MarksInTimeline, AClickOnAFlagMakesTheMarkCurrentAndSelectsItsRange) {
  state.marks().add({{300, 600}, {}, {}});
  state.marks().add({{700, 700}, {}, {}});
  auto* ruler = timeline.findChild<Ruler*>();
  const int left = timeline.canvas()->mapTo(&timeline, QPoint()).x();
  QTest::mouseClick(ruler, Qt::LeftButton, {}, QPoint(left + at(300).x() + 3, 6));
  EXPECT_EQ(state.marks().current(), 0u);
  EXPECT_EQ(state.selection(), (TimeRange{300, 600}));
  QTest::mouseClick(ruler, Qt::LeftButton, {}, QPoint(left + at(700).x() + 3, 6));
  EXPECT_EQ(state.marks().current(), 1u);
}

TEST_F(MarksInTimeline, KeysGoFromMarkToMarkAlsoNearTheEnds) {
  for (const trace::Ns time : {10, 20, 99'990, 100'000}) state.marks().add({{time, time}, {}, {}});
  state.setVisible({40'000, 42'000});
  const auto walk = [&](bool forward) {
    stepMark(state, forward);
    EXPECT_TRUE(state.visible().contains(state.marks().all()[*state.marks().current()].time.begin));
    EXPECT_EQ(state.visible().length(), 2000);
    return *state.marks().current();
  };
  EXPECT_EQ(walk(false), 1u);
  EXPECT_EQ(walk(false), 0u);
  EXPECT_EQ(walk(false), 0u) << "the first";
  EXPECT_EQ(walk(true), 1u);
  EXPECT_EQ(walk(true), 2u);
  EXPECT_EQ(walk(true), 3u);
  EXPECT_EQ(walk(true), 3u);
}

TEST_F(MarksInTimeline, CtrlShiftDragMeasuresBetweenEdgesAndCountsTheEventsOfTheRow) {
  QTest::mousePress(timeline.canvas(), Qt::LeftButton, Qt::ControlModifier | Qt::ShiftModifier, at(201));
  QTest::mouseMove(timeline.canvas(), at(600));
  QTest::mouseMove(timeline.canvas(), at(999));
  EXPECT_EQ(measureText(state), "800 ns · 2 events start") << "while one drags, from edge to edge";
  QTest::mouseRelease(timeline.canvas(), Qt::LeftButton, Qt::ControlModifier | Qt::ShiftModifier, at(999));
  EXPECT_EQ(state.measure()->range(), (TimeRange{200, 1000}));
  EXPECT_FALSE(state.selection());
  key(Qt::Key_Escape);
  EXPECT_FALSE(state.measure());
}

TEST_F(MarksInTimeline, XMeasuresFromEventToEventByKeys) {
  state.setCurrentRow(0);
  state.setCurrent(trace::EventRef{0, 2});
  key(Qt::Key_X);
  EXPECT_EQ(measureText(state), "from 900 ns");
  key(Qt::Key_Comma);
  key(Qt::Key_Comma);
  key(Qt::Key_X);
  EXPECT_EQ(measureText(state), "900 ns · 2 events start") << "the second point may lie before the first";
  key(Qt::Key_X);
  EXPECT_EQ(state.measure()->to, std::nullopt) << "anew";
  timeline.grab();
}

TEST_F(MarksInTimeline, TheNextLongestEventsOfARowFollowEachOther) {
  state.setCurrentRow(0);
  std::vector<std::uint32_t> visited;
  const auto press = [&](Qt::KeyboardModifiers modifiers = {}) {
    key(Qt::Key_L, modifiers);
    visited.push_back(state.current()->index);
  };
  for (int i = 0; i < 4; ++i) press();
  for (int i = 0; i < 3; ++i) press(Qt::ShiftModifier);
  EXPECT_THAT(visited, ElementsAre(1, 0, 2, 2, 0, 1, 1)) << "300, then 100 twice by start";
}

TEST_F(MarksInTimeline, NextActivityJumpsOverAGapHoweverLong) {
  key(Qt::Key_T);
  EXPECT_TRUE(state.visible().contains(100'000)) << state.visible().begin;
  EXPECT_EQ(state.visible().length(), 1000);
  const TimeRange there = state.visible();
  key(Qt::Key_T);
  EXPECT_EQ(state.visible(), there) << "nothing more";
  key(Qt::Key_T, Qt::ShiftModifier);
  EXPECT_TRUE(state.visible().contains(999)) << state.visible().begin;
  state.setCurrentRow(1);
  state.setVisible({2000, 3000});
  key(Qt::Key_T, Qt::ShiftModifier);
  EXPECT_EQ(state.visible(), (TimeRange{2000, 3000})) << "this row has nothing before";
}

TEST_F(MarksInTimeline, AnHourBetweenTwoBurstsIsOneKeyAndTimesAreExactAtBothEnds) {
  constexpr trace::Ns kHour = 3'600'000'000'000;
  trace::TraceFixture fixture;
  const auto name = fixture.name("k");
  fixture.lane(EventKind::kKernel, {{0, 1'000'000, name}, {kHour + 1, kHour + 1'000'003, name}});
  state.setTrace(fixture.finish());
  state.setVisible({0, 1'200'000});
  key(Qt::Key_T);
  EXPECT_EQ(state.visible(), (TimeRange{kHour + 1 - 120'000, kHour + 1 - 120'000 + 1'200'000}));
  state.setCurrentRow(0);
  key(Qt::Key_Period);
  key(Qt::Key_M);
  key(Qt::Key_Z);
  EXPECT_EQ(state.visible(), (TimeRange{kHour + 1, kHour + 1'000'003})) << "fits the selection";
  key(Qt::Key_T, Qt::ShiftModifier);
  EXPECT_TRUE(state.visible().contains(999'999));
}

/// As a keyboard sends it: the place of the key, and what its layout makes of it.
void press(QWidget* to, quint32 place, int key, const QString& text) {
  QKeyEvent down(QEvent::KeyPress, key, Qt::NoModifier, place, 0, 0, text);
  QCoreApplication::sendEvent(to, &down);
}

TEST_F(MarksInTimeline, StepsLieWhereTheyLieWhateverTheLayout) {
  struct Key {
    const char* layout;
    int period, comma;
    const char *periodText, *commaText;
  };
  for (const Key& layout :
       {Key{"QWERTY", Qt::Key_Period, Qt::Key_Comma, ".", ","},
        Key{"AZERTY", Qt::Key_Colon, Qt::Key_Semicolon, ":", ";"}, Key{"Dvorak", Qt::Key_V, Qt::Key_W, "v", "w"}}) {
    state.setVisible({0, 1000});
    state.setCurrent(trace::EventRef{0, 0});
    press(timeline.canvas(), 60, layout.period, layout.periodText);
    EXPECT_EQ(state.current()->index, 1u) << layout.layout;
    press(timeline.canvas(), 59, layout.comma, layout.commaText);
    EXPECT_EQ(state.current()->index, 0u) << layout.layout;
    EXPECT_EQ(state.visible(), (TimeRange{0, 1000})) << layout.layout;
  }
}

TEST(Correlation, BracketsGoToTheCauseAndToTheEffect) {
  ViewState state;
  state.setTrace(trace::launchTrace());
  Timeline timeline(state);
  timeline.show();
  const auto kernel = trace::eventNamed(*state.trace(), "late");
  const auto launch = trace::eventNamed(*state.trace(), "cudaLaunchKernel", 1);
  state.setCurrent(kernel);
  press(timeline.canvas(), 34, Qt::Key_Dead_Circumflex, "^");  // AZERTY
  EXPECT_EQ(state.current(), launch);
  press(timeline.canvas(), 34, Qt::Key_BracketLeft, "[");
  EXPECT_EQ(state.current(), launch) << "nothing led to it";
  press(timeline.canvas(), 35, Qt::Key_BracketRight, "]");
  EXPECT_EQ(state.current(), kernel);
}

TEST_F(MarksInTimeline, LettersInAFieldAreTextOnly) {
  timeline.rowLine()->find();
  auto* field = timeline.rowLine()->findChild<QLineEdit*>("rowField");
  const TimeRange before = state.visible();
  QTest::keyClicks(field, "wsadltx.,[]np");
  EXPECT_EQ(field->text(), "wsadltx.,[]np");
  EXPECT_EQ(state.visible(), before);
  EXPECT_FALSE(state.current() || state.measure());
}

struct PanelOfMarks : MarksInTimeline {
  PanelOfMarks() {
    state.marks().add({{300, 600}, "phase", "warm up"});
    state.marks().add({{99'000, 99'000}, "late", {}});
    panel.setView(&state);
    panel.resize(700, 300);
    panel.show();
  }
  void click(int row, int column) {
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {},
                      panel.table().visualItemRect(panel.table().item(row, column)).center());
  }
  /// Types into the cell that F2 opens.
  void edit(const char* text) {
    QTest::keyClick(&panel.table(), Qt::Key_F2);
    const auto editors = panel.table().findChildren<QLineEdit*>();
    ASSERT_FALSE(editors.isEmpty());
    QLineEdit* editor = editors.last();  // earlier ones wait to be deleted
    editor->selectAll();
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Return);
    QCoreApplication::processEvents();  // Qt takes the text over when it comes back
  }
  MarksPanel panel;
};

TEST_F(PanelOfMarks, ListsMarksAndGoesToThem) {
  EXPECT_EQ(panel.table().item(0, MarksPanel::kTime)->text(), "300 ns");
  EXPECT_EQ(panel.table().item(0, MarksPanel::kLength)->text(), "300 ns");
  EXPECT_EQ(panel.table().item(0, MarksPanel::kNote)->text(), "warm up");
  click(1, MarksPanel::kTime);
  EXPECT_TRUE(state.visible().contains(99'000));
  panel.table().setCurrentCell(0, MarksPanel::kName);
  QTest::keyClick(&panel.table(), Qt::Key_Return);
  EXPECT_EQ(state.selection(), (TimeRange{300, 600}));
  stepMark(state, true);
  EXPECT_EQ(panel.table().currentRow(), 1) << "follows the keys";
}

TEST_F(PanelOfMarks, NamesAndNotesAreChangedAndMarksDeleted) {
  click(0, MarksPanel::kName);
  edit("phase 2");
  EXPECT_EQ(state.marks().all()[0].name, "phase 2");
  edit("   ");
  EXPECT_EQ(panel.table().item(0, MarksPanel::kName)->text(), "phase 2") << "no name is no change";
  click(1, MarksPanel::kNote);
  edit("why so late?");
  EXPECT_EQ(state.marks().all()[1].note, "why so late?");
  click(0, MarksPanel::kName);
  QTest::keyClick(&panel.table(), Qt::Key_Delete);
  EXPECT_THAT(names(state), ElementsAre("late"));
  EXPECT_EQ(panel.table().rowCount(), 1);
  bool left = false;
  QObject::connect(&panel, &MarksPanel::left, [&] { left = true; });
  QTest::keyClick(&panel.table(), Qt::Key_Escape);
  EXPECT_TRUE(left);
}

TEST_F(PanelOfMarks, ANewMarkIsNamedAtOnce) {
  state.setPointerTime(5000);
  addMark(state);
  const auto editors = panel.table().findChildren<QLineEdit*>();
  ASSERT_FALSE(editors.isEmpty());
  bool left = false;
  QObject::connect(&panel, &MarksPanel::left, [&] { left = true; });
  QTest::keyClicks(editors.last(), "warm");
  QTest::keyClick(editors.last(), Qt::Key_Return);
  QCoreApplication::processEvents();
  EXPECT_EQ(state.marks().all()[1].name, "warm");
  EXPECT_TRUE(test::runUntil([&] { return left; })) << "back to the timeline";
  panel.hide();
  addMark(state);
  EXPECT_EQ(state.marks().all().size(), 4U);
  EXPECT_TRUE(panel.findChild<QLabel*>()->text().contains("double-click a name to rename it"));
}

}  // namespace
}  // namespace lanescope::views
