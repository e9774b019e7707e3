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

#include "app/ui/docks.h"
#include "app/ui/main_window.h"
#include "model/utf8.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"
#include "views/panels/details_panel.h"
#include "views/timeline/timeline.h"

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
  /// Clicks the middle of an event where the timeline shows it, and waits for its details.
  void click(ReportTab& tab, trace::EventRef event) {
    views::TimelineCanvas& canvas = *tab.timeline().canvas();
    const trace::TimeRange time = tab.view().trace()->time(event), visible = tab.view().visible();
    const auto x = (time.begin + time.length() / 2 - visible.begin) * canvas.width() / visible.length();
    for (int y = 2; y < canvas.height(); y += 8) {
      const QPoint at(static_cast<int>(x), y);
      const auto hit = canvas.hit(at);
      if (!hit || hit->event != event) continue;
      QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
      break;
    }
    EXPECT_EQ(tab.view().current(), event);
    EXPECT_TRUE(runUntil([&] { return !window.findChild<Docks*>()->fetching(); }));
    QApplication::processEvents();
  }

  const test::TemporaryFolder reports;
  QTemporaryDir folder;
  Settings settings{folder.filePath("viewer.ini")};
  MainWindow window{settings};
};

TEST_F(Clicking, TenEventsLeaveThePanelsAsTheyAre) {
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
