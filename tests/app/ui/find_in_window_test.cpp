// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include "app/ui/main_window.h"
#include "app/ui/report_bar.h"
#include "tests/app/ui/event_loop.h"
#include "tests/app/ui/fake_loader.h"
#include "tests/views/panels/panel_trace.h"
#include "views/panels/find_bar.h"
#include "views/panels/note_line.h"
#include "views/panels/search.h"
#include "views/panels/selection_panel.h"
#include "views/text.h"
#include "views/timeline/canvas.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

using test::runUntil;

class FindInWindow : public testing::Test {
 protected:
  FindInWindow() {
    window.resize(1200, 800);
    window.show();
    window.activateWindow();
    first = open("a.rep");
  }
  ReportTab* open(const char* name) {
    ReportTab* tab = window.tabs().open(name);
    EXPECT_TRUE(runUntil([&] { return tab->session().phase() == Session::Phase::kReady; }));
    return tab;
  }
  views::FindBar& bar() { return window.bar().find(); }
  bool found(ReportTab* tab) {
    return runUntil([&] { return !views::Search::of(tab->view()).running(); });
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("viewer.ini")};
  MainWindow window{settings, test::loaderOf(views::panelTrace())};
  ReportTab* first = nullptr;
};

TEST_F(FindInWindow, CtrlFTypesIntoFindAndLettersDoNotMoveTheTimeline) {
  QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
  ASSERT_TRUE(bar().field().hasFocus());
  const trace::TimeRange before = first->view().visible();
  QTest::keyClicks(QApplication::focusWidget(), "wasdfgz");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Home);
  EXPECT_EQ(first->view().visible(), before);
  EXPECT_EQ(bar().field().text(), "wasdfgz");
}

TEST_F(FindInWindow, EscGoesBackToTheTimelineAndAgainDropsTheHits) {
  QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), "atten");
  ASSERT_TRUE(found(first));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  EXPECT_TRUE(qobject_cast<views::TimelineCanvas*>(QApplication::focusWidget()));
  EXPECT_TRUE(first->view().hits());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  EXPECT_FALSE(first->view().hits());
  EXPECT_EQ(bar().field().text(), QString());
}

TEST_F(FindInWindow, F3StepsWhereverTheKeyboardIs) {
  QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), "atten");
  ASSERT_TRUE(found(first));
  first->setFocus();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_F3);
  EXPECT_EQ(first->view().current(), (trace::EventRef{0, 0}));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_F3, Qt::ShiftModifier);
  EXPECT_EQ(first->view().current(), (trace::EventRef{0, 3}));
}

TEST_F(FindInWindow, ATabKeepsItsQueryAndItsSelection) {
  QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), "feed");
  first->view().setSelection(trace::TimeRange{0, 250'000});
  ReportTab* second = open("b.rep");
  EXPECT_EQ(bar().field().text(), QString());
  auto* panel = window.findChild<views::SelectionPanel*>();
  ASSERT_TRUE(runUntil([&] { return panel->line().text().startsWith("Visible range"); }));
  window.tabs().setCurrentWidget(first);
  EXPECT_EQ(bar().field().text(), "feed");
  ASSERT_TRUE(runUntil([&] { return panel->line().text().startsWith(QStringLiteral("250.0 µs selected")); }));
  window.tabs().close(window.tabs().indexOf(first));
  EXPECT_EQ(window.tabs().current(), second);
  EXPECT_EQ(bar().field().text(), QString());
  window.tabs().close(0);
  EXPECT_EQ(panel->message(), "No report");
}

TEST_F(FindInWindow, TheSelectionIsTheFirstTabBelowAndSeen) {
  const auto* dock = window.findChild<QDockWidget*>("selection");
  ASSERT_TRUE(runUntil([&] { return dock->titleBarWidget() != nullptr; })) << "its tab names it already";
  EXPECT_TRUE(dock->isVisible());
  EXPECT_FALSE(window.findChild<views::SelectionPanel*>()->visibleRegion().isEmpty());
  EXPECT_GT(dock->height(), 150);
}

TEST_F(FindInWindow, TheNameOfAnEventIsFoundAsItIs) {
  const trace::Trace& trace = *first->view().trace();
  const auto name = (*trace.names)[trace.name({0, 0})].text;
  emit first->timeline().canvas()->findWanted(views::toQt(name));
  ASSERT_TRUE(found(first));
  EXPECT_GT(views::Search::of(first->view()).count(), 0U);
  EXPECT_TRUE(bar().field().text().contains(views::toQt(name)));
}

TEST_F(FindInWindow, AKeyThatLeadsNowhereSaysSoAboveTheTimelineUntilAnotherEventIsCurrent) {
  first->setFocus();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_J);
  EXPECT_TRUE(first->noteLine().isVisible());
  EXPECT_EQ(first->noteLine().text(), "No event is current: click one first");
  first->view().setCurrent(trace::EventRef{0, 0});
  EXPECT_FALSE(first->noteLine().isVisible());
}

}  // namespace
}  // namespace lanescope::ui
