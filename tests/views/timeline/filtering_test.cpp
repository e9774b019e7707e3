// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/filtering.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <set>

#include "tests/app/ui/event_loop.h"
#include "tests/support/trace_fixture.h"
#include "views/panels/phrase_line.h"
#include "views/panels/search.h"
#include "views/panels/selection_panel.h"
#include "views/tables/figure_table.h"
#include "views/theme.h"
#include "views/timeline/arrange.h"
#include "views/timeline/canvas.h"
#include "views/timeline/commands.h"
#include "views/timeline/headers.h"
#include "views/timeline/timeline.h"

namespace lanescope::views {
namespace {

using analysis::Condition;
using trace::Event;
using trace::EventKind;
using trace::EventRef;
using trace::Ns;
using trace::TraceFixture;

/// A row where "gemm" and "copy" take turns, a row of "copy" only.
class FilteringTest : public testing::Test {
 protected:
  FilteringTest() {
    TraceFixture fixture;
    std::vector<Event> mixed, copies;
    for (Ns i = 0; i < 100; ++i) {
      mixed.push_back({1000 * i, 1000 * i + 1000, fixture.name(i % 2 == 0 ? "gemm" : "copy")});
      copies.push_back({1000 * i, 1000 * i + 500, fixture.name("copy")});
    }
    state.setTrace(fixture.lane(EventKind::kKernel, mixed).lane(EventKind::kKernel, copies).finish());
    state.setVisible({0, 10'000});
    canvas.resize(1000, 100);
    canvas.grab();
  }

  void filter(std::string_view words) {
    filtering.add(Condition::words(words, false).value());
    settle();
  }
  void settle() {
    ASSERT_TRUE(test::runUntil([&] { return !filtering.running(); }));
  }

  ViewState state;
  TimelineCanvas canvas{state};
  Headers headers{state};
  Filtering& filtering = Filtering::of(state);
};

TEST_F(FilteringTest, TheTimelineFollows) {
  ASSERT_EQ(canvas.rowLayout().boxes().size(), 2U);
  ASSERT_EQ(canvas.hit({150, 10})->event, (EventRef{0, 1}));
  filter("gemm");
  EXPECT_EQ(canvas.rowLayout().boxes().size(), 1U) << "a row with nothing left";
  EXPECT_FALSE(canvas.hit({150, 10}));
  EXPECT_EQ(canvas.hit({250, 10})->event, (EventRef{0, 2}));
  EXPECT_EQ(state.passing()->events(), 50U);
  filtering.clear();
  EXPECT_EQ(canvas.rowLayout().boxes().size(), 2U);
  EXPECT_EQ(canvas.hit({150, 10})->event, (EventRef{0, 1}));
}

TEST_F(FilteringTest, WhatIsLeftOutCanBeDimmedInsteadAndIsThenThereToPointAt) {
  const auto at = [&](int x) { return canvas.grab().toImage().pixel(x, 10); };
  const QRgb gemm = at(250), copy = at(150);
  filter("gemm");
  const auto events = state.passing()->events();
  state.setDimsRest(true);
  EXPECT_EQ(canvas.rowLayout().boxes().size(), 2U) << "also a row with nothing left";
  EXPECT_EQ(at(250), gemm);
  const QRgb canvasColour = Theme::colours().canvas.rgb();
  EXPECT_NE(at(150), copy);
  EXPECT_NE(at(150), canvasColour);
  EXPECT_LT(contrast(at(150), canvasColour), contrast(copy, canvasColour));
  EXPECT_EQ(canvas.hit({150, 10})->event, (EventRef{0, 1}));
  QTest::mouseClick(&canvas, Qt::LeftButton, {}, {150, 10});
  EXPECT_EQ(state.current(), (EventRef{0, 1}));
  stepEvent(state, true);
  EXPECT_EQ(state.current(), (EventRef{0, 2}));
  stepEvent(state, true);
  EXPECT_EQ(state.current(), (EventRef{0, 4})) << "steps pass it by";
  EXPECT_EQ(state.passing()->events(), events) << "and counts are as they were";
  canvas.resize(20, 100);
  state.setVisible({0, 100'000});
  const auto hit = canvas.hit({10, 10});
  ASSERT_TRUE(hit) << "many in one pixel";
  EXPECT_EQ(hit->event.lane, 0u);
  canvas.resize(1000, 100);
  state.setVisible({0, 10'000});
  state.setCurrent(EventRef{0, 1});
  state.setDimsRest(false);
  EXPECT_EQ(state.current(), std::nullopt);
  EXPECT_FALSE(canvas.hit({150, 10}));
}

TEST(Slice, WhatPassesLiesOverTheRestWhichKeepsThePixelsBetween) {
  const auto span = [](int x, int width, std::uint32_t event) {
    Span made;
    made.x = x;
    made.width = width;
    made.event = event;
    made.colour = 0xFF000000 + event;
    return made;
  };
  const LaneSlice passing{{span(3, 2, 1), span(8, 3, 3)}, {}},
      all{{span(0, 7, 5), span(7, 1, 6), span(8, 1, 7), span(9, 4, 8)}, {}};
  std::string text;
  for (const Span& each : overDimmed(passing, all, [](QRgb colour) { return colour + 0x100; }).spans)
    text += std::to_string(each.x) + '+' + std::to_string(each.width) + '#' + std::to_string(each.event) +
            (each.flags & Span::kDimmed && each.colour == 0xFF000100 + each.event ? "dim " : " ");
  EXPECT_EQ(text, "0+3#5dim 3+2#1 5+2#5dim 7+1#6dim 8+3#3 11+2#8dim ");
}

TEST_F(FilteringTest, TheMenuOfAKeyIsOfTheCurrentEventAndElseOfTheRow) {
  canvas.show();
  const auto offered = [&] {
    QStringList texts;
    QPoint at;
    QTimer::singleShot(0, &canvas, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      ASSERT_TRUE(menu);
      for (QAction* action : menu->actions() + menu->findChild<QMenu*>("filter")->actions()) texts += action->text();
      at = canvas.mapFromGlobal(menu->pos());
      menu->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Keyboard, canvas.rect().center(), canvas.mapToGlobal(QPoint(500, 50)));
    QApplication::sendEvent(&canvas, &event);
    return std::pair(texts, at);
  };
  state.setCurrentRow(0);
  state.setCurrent(EventRef{0, 1});
  const auto [texts, at] = offered();
  EXPECT_TRUE(texts.contains("Zoom to it") && texts.contains("Show only copy")) << texts.join('|').toStdString();
  EXPECT_TRUE(QRect(100, 0, 100, 24).contains(at)) << at.x() << " " << at.y();
  EXPECT_EQ(state.current(), (EventRef{0, 1})) << "not what lies in the middle";
  state.setCurrent(std::nullopt);
  EXPECT_FALSE(offered().first.contains("Zoom to it"));
  EXPECT_FALSE(state.current());
}

TEST_F(FilteringTest, APinnedRowWithNothingLeftGoesAndAHiddenOneStaysHidden) {
  const auto key = [&](std::uint32_t row) { return state.trace()->rows[row].key; };
  RowArrangement arrangement;
  arrangement.pinned = {key(1)};
  state.setArrangement(arrangement);
  filter("gemm");
  ASSERT_EQ(canvas.rowLayout().boxes().size(), 1U);
  EXPECT_EQ(canvas.rowLayout().boxes().front().row, 0U);
  arrangement.pinned.clear();
  arrangement.hidden = {key(0)};
  state.setArrangement(arrangement);
  EXPECT_TRUE(canvas.rowLayout().boxes().empty());
  filtering.clear();
  ASSERT_EQ(canvas.rowLayout().boxes().size(), 1U);
  EXPECT_EQ(canvas.rowLayout().boxes().front().row, 1U);
}

TEST_F(FilteringTest, NextAndPreviousEventSkipWhatIsLeftOut) {
  filter("gemm");
  state.setCurrent(EventRef{0, 2});
  stepEvent(state, true);
  EXPECT_EQ(state.current(), (EventRef{0, 4}));
  stepEvent(state, false);
  stepEvent(state, false);
  EXPECT_EQ(state.current(), (EventRef{0, 0}));
}

TEST_F(FilteringTest, TheCurrentEventIsLetGoWhenItIsLeftOut) {
  state.setCurrent(EventRef{0, 1});
  filter("gemm");
  EXPECT_FALSE(state.current());
}

TEST_F(FilteringTest, AConditionStandsOnceAndLeavesAlone) {
  filter("gemm");
  filter("gemm");
  ASSERT_EQ(filtering.filter().size(), 1U);
  filter("dur>2s");
  EXPECT_EQ(state.passing()->events(), 0U);
  filtering.remove(1);
  settle();
  EXPECT_EQ(state.passing()->events(), 50U);
}

TEST_F(FilteringTest, TheMenuOfAnEventFiltersByWhatItIs) {
  QMenu menu;
  filtering.addMenu(menu, EventRef{0, 0}, 0);
  QMenu* sub = menu.findChild<QMenu*>("filter");
  ASSERT_TRUE(sub);
  const auto action = [&](const QString& text) -> QAction* {
    for (QAction* each : sub->actions())
      if (each->text() == text) return each;
    return nullptr;
  };
  ASSERT_TRUE(action("Hide gemm"));
  EXPECT_FALSE(action("Remove filter")->isEnabled());
  EXPECT_FALSE(action("Filter and zoom in")->isEnabled()) << "nothing is selected";
  action("Hide gemm")->trigger();
  settle();
  EXPECT_EQ(state.passing()->events(), 150U);
}

TEST_F(FilteringTest, ARightClickOffersTheEventUnderIt) {
  QString copied;
  QTimer::singleShot(0, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_TRUE(menu);
    menu->actions().front()->trigger();  // Copy tooltip
    copied = QGuiApplication::clipboard()->text();
    for (QAction* action : menu->findChild<QMenu*>("filter")->actions())
      if (action->text() == "Show only gemm") action->trigger();
    menu->close();
  });
  QContextMenuEvent event(QContextMenuEvent::Mouse, {250, 10}, canvas.mapToGlobal(QPoint(250, 10)));
  QApplication::sendEvent(&canvas, &event);
  settle();
  EXPECT_EQ(filtering.filter().size(), 1U);
  EXPECT_EQ(state.passing()->events(), 50U);
  EXPECT_TRUE(copied.startsWith("gemm\nStart\t")) << copied.toStdString();
}

TEST_F(FilteringTest, APinnedRowThatStandsStillHasItsShareToo) {
  auto figured = std::make_shared<trace::Trace>(*state.trace());
  figured->rows[0].busy = std::make_shared<const trace::BusyUnion>(figured->lanes);
  state.setTrace(figured);
  headers.resize(268, 60);
  togglePin(state, 0);
  filter("copy");
  headers.setScrollY(12);
  headers.figure(0);
  EXPECT_TRUE(test::runUntil([&] { return headers.figure(0).text == "50.0 %"; }))
      << headers.figure(0).text.toStdString();
}

TEST_F(FilteringTest, FilterAndZoomInKeepsWhatTouchesTheSelection) {
  state.setSelection(trace::TimeRange{2000, 4000});
  filtering.filterAndZoomIn();
  settle();
  EXPECT_EQ(state.visible(), (trace::TimeRange{2000, 4000}));
  EXPECT_EQ(state.passing()->events(), 4U);
}

/// The bar of a whole timeline, driven by keys.
class FilterBarTest : public FilteringTest {
 protected:
  FilterBarTest() {
    timeline.resize(1200, 300);
    timeline.show();
  }
  QList<QToolButton*> chips() {
    QList<QToolButton*> shown;
    for (QToolButton* chip : bar.findChildren<QToolButton*>("filterChip"))
      if (!chip->isHidden()) shown += chip;
    return shown;
  }
  void type(const QString& text) {
    bar.focus();
    QTest::keyClicks(&bar.field(), text);
    QTest::keyClick(&bar.field(), Qt::Key_Return);
    settle();
  }

  Timeline timeline{state};
  FilterBar& bar = *timeline.filterBar();
};

TEST_F(FilterBarTest, ComesWhenAskedForAndEnterAddsAChip) {
  EXPECT_TRUE(bar.isHidden());
  type("gemm");
  EXPECT_TRUE(bar.isVisible());
  ASSERT_EQ(chips().size(), 1);
  EXPECT_EQ(chips().front()->text(), QString("Only: gemm  ×"));
  EXPECT_EQ(bar.field().text(), QString());
  EXPECT_TRUE(bar.countText().startsWith("50 of "));
  type("dur<2us");
  EXPECT_EQ(chips().size(), 2);
}

TEST_F(FilterBarTest, TakesMoreLinesWhereOneIsTooNarrowAndWidensNothing) {
  for (const char* words : {"gemm", "dur>1ns", "dur<1s", "kind:kernel", "dur>2ns", "dur<2s"}) type(words);
  const auto lines = [&](int width) {
    timeline.resize(width, 400);
    QApplication::processEvents();
    EXPECT_EQ(timeline.width(), width);
    std::set<int> tops;
    const QList<QToolButton*> all = chips();
    for (const QToolButton* one : all) {
      tops.insert(one->y());
      EXPECT_TRUE(bar.rect().contains(one->geometry())) << one->text().toStdString();
      for (const QToolButton* other : all)
        EXPECT_TRUE(one == other || !one->geometry().intersects(other->geometry())) << one->text().toStdString();
    }
    return tops.size();
  };
  EXPECT_EQ(lines(2000), 1u);
  const int height = bar.height();
  EXPECT_GE(lines(620), 2u);
  EXPECT_GT(bar.height(), height);
}

TEST_F(FilterBarTest, KeysAreTheTimelinesAgainAfterAChipAndAfterEsc) {
  timeline.activateWindow();
  type("gemm");
  EXPECT_TRUE(timeline.canvas()->hasFocus());
  for (QWidget* each : bar.findChildren<QWidget*>()) {
    if (!each->isVisible() || !(each->focusPolicy() & Qt::TabFocus)) continue;
    each->setFocus();
    QTest::keyClick(each, Qt::Key_Escape);
    EXPECT_TRUE(timeline.canvas()->hasFocus()) << each->accessibleName().toStdString();
  }
  EXPECT_EQ(filtering.filter().size(), 1U);
}

TEST_F(FilterBarTest, AChipGoesByClickAndByDelete) {
  type("gemm");
  type("dur<2us");
  QTest::mouseClick(chips().front(), Qt::LeftButton);
  settle();
  ASSERT_EQ(chips().size(), 1);
  EXPECT_EQ(chips().front()->text(), QString("Only: dur<2us  ×"));
  QTest::keyClick(chips().front(), Qt::Key_Delete);
  settle();
  EXPECT_TRUE(chips().empty());
  EXPECT_FALSE(state.passing());
  EXPECT_TRUE(bar.isHidden()) << "with the filter";
}

TEST_F(FilterBarTest, WhatIsAddedIsShownOnlyOrHiddenAndTheChipSaysWhich) {
  bar.focus();
  auto* hide = bar.findChild<QToolButton*>("hideAdded");
  EXPECT_EQ(hide->text(), "Hide");
  QTest::mouseClick(hide, Qt::LeftButton);
  EXPECT_TRUE(hide->isChecked());
  type("gemm");
  ASSERT_EQ(chips().size(), 1);
  EXPECT_EQ(chips().front()->text(), QString("Hidden: gemm  ×"));
  EXPECT_EQ(state.passing()->events(), 150u) << "of 200";
  for (QToolButton* each : bar.findChildren<QToolButton*>())
    if (each->text() == "Show only") QTest::mouseClick(each, Qt::LeftButton);
  EXPECT_FALSE(hide->isChecked()) << "one of the two";
}

TEST_F(FilterBarTest, ClearAllRemovesTheFilter) {
  type("gemm");
  QTest::mouseClick(bar.findChild<QToolButton*>("clearFilter"), Qt::LeftButton);
  EXPECT_TRUE(filtering.filter().empty());
  EXPECT_FALSE(state.passing());
}

TEST_F(FilterBarTest, AWrongConditionIsSaidAndNotAdded) {
  type("dur>");
  EXPECT_TRUE(chips().empty());
  EXPECT_FALSE(bar.mistake().isEmpty());
  EXPECT_EQ(bar.countText(), bar.mistake());
  EXPECT_TRUE(bar.field().property("wrong").toBool());
}

TEST_F(FilterBarTest, FiguresFollowUnlessAllAreToCount) {
  SelectionPanel panel;
  panel.resize(900, 260);
  panel.setView(&state);
  panel.show();
  const auto lines = [&] {
    return test::runUntil([&] { return !panel.working(); }) ? panel.names().figures().rows.size() : 0;
  };
  EXPECT_EQ(lines(), 2U);
  type("gemm");
  EXPECT_EQ(lines(), 1U);
  EXPECT_TRUE(panel.line().text().contains("filtered"));
  QTest::mouseClick(bar.findChild<QToolButton*>("countAll"), Qt::LeftButton);
  EXPECT_EQ(lines(), 2U);
  EXPECT_FALSE(panel.line().text().contains("filtered"));
  EXPECT_EQ(state.passing()->events(), 50U) << "the picture stays filtered";
}

TEST_F(FilterBarTest, TheFindLooksAtWhatIsShown) {
  Search& search = Search::of(state);
  search.look("copy", false);
  ASSERT_TRUE(test::runUntil([&] { return !search.running(); }));
  EXPECT_EQ(search.count(), 150U);
  filter("gemm");
  ASSERT_TRUE(test::runUntil([&] { return !search.running(); }));
  EXPECT_EQ(search.count(), 0U);
}

TEST_F(FilteringTest, ARightClickMakesTheEventCurrentAndOffersToZoomAndToFindItsName) {
  QString wanted;
  QObject::connect(&canvas, &TimelineCanvas::findWanted, [&](const QString& name) { wanted = name; });
  QTimer::singleShot(0, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_TRUE(menu);
    for (QAction* action : menu->actions())
      if (action->text() == "Zoom to it" || action->text() == "Find all of this name") action->trigger();
    menu->close();
  });
  QContextMenuEvent event(QContextMenuEvent::Mouse, {250, 10}, canvas.mapToGlobal(QPoint(250, 10)));
  QApplication::sendEvent(&canvas, &event);
  ASSERT_TRUE(state.current());
  const trace::TimeRange time = state.trace()->time(*state.current());
  EXPECT_LT(state.visible().length(), 2 * time.length());
  EXPECT_TRUE(state.visible().contains(time.begin));
  EXPECT_EQ(wanted, "gemm");
  EXPECT_NE(state.currentRow(), trace::kNone);
}

}  // namespace
}  // namespace lanescope::views
