// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/linked_views.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

#include "tests/support/trace_fixture.h"
#include "views/compare/linked_timelines.h"
#include "views/compare/twin_fields.h"
#include "views/timeline/remarks.h"

namespace lanescope::views {
namespace {

using trace::Event;
using trace::EventKind;
using trace::kNone;
using trace::Ns;
using trace::TimeRange;
using trace::TraceFixture;

constexpr int kRows = 30;

/// Two timelines of rows of kernels: A has 50 steps of 2 µs, B 100 of them, a second later and each `slower` longer from
/// the 20th on. Row i of A is row i + 1 of B.
class Linked : public testing::Test {
 protected:
  static constexpr Ns kLater = 1'000'000'000;

  Linked() {
    TraceFixture a, b;
    std::vector<Event> events;
    for (Ns i = 0; i < 50; ++i) events.push_back({2000 * i, 2000 * i + 1000, a.name("gemm")});
    for (int row = 0; row < kRows; ++row) a.lane(EventKind::kKernel, events);
    b.lane(EventKind::kKernel, {{kLater, kLater + 10, b.name("extra")}});
    events.clear();
    for (Ns i = 0; i < 100; ++i) {
      const Ns start = startInB(i);
      events.push_back({start, start + (i < 20 ? 1000 : 2500), b.name("gemm_v2")});
    }
    for (int row = 0; row < kRows; ++row) b.lane(EventKind::kKernel, events);
    states[kA].setTrace(a.finish());
    states[kB].setTrace(b.finish());
    for (const Side side : {kA, kB}) {
      timelines[side]->resize(900, 300);
      timelines[side]->show();
    }
    QApplication::processEvents();
  }

  static Ns startInB(Ns i) { return kLater + (i < 20 ? 2000 * i : 40'000 + 4000 * (i - 20)); }

  /// As align() would have them: steps above steps, the first row of B alone.
  void match() {
    Matched made;
    made.traces = {states[kA].trace(), states[kB].trace()};
    std::vector<compare::Moment> moments;
    for (Ns i = 0; i < 50; ++i) moments.push_back({2000 * i, startInB(i)});
    made.alignment.map = compare::TimeMap(moments);
    const std::size_t ofA = 50 * kRows, ofB = 1 + 100 * kRows;
    made.alignment.twinOfA.assign(ofA, kNone);
    made.alignment.twinOfB.assign(ofB, kNone);
    made.rows[kA].assign(kRows, kNone);
    made.rows[kB].assign(kRows + 1, kNone);
    made.names[kA].assign(states[kA].trace()->names->size(), kNone);
    made.names[kB].assign(states[kB].trace()->names->size(), kNone);
    auto changesA = std::make_shared<Changes>(), changesB = std::make_shared<Changes>();
    changesA->ofEvent.assign(ofA, Change::kSame);
    changesB->ofEvent.assign(ofB, Change::kOnlyB);
    for (std::uint32_t row = 0; row < kRows; ++row) {
      made.rows[kA][row] = row + 1;
      made.rows[kB][row + 1] = row;
      for (std::uint32_t i = 0; i < 50; ++i) {
        const trace::EventId a = 50 * row + i, b = 1 + 100 * row + i;
        made.alignment.twinOfA[a] = b;
        made.alignment.twinOfB[b] = a;
        changesA->ofEvent[a] = changesB->ofEvent[b] = i < 20 ? Change::kSame : Change::kSlower;
      }
    }
    made.names[kA][1] = 2;
    made.names[kB][2] = 1;
    made.differs = {std::vector<bool>(kRows, true), std::vector<bool>(kRows + 1, true)};
    made.differs[kA][3] = made.differs[kB][4] = false;
    made.biggest = {{30, 31, 1500, compare::Change::kSlower}, {kNone, 60, 2500, compare::Change::kOnlyHere}};
    made.changes = {changesA, changesB};
    links.setMatched(std::make_shared<const Matched>(std::move(made)));
  }

  TimelineCanvas& canvas(Side side) { return *timelines[side]->canvas(); }
  void move(Side side, QPointF at) {
    QMouseEvent event(QEvent::MouseMove, at, canvas(side).mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(&canvas(side), &event);
  }
  void leave(Side side) {
    QEvent event(QEvent::Leave);
    QApplication::sendEvent(&canvas(side), &event);
  }
  void wheel(Side side, QPointF at, int turn, Qt::KeyboardModifiers modifiers = {}) {
    QWheelEvent event(at, canvas(side).mapToGlobal(at), {}, {0, turn}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&canvas(side), &event);
  }
  void drag(Side side, QPoint from, QPoint to) {
    QTest::mousePress(&canvas(side), Qt::LeftButton, {}, from);
    QMouseEvent event(QEvent::MouseMove, to, canvas(side).mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&canvas(side), &event);
    QTest::mouseRelease(&canvas(side), Qt::LeftButton, {}, to);
  }
  TimeRange visible(Side side) const { return states[side].visible(); }
  /// Both show the same length, and what `focus` of A corresponds to stands above it to the nanosecond.
  void expectAligned(Ns focus) {
    EXPECT_EQ(visible(kA).length(), visible(kB).length());
    EXPECT_EQ(visible(kB).begin - visible(kA).begin, links.toOther(kA, focus) - focus);
  }

  PerSide<ViewState> states;
  PerSide<std::unique_ptr<Timeline>> timelines{std::make_unique<Timeline>(states[kA]),
                                               std::make_unique<Timeline>(states[kB])};
  LinkedViews links{states[kA], states[kB]};
  LinkedTimelines scroll{links, {timelines[kA].get(), timelines[kB].get()}};
};

TEST_F(Linked, BeforeAnythingIsMatchedBeginsStandAboveEachOther) {
  EXPECT_EQ(visible(kB).begin - visible(kA).begin, kLater);
  EXPECT_EQ(visible(kB).length(), visible(kA).length());
  EXPECT_GE(visible(kB).end, states[kB].trace()->range.end) << "all of the longer one is seen";
}

TEST_F(Linked, AWheelOverEitherZoomsBothAroundWhatIsPointedAt) {
  match();
  for (const Side side : {kA, kB}) {
    for (const QPointF at : {QPointF(200, 50), QPointF(450, 90), QPointF(600, 20)}) {
      move(side, at);
      const Ns before = canvas(side).timeAt(at.x());
      wheel(side, at, 120);
      const Ns focus = *states[side].pointerTime();
      EXPECT_NEAR(static_cast<double>(focus - before), 0, 1);
      EXPECT_EQ(visible(kA).length(), visible(kB).length());
      const Side other = otherThan(side);
      EXPECT_EQ(visible(other).begin - visible(side).begin, links.toOther(side, focus) - focus);
    }
    leave(side);
  }
}

TEST_F(Linked, TheCurrentEventStandsAboveItsTwinWhereverThePointerIsWhileItIsSeen) {
  match();
  states[kA].setVisible({30'000, 70'000});
  states[kA].setCurrent(trace::EventRef{0, 20});
  const Ns shift = startInB(20) - 40'000;
  wheel(kA, {canvas(kA).width() * 0.9, 50}, 120);
  ASSERT_TRUE(visible(kA).contains(40'000));
  EXPECT_EQ(visible(kB).begin - visible(kA).begin, shift);
  move(kA, {canvas(kA).width() * 0.6, 50});
  EXPECT_EQ(visible(kB).begin - visible(kA).begin, shift);
  states[kA].setVisible({60'000, 70'000});
  EXPECT_NE(visible(kB).begin - visible(kA).begin, shift);
}

TEST_F(Linked, ZoomingInAndOutAgainComesBackExactly) {
  match();
  states[kA].setVisible({10'000, 70'000});
  const TimeRange a = visible(kA), b = visible(kB);
  for (const double factor : {0.8, 0.8, 0.8, 1 / 0.8, 1 / 0.8, 1 / 0.8}) states[kA].zoomAround(31'415, factor);
  EXPECT_EQ(visible(kA), a);
  EXPECT_EQ(visible(kB).length(), b.length());
  states[kA].panBy(7);
  states[kA].panBy(-7);
  EXPECT_EQ(visible(kB), b);
}

TEST_F(Linked, TheOneThatIsReadLaterGoesAlongWithWhatIsLookedAt) {
  PerSide<ViewState> views;
  const LinkedViews both{views[kA], views[kB]};
  views[kA].setTrace(states[kA].trace());
  views[kA].setVisible({20'000, 30'000});
  views[kB].setTrace(states[kB].trace());
  EXPECT_EQ(views[kA].visible(), (TimeRange{20'000, 30'000}));
  EXPECT_EQ(views[kB].visible(), (TimeRange{kLater + 20'000, kLater + 30'000}));
}

TEST_F(Linked, ThePointerIsMarkedOnBothAndTheOtherGoesAlongWithIt) {
  match();
  states[kA].setVisible({0, 120'000});
  move(kA, {canvas(kA).width() * 0.8, 50});
  const Ns at = *states[kA].pointerTime();
  EXPECT_EQ(states[kA].guide(), at);
  EXPECT_EQ(states[kB].guide(), links.toOther(kA, at));
  expectAligned(at);
  const auto column = [](const ViewState& state, Ns time, int width) { return Scale{state.visible(), width}.x(time); };
  EXPECT_EQ(column(states[kA], at, 900), column(states[kB], *states[kB].guide(), 900));
  const TimeRange a = visible(kA);
  leave(kA);
  move(kB, {300, 50});
  const Ns inB = *states[kB].pointerTime();
  EXPECT_EQ(states[kA].guide(), links.toOther(kB, inB));
  EXPECT_NE(visible(kA), a) << "A goes along with the pointer over B";
  leave(kB);
  EXPECT_FALSE(states[kA].guide() || states[kB].guide());
}

TEST_F(Linked, KeysOfOneZoomAroundWhatIsPointedAtInTheOther) {
  match();
  states[kA].setVisible({20'000, 80'000});
  move(kB, {150, 50});
  const Ns pointed = *states[kB].pointerTime();
  QTest::keyClick(&canvas(kA), Qt::Key_W);
  EXPECT_LT(visible(kB).length(), 60'000);
  EXPECT_NEAR(static_cast<double>(canvas(kB).timeAt(150) - pointed), 0, 2);
}

TEST_F(Linked, TheLongerOneIsReachedToItsEndThoughTheOtherHasNothingThere) {
  match();
  states[kB].setVisible({states[kB].trace()->range.end - 5000, states[kB].trace()->range.end});
  EXPECT_EQ(visible(kB), (TimeRange{states[kB].trace()->range.end - 5000, states[kB].trace()->range.end}));
  EXPECT_GT(visible(kA).begin, states[kA].trace()->range.end);
  EXPECT_EQ(visible(kA).length(), 5000);
  const TimeRange a = visible(kA);
  QTest::keyClick(&canvas(kA), Qt::Key_W);
  EXPECT_TRUE(a.begin <= visible(kA).begin && visible(kA).end <= a.end) << "and A stays there when it is acted in";
  EXPECT_EQ(visible(kB).length(), visible(kA).length());
}

TEST_F(Linked, OneUndoTakesBothBack) {
  match();
  states[kA].setVisible({10'000, 20'000});
  const TimeRange a = visible(kA), b = visible(kB);
  states[kA].setVisible({12'000, 14'000});
  states[kB].zoomAround(visible(kB).begin + 100, 0.5);
  QTest::keyClick(&canvas(kA), Qt::Key_Backspace);
  QTest::keyClick(&canvas(kA), Qt::Key_Backspace);
  EXPECT_EQ(visible(kA), a);
  EXPECT_EQ(visible(kB), b);
}

TEST_F(Linked, ASelectionIsMappedEachWayByItsEdges) {
  match();
  states[kA].setVisible({0, 100'000});
  drag(kA, {100, 60}, {700, 60});
  const TimeRange a = *states[kA].selection();
  EXPECT_EQ(states[kB].selection(), (TimeRange{links.toOther(kA, a.begin), links.toOther(kA, a.end)}));
  leave(kA);
  drag(kB, {200, 60}, {400, 60});
  const TimeRange b = *states[kB].selection();
  EXPECT_EQ(states[kA].selection(), (TimeRange{links.toOther(kB, b.begin), links.toOther(kB, b.end)}));
  leave(kB);
  QTest::keyClick(&canvas(kB), Qt::Key_Escape);
  EXPECT_FALSE(states[kA].selection());
}

TEST_F(Linked, ClickingAnEventSelectsItsTwinAndRevealsIt) {
  match();
  states[kA].setVisible({59'000, 63'000});
  canvas(kA).setScroll(0);
  const RowBox& box = canvas(kA).rowLayout().boxes()[0];
  QTest::mouseClick(&canvas(kA), Qt::LeftButton, {},
                    {Scale{visible(kA), canvas(kA).width()}.x(60'500), box.y + box.height / 2});
  ASSERT_EQ(states[kA].current(), (trace::EventRef{0, 30}));
  EXPECT_EQ(states[kB].current(), (trace::EventRef{1, 30}));
  EXPECT_EQ(states[kB].currentRow(), 1u);
  const Ns start = startInB(30);
  EXPECT_TRUE(visible(kB).contains(start));
  states[kB].setCurrent(trace::EventRef{1, 80});
  EXPECT_FALSE(states[kA].current()) << "it has no twin";
}

TEST_F(Linked, TheTwinOfWhatIsPointedAtIsOutlinedToo) {
  match();
  states[kA].setVisible({59'000, 63'000});
  const int middle = canvas(kA).rowLayout().boxes()[0].height / 2;
  move(kA, {static_cast<qreal>(Scale{visible(kA), canvas(kA).width()}.x(60'500)), static_cast<qreal>(middle)});
  EXPECT_EQ(canvas(kB).echoed(), (trace::EventRef{1, 30}));
  leave(kA);
  EXPECT_FALSE(canvas(kB).echoed());
}

TEST_F(Linked, ByAnotherAlignmentATwinOutOfSightIsBroughtAboveItsOwn) {
  match();
  auto early = std::make_shared<Matched>(*links.matched());
  early->alignment.map = compare::TimeMap({{0, 0}});  // a second off
  links.setMatched(early);
  states[kA].setVisible({59'000, 63'000});
  states[kA].setCurrent(trace::EventRef{0, 30});
  EXPECT_EQ(visible(kB).begin - visible(kA).begin, startInB(30) - 60'000);
}

TEST_F(Linked, RowsScrollOpenAndGrowTogetherByTheirPartners) {
  match();
  wheel(kA, {300, 50}, -240, Qt::AltModifier);
  ASSERT_GT(canvas(kA).scroll(), 0);
  const int shift = canvas(kB).rowLayout().boxes()[1].y - canvas(kA).rowLayout().boxes()[0].y;
  EXPECT_EQ(canvas(kB).scroll(), canvas(kA).scroll() + shift);
  states[kB].setRowScale(5, 2);
  EXPECT_EQ(states[kA].rowScale(4), 2);
  states[kA].setExpanded(4, false);
  EXPECT_FALSE(states[kB].isExpanded(5));
  states[kA].setCurrentRow(7);
  EXPECT_EQ(states[kB].currentRow(), 8u);
}

TEST_F(Linked, UnlinkedTheyAreFreeAndLinkedAgainTheyStandTogether) {
  match();
  states[kA].setVisible({0, 50'000});
  const TimeRange b = visible(kB);
  links.setLinked(false);
  states[kA].setVisible({5000, 8000});
  states[kA].setSelection(TimeRange{5000, 6000});
  move(kA, {100, 50});
  EXPECT_EQ(visible(kB), b);
  EXPECT_FALSE(states[kB].selection() || states[kB].guide());
  leave(kA);
  states[kB].setVisible({kLater + 1000, kLater + 2000});
  links.setLinked(true);
  EXPECT_EQ(visible(kA).length(), visible(kB).length());
}

TEST_F(Linked, OnCanvasesOfUnequalWidthAPixelIsAsLong) {
  match();
  links.setWidths({1000, 500});
  states[kA].setVisible({20'000, 60'000});
  EXPECT_EQ(visible(kB).length(), 20'000);
  states[kB].zoomAround(visible(kB).begin, 0.5);
  EXPECT_EQ(visible(kB).length() * 2, visible(kA).length());
}

TEST_F(Linked, OnlyRowsThatDifferAreShownAndComeBack) {
  match();
  links.setOnlyDiffering(true);
  EXPECT_EQ(canvas(kA).rowLayout().boxOf(3), -1);
  EXPECT_EQ(canvas(kB).rowLayout().boxOf(4), -1);
  EXPECT_GE(canvas(kB).rowLayout().boxOf(3), 0);
  links.setOnlyDiffering(false);
  EXPECT_GE(canvas(kA).rowLayout().boxOf(3), 0);
  EXPECT_TRUE(states[kB].arrangement() == RowArrangement());
}

TEST_F(Linked, StepsGoToWhatChangedMostAndRoundTheEnd) {
  match();
  links.stepChange(true);
  EXPECT_EQ(states[kA].current(), (trace::EventRef{0, 30}));
  EXPECT_EQ(states[kB].current(), (trace::EventRef{1, 30}));
  EXPECT_EQ(Remarks::of(states[kA]).text(), "1 of 2 changes, biggest first: gemm, 1.50 µs longer");
  links.stepChange(true);
  EXPECT_EQ(states[kB].current(), (trace::EventRef{1, 59}));
  EXPECT_FALSE(states[kA].current());
  links.stepChange(true);
  EXPECT_EQ(states[kA].current(), (trace::EventRef{0, 30}));
  links.stepChange(false);
  EXPECT_EQ(states[kB].current(), (trace::EventRef{1, 59}));
}

TEST_F(Linked, BarsHaveTheColourOfTheirOwnChangeAndATooltipTellsBoth) {
  Theme::instance().setColouring({.by = Colouring::By::kChange});
  match();
  states[kA].setVisible({36'000, 44'000});
  const QImage picture = canvas(kA).grab().toImage();
  const RowBox& box = canvas(kA).rowLayout().boxes()[0];
  const auto colourAt = [&](Ns time) {
    return picture.pixel(Scale{visible(kA), canvas(kA).width()}.x(time), box.y + kAir + 2);
  };
  const auto& colours = Theme::palette().colours().changes;
  EXPECT_EQ(colourAt(38'800), colours[0]) << "the 20th is the same";
  EXPECT_EQ(colourAt(40'800), colours[1]) << "the 21st is slower";
  const auto fields = twinFields(links, kB, {1, 30});
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0].label + ' ' + fields[0].value, "Duration in A 1.000 µs");
  EXPECT_EQ(fields[1].value, "+1.500 µs");
  EXPECT_EQ(fields[2].value, "2.500");
  EXPECT_EQ(twinFields(links, kB, {1, 80})[0].value, "no such event");
  Theme::instance().setColouring({});
}

TEST_F(Linked, WhatIsKnownIsForgottenWithTheTraceItWasOf) {
  match();
  ASSERT_TRUE(states[kA].changes());
  TraceFixture other;
  other.lane(EventKind::kKernel, {{0, 10, other.name("x")}});
  states[kB].setTrace(other.finish());
  EXPECT_FALSE(links.matched());
  EXPECT_FALSE(states[kA].changes() || states[kB].changes());
  states[kA].setCurrent(trace::EventRef{0, 30});
  states[kA].setSelection(TimeRange{0, 1000});
  links.stepChange(true);
  EXPECT_EQ(visible(kA).length(), visible(kB).length());
}

}  // namespace
}  // namespace lanescope::views
