// SPDX-License-Identifier: GPL-3.0-or-later
// A person clicks around in the whole window, in reports with names of every kind.
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QHelpEvent>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QTreeWidget>
#include <algorithm>

#include "app/ui/docks.h"
#include "app/ui/main_window.h"
#include "model/utf8.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"
#include "views/panels/details_panel.h"
#include "views/timeline/timeline.h"
#include "views/timeline/tooltip.h"

namespace lanescope::ui {
namespace {

using test::runUntil;

struct Clicking : testing::Test {
  ReportTab& open(const std::filesystem::path& file) {
    window.resize(1400, 900);
    window.show();
    QApplication::setActiveWindow(&window);
    ReportTab* tab = window.tabs().open(file);
    EXPECT_TRUE(runUntil([&] { return tab->session().phase() != Session::Phase::kLoading; }));
    return *tab;
  }
  /// The middle of an event, where the timeline shows it.
  static QPoint placeOf(ReportTab& tab, trace::EventRef event) {
    views::TimelineCanvas& canvas = *tab.timeline().canvas();
    const trace::TimeRange time = tab.view().trace()->time(event), visible = tab.view().visible();
    const auto x = (time.begin + time.length() / 2 - visible.begin) * canvas.width() / visible.length();
    for (int y = 2; y < canvas.height(); y += 8) {
      const QPoint at(static_cast<int>(x), y);
      if (const auto hit = canvas.hit(at); hit && hit->event == event) return at;
    }
    ADD_FAILURE() << "the timeline does not show it";
    return {};
  }
  /// Clicks the middle of an event where the timeline shows it, and waits for its details.
  void click(ReportTab& tab, trace::EventRef event) {
    QTest::mouseClick(tab.timeline().canvas(), Qt::LeftButton, {}, placeOf(tab, event));
    EXPECT_EQ(tab.view().current(), event);
    EXPECT_TRUE(runUntil([&] { return !window.findChild<Docks*>()->fetching(); }));
    QApplication::processEvents();
  }

  const test::TemporaryFolder reports;
  QTemporaryDir folder;
  Settings settings{folder.filePath("viewer.ini")};
  MainWindow window{settings};
};

TEST_F(Clicking, TenEventsLeaveThePanelsAsTheyAre) {  // GUI-18
  test::ReportBuilder builder(reports / "a.sqlite");
  for (int i = 0; i < 10; ++i)
    builder.add(test::K{.start = i * 100, .end = i * 100 + 60 + i, .name = std::string(1 + 40 * i, 'k')});
  ReportTab& tab = open(builder.write());
  tab.setFocus();
  click(tab, {0, 0});
  auto* details = window.findChild<QDockWidget*>("details");
  auto* tree = window.findChild<views::DetailsPanel*>()->findChild<QTreeWidget*>();
  QTreeWidgetItem* section = nullptr;
  for (int i = 0; i < tree->topLevelItemCount() && !section; ++i)
    if (tree->topLevelItem(i)->childCount() > 0) section = tree->topLevelItem(i);
  ASSERT_TRUE(section);
  const QString title = section->text(0);
  section->setExpanded(false);
  const QRect place = details->geometry(), canvas = tab.timeline().canvas()->geometry();
  const qsizetype windows = QApplication::topLevelWidgets().size();
  for (std::uint32_t i = 0; i < 10; ++i) {
    click(tab, {0, i});
    EXPECT_EQ(details->geometry(), place) << i;
    EXPECT_EQ(tab.timeline().canvas()->geometry(), canvas) << i;
    EXPECT_EQ(QApplication::focusWidget(), tab.timeline().canvas()) << i;
    EXPECT_EQ(QApplication::topLevelWidgets().size(), windows) << "nothing pops up";
    bool folded = false;
    for (int k = 0; k < tree->topLevelItemCount(); ++k)
      folded |= tree->topLevelItem(k)->text(0) == title && !tree->topLevelItem(k)->isExpanded();
    EXPECT_TRUE(folded) << title.toStdString();
  }
}

/// Two kernels with 810 µs between them, most of which the host waits.
TEST_F(Clicking, AGapOfAGpuSaysItsCauseAndWhoIsToBlame) {
  constexpr std::int64_t kUs = 1000;
  test::ReportBuilder builder(reports / "a.sqlite");
  builder.add(test::R{.start = 0, .end = 10 * kUs, .correlation = 1})
      .add(test::K{.start = 20 * kUs, .end = 120 * kUs, .correlation = 1, .name = "gemm"})
      .add(test::R{.start = 15 * kUs, .end = 900 * kUs, .name = "cudaStreamSynchronize_v3020"})
      .add(test::R{.start = 910 * kUs, .end = 920 * kUs, .correlation = 2})
      .add(test::K{.start = 930 * kUs, .end = 1030 * kUs, .correlation = 2, .name = "gemm"});
  ReportTab& tab = open(builder.write());
  const trace::Trace& trace = *tab.view().trace();
  const auto row = std::ranges::find(trace.rows, trace::RowKind::kIdle, &trace::Row::kind);
  ASSERT_NE(row, trace.rows.end());
  const trace::EventRef gap{row->lanes.front(), 0};

  const QPoint at = placeOf(tab, gap);
  QTest::mouseMove(tab.timeline().canvas(), at);
  const auto* tip = tab.timeline().canvas()->findChild<views::EventTip*>();
  ASSERT_TRUE(runUntil([&] { return tip->isVisible(); }));
  EXPECT_EQ(tip->shown().plain().toStdString(),
            "host in a synchronization call\nStart\t120.000 µs\nDuration\t810.000 µs\n"
            "Culprit\tcudaStreamSynchronize on thread 1\nCovers\t96.3 % of the gap");

  click(tab, gap);
  auto* panel = window.findChild<views::DetailsPanel*>();
  panel->findChild<QPushButton*>("copyAll")->click();
  const QString details = QApplication::clipboard()->text();
  for (const char* line : {"host in a synchronization call", "GPU idle, named by its cause", "cudaStreamSynchronize"})
    EXPECT_TRUE(details.contains(line)) << details.toStdString();

  tab.setFocus();
  QTest::keyClick(tab.timeline().canvas(), Qt::Key_J);
  ASSERT_TRUE(tab.view().current());
  EXPECT_EQ((*trace.names)[trace.name(*tab.view().current())].label, "cudaStreamSynchronize");
}

TEST_F(Clicking, DetailsLeadFromALaunchToItsWorkAndBack) {
  test::ReportBuilder builder(reports / "a.sqlite");
  builder.add(test::R{.start = 0, .end = 10, .correlation = 1})
      .add(test::K{.start = 20, .end = 120, .correlation = 1, .name = "gemm<float>(int)"})
      .add(test::R{.start = 30, .end = 40, .correlation = 2, .name = "cudaGraphLaunch_v10000"})
      .add(test::K{.start = 130, .end = 140, .correlation = 2, .name = "first"})
      .add(test::K{.start = 150, .end = 160, .correlation = 2, .name = "second"});
  ReportTab& tab = open(builder.write());
  auto* tree = window.findChild<views::DetailsPanel*>()->findChild<QTreeWidget*>();
  const auto named = [&](const char* label) {
    const trace::Trace& trace = *tab.view().trace();
    for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
      for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i)
        if ((*trace.names)[trace.name({lane, i})].label == label) return trace::EventRef{lane, i};
    ADD_FAILURE() << label;
    return trace::EventRef{};
  };
  const auto settle = [&] {
    EXPECT_TRUE(runUntil([&] { return !window.findChild<Docks*>()->fetching(); }));
    QApplication::processEvents();
  };
  const auto link = [&](const char* label) {
    for (QTreeWidgetItemIterator each(tree); *each; ++each)
      if ((*each)->text(0) == label) return *each;
    ADD_FAILURE() << label;
    return static_cast<QTreeWidgetItem*>(nullptr);
  };
  const trace::EventRef launch = named("cudaLaunchKernel"), kernel = named("gemm");
  views::ViewState& view = tab.view();
  view.setCurrent(launch);
  settle();
  QTreeWidgetItem* launched = link("Launched");
  ASSERT_TRUE(launched);
  EXPECT_EQ(launched->text(1), "gemm");
  tree->scrollToItem(launched);
  const QRect cell = tree->visualRect(tree->indexFromItem(launched, 1));
  QTest::mouseMove(tree->viewport(), cell.center());
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, {tree->columnWidth(0) / 2, cell.center().y()});
  EXPECT_EQ(view.current(), launch) << "only the value is a link";
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 8, cell.center().y()));
  EXPECT_EQ(view.current(), kernel);
  settle();
  QTreeWidgetItem* by = link("Launched by");
  ASSERT_TRUE(by);
  EXPECT_EQ(by->text(1), "cudaLaunchKernel on thread 1");
  tree->setCurrentItem(by);
  QTest::keyClick(tree, Qt::Key_Return);
  EXPECT_EQ(view.current(), launch) << "by keys, too";
  view.setCurrent(named("cudaGraphLaunch"));
  settle();
  EXPECT_EQ(link("Launched")->text(1), "first and 1 more");
}

TEST_F(Clicking, NamesOfEveryKindAreShownInBoundsAndCopiedWhole) {
  const std::vector<std::string> names = {std::string(512 * 1024, 'x'),
                                          "שלום " + std::string(300, 'k') + " עולם",
                                          "🙂🙃 family 👨‍👩‍👧‍👦",
                                          "line\nbreak\ttab",
                                          "e\u0301\u0301\u0301 内核",
                                          "_ZN" + std::string(1500, '9')};
  test::ReportBuilder builder(reports / "a.sqlite");
  for (std::size_t i = 0; i < names.size(); ++i)
    builder.add(test::K{
        .start = static_cast<std::int64_t>(i) * 100, .end = static_cast<std::int64_t>(i) * 100 + 80, .name = names[i]});
  ReportTab& tab = open(builder.write());
  auto* panel = window.findChild<views::DetailsPanel*>();
  const QRect place = window.findChild<QDockWidget*>("details")->geometry();
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    click(tab, {0, i});
    panel->findChild<QPushButton*>("copyAll")->click();
    const QString whole = QString::fromStdString(repairUtf8(names[i]));  // control characters as pictures
    EXPECT_TRUE(QApplication::clipboard()->text().contains(whole)) << i;
    EXPECT_EQ(window.findChild<QDockWidget*>("details")->geometry(), place) << i;
  }
}

}  // namespace
}  // namespace lanescope::ui
