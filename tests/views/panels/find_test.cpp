// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QLabel>
#include <QTest>
#include <QToolButton>

#include "tests/app/ui/event_loop.h"
#include "tests/views/panels/panel_trace.h"
#include "views/panels/find_bar.h"
#include "views/panels/find_panel.h"
#include "views/panels/search.h"
#include "views/tables/figure_table.h"
#include "views/tables/hit_table.h"
#include "views/timeline/filtering.h"

namespace lanescope::views {
namespace {

using test::runUntil;
using trace::EventRef;

class FindTest : public testing::Test {
 protected:
  FindTest() {
    view.setTrace(panelTrace());
    view.setVisible({0, 1'000'000});
    bar.setSearch(&search);
    bar.show();
    panel.setSearch(&search);
    panel.resize(800, 300);
    panel.show();
  }
  void type(const QString& text) { QTest::keyClicks(&bar.field(), text); }
  bool settled() {
    return runUntil([this] { return !search.running() && !panel.findChild<LatestJob*>()->running(); });
  }

  ViewState view;
  Search& search = Search::of(view);
  FindBar bar;
  FindPanel panel;
};

TEST_F(FindTest, SearchesWhileSomethingIsTyped) {
  type("atten");
  ASSERT_TRUE(settled());
  EXPECT_EQ(bar.countText(), "3 hits");
  ASSERT_TRUE(view.hits());
  EXPECT_EQ(view.hits()->count, 3u);
  type("x");
  ASSERT_TRUE(settled());
  EXPECT_EQ(bar.countText(), "no hits");
  QTest::keyClick(&bar.field(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(&bar.field(), Qt::Key_Delete);
  ASSERT_TRUE(settled());
  EXPECT_EQ(bar.countText(), QString());
  EXPECT_FALSE(view.hits());
}

TEST_F(FindTest, EnterGoesToTheNextHitAndRoundTheEnd) {
  type("atten");
  QTest::keyClick(&bar.field(), Qt::Key_Return);  // before the hits are there
  ASSERT_TRUE(settled());
  EXPECT_EQ(view.current(), (EventRef{0, 0}));
  EXPECT_EQ(bar.countText(), "1 of 3");
  QTest::keyClick(&bar.field(), Qt::Key_Return);
  EXPECT_EQ(view.current(), (EventRef{0, 1}));
  QTest::keyClick(&bar.field(), Qt::Key_Return, Qt::ShiftModifier);
  QTest::keyClick(&bar.field(), Qt::Key_Return, Qt::ShiftModifier);
  EXPECT_EQ(view.current(), (EventRef{0, 3}));
  EXPECT_EQ(bar.countText(), "3 of 3");
  EXPECT_EQ(view.currentRow(), 0u);
}

TEST_F(FindTest, TheButtonsStepAsTheKeysDo) {
  const auto button = [this](const QString& name) {
    for (auto* each : bar.findChildren<QToolButton*>())
      if (each->accessibleName() == name) return each;
    return static_cast<QToolButton*>(nullptr);
  };
  EXPECT_FALSE(button("Next hit")->isEnabled());
  type("feed");
  ASSERT_TRUE(settled());
  QTest::mouseClick(button("Next hit"), Qt::LeftButton);
  EXPECT_EQ(view.current(), (EventRef{0, 2}));
  QTest::mouseClick(button("Previous hit"), Qt::LeftButton);
  EXPECT_EQ(view.current(), (EventRef{0, 2})) << "the only one";
}

TEST_F(FindTest, AWrongExpressionIsMarkedAndFindsNothing) {
  type("att");
  ASSERT_TRUE(settled());
  for (auto* each : bar.findChildren<QToolButton*>())
    if (each->isCheckable()) QTest::mouseClick(each, Qt::LeftButton);
  ASSERT_TRUE(settled());
  EXPECT_EQ(bar.countText(), "3 hits");
  type("(");
  EXPECT_TRUE(bar.field().property("wrong").toBool());
  EXPECT_EQ(bar.field().toolTip(), *search.mistake());
  EXPECT_FALSE(view.hits());
  EXPECT_EQ(panel.headline(), *search.mistake());
  EXPECT_EQ(bar.countText(), *search.mistake()) << "why, in words";
  QTest::keyClick(&bar.field(), Qt::Key_Backspace);
  ASSERT_TRUE(settled());
  EXPECT_FALSE(bar.field().property("wrong").toBool());
  EXPECT_EQ(bar.countText(), "3 hits");
}

TEST_F(FindTest, HitsOfATableAreNoLongerCalledFilteredWithoutTheFilter) {
  Filtering& filtering = Filtering::of(view);
  filtering.add(analysis::Condition::words("atten", false).value());
  ASSERT_TRUE(runUntil([&] { return view.passing() && !filtering.running(); }));
  search.show(std::make_shared<const analysis::Hits>(
                  analysis::find(*view.trace(), *analysis::Query::parse("atten", false), {}, view.passing().get())),
              "attention");
  const auto* count = bar.findChild<QLabel*>();
  EXPECT_EQ(count->text(), "3 hits, filtered");
  filtering.clear();
  ASSERT_TRUE(runUntil([&] { return !view.passing(); }));
  EXPECT_EQ(count->text(), "3 hits");
}

TEST_F(FindTest, EscLeavesTheFieldAndEscInTheTimelineDropsTheHits) {
  int left = 0;
  QObject::connect(&bar, &FindBar::left, [&] { ++left; });
  type("feed");
  ASSERT_TRUE(settled());
  QTest::keyClick(&bar.field(), Qt::Key_Escape);
  EXPECT_EQ(left, 1);
  EXPECT_EQ(bar.field().text(), "feed");
  view.clear();  // what Esc does there
  EXPECT_EQ(bar.field().text(), QString());
  EXPECT_EQ(bar.countText(), QString());
}

TEST_F(FindTest, EachReportKeepsItsOwnQuery) {
  type("feed");
  ASSERT_TRUE(settled());
  ViewState other;
  other.setTrace(panelTrace());
  bar.setSearch(&Search::of(other));
  EXPECT_EQ(bar.field().text(), QString());
  bar.setSearch(&search);
  EXPECT_EQ(bar.field().text(), "feed");
  EXPECT_EQ(bar.countText(), "1 hit");
}

TEST_F(FindTest, LooksAgainWhenTheReportIsLoadedAnew) {
  type("feed");
  ASSERT_TRUE(settled());
  view.setTrace(trace::TraceFixture().lane(trace::EventKind::kKernel, {{.start = 0, .end = 5}}).finish());
  ASSERT_TRUE(settled());
  EXPECT_EQ(bar.countText(), "no hits");
  view.setTrace(panelTrace());
  ASSERT_TRUE(settled());
  EXPECT_EQ(bar.countText(), "1 hit");
}

TEST_F(FindTest, TheListShowsHitsInOrderOfTime) {
  EXPECT_TRUE(panel.headline().contains("Ctrl+F"));
  type("e");
  ASSERT_TRUE(settled());
  EXPECT_EQ(panel.headline(), QStringLiteral("5 hits · showing all"));
  EXPECT_EQ(panel.table().allText(), QStringLiteral("Start\tDuration\tName\tWhere\n"
                                                    "0 ns\t100.000 µs\tattention<float>(int)\trow 0\n"
                                                    "0 ns\t1.000 000 ms\tcudaMemcpy\trow 2\n"
                                                    "200.000 µs\t100.000 µs\tattention<float>(int)\trow 0\n"
                                                    "400.000 µs\t50.000 µs\tfeed\trow 0\n"
                                                    "600.000 µs\t300.000 µs\tattention<float>(int)\trow 0"));
}

TEST_F(FindTest, AListOfMoreThanAHundredThousandSaysSo) {
  std::vector<trace::Event> events(FindPanel::kMost + 1);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].start = static_cast<trace::Ns>(i) * 2;
    events[i].end = events[i].start + 1;
  }
  trace::TraceFixture fixture;
  for (trace::Event& event : events) event.name = fixture.name("many");
  view.setTrace(fixture.lane(trace::EventKind::kKernel, events).finish());
  type("many");
  ASSERT_TRUE(settled());
  EXPECT_EQ(panel.headline(), QStringLiteral("100 001 hits · showing the first 100 000"));
  EXPECT_EQ(panel.table().model()->rowCount(), 100'000);
}

TEST_F(FindTest, AClosedReportIsLetGoOf) {
  type("e");
  ASSERT_TRUE(settled());
  const std::weak_ptr<const trace::Trace> trace = view.trace();
  panel.setSearch(nullptr);
  search.clear();
  view.setTrace(std::make_shared<const trace::Trace>());
  EXPECT_TRUE(trace.expired());
  EXPECT_EQ(panel.table().model()->rowCount(), 0);
}

TEST_F(FindTest, AClickInTheListGoesThereAndTheListFollowsTheCurrentEvent) {
  type("atten");
  ASSERT_TRUE(settled());
  FigureTable& table = panel.table();
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(1, 0)).center());
  EXPECT_EQ(view.current(), (EventRef{0, 1}));
  EXPECT_EQ(bar.countText(), "2 of 3");
  QTest::keyClick(&table, Qt::Key_Down);
  EXPECT_EQ(view.current(), (EventRef{0, 1})) << "arrows only move";
  QTest::keyClick(&table, Qt::Key_Return);
  EXPECT_EQ(view.current(), (EventRef{0, 3}));
  search.step(true);
  EXPECT_EQ(table.currentRow(), 0u);
}

TEST_F(FindTest, HitsThatWereDroppedWhileASearchRunsDoNotComeBack) {
  type("atten");
  ASSERT_TRUE(settled());
  type("t");  // a search is under way now
  view.clear();
  ASSERT_TRUE(settled());
  EXPECT_FALSE(view.hits());
  EXPECT_EQ(search.text(), QString());
}

TEST_F(FindTest, EnterTypedWhileTheReportGrowsIsNotLost) {
  type("atten");
  QTest::keyClick(&bar.field(), Qt::Key_Return);
  view.setTrace(std::make_shared<trace::Trace>(*view.trace()));  // a later snapshot
  ASSERT_TRUE(settled());
  EXPECT_EQ(view.current(), (EventRef{0, 0}));
}

TEST_F(FindTest, ADoubleClickOnAHitZoomsToIt) {
  type("atten");
  ASSERT_TRUE(settled());
  auto* table = panel.findChild<FigureTable*>();
  const QPoint at = table->visualRect(table->model()->index(1, 0)).center();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, at);
  const trace::TimeRange time = view.trace()->time(*view.current());
  EXPECT_LT(view.visible().length(), time.length() * 2 + 1000);
  EXPECT_TRUE(view.visible().contains(time.begin));
}

}  // namespace
}  // namespace lanescope::views
