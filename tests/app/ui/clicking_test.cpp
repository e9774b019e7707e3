// SPDX-License-Identifier: GPL-3.0-or-later
// A person clicks around in the whole window, in reports with names of every kind.
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QHelpEvent>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QTreeWidget>
#include <algorithm>

#include "app/ui/docks.h"
#include "app/ui/help_place.h"
#include "app/ui/main_window.h"
#include "app/ui/report_bar.h"
#include "model/utf8.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"
#include "views/dialogs/go_to_time.h"
#include "views/dialogs/marked_field.h"
#include "views/panels/details_panel.h"
#include "views/panels/events_panel.h"
#include "views/panels/find_bar.h"
#include "views/tables/figure_table.h"
#include "views/timeline/filtering.h"
#include "views/timeline/marks.h"
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

/// The widgets that ask for more than the least window has, for the message of a test.
std::string wide(const QWidget& window, QSize most) {
  std::string found;
  for (const QWidget* each : window.findChildren<QWidget*>()) {
    const QSize least = each->minimumSizeHint().expandedTo(each->minimumSize());
    if (!each->isVisibleTo(&window) || (least.width() <= most.width() && least.height() <= most.height())) continue;
    found += std::string(each->metaObject()->className()) + " " + each->objectName().toStdString() + " " +
             std::to_string(least.width()) + "x" + std::to_string(least.height()) + "\n";
  }
  return found;
}

TEST_F(Clicking, NothingThatIsShownMakesTheWindowGrow) {
  const std::string longest = "void " + std::string(600, 'k') + "<float>(int)";
  test::ReportBuilder builder(reports / (std::string(200, 'r') + ".sqlite"));
  builder.add(test::K{.start = 0, .end = 100'000, .name = longest})
      .add(test::K{.start = 200'000, .end = 300'000, .name = "feed"});
  ReportTab& tab = open(builder.write());
  click(tab, {0, 0});
  const QSize before = window.size();
  const QRect details = window.findChild<QDockWidget*>("details")->geometry();
  const QSize most(662, 600);
  QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
  views::FilterBar& bar = *tab.timeline().filterBar();
  for (const char* words : {"kind:kernel dur>90us", "dur<1s", "dur<=2s kind:kernel,copy", "stream:7 gpu:0", "dur<3s"}) {
    bar.focus();
    QTest::keyClicks(&bar.field(), words);
    QTest::keyClick(&bar.field(), Qt::Key_Return);
  }
  views::Filtering::of(tab.view()).add(analysis::Condition::words(longest.substr(0, 300), false, true).value());
  window.bar().find().focus();
  QTest::keyClicks(&window.bar().find().field(), "dur>nonsense that is a long sentence of what somebody typed");
  tab.view().setSelection(trace::TimeRange{0, 300'000});
  QTest::keyClick(tab.timeline().canvas(), Qt::Key_R, Qt::ControlModifier);
  tab.say(Error{ErrorCode::kWriteFailed, "/" + std::string(300, 'p'), "no space"});
  for (const double scale : {1.0, 1.4}) {
    views::Theme::instance().setFontScale(scale);
    for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
      dock->show();
      dock->raise();
      QApplication::processEvents();
      const QSize least = window.layout()->totalMinimumSize();
      EXPECT_LE(least.width(), most.width() * scale) << dock->objectName().toStdString() << "\n"
                                                     << wide(window, most / 2);
      EXPECT_LE(least.height(), most.height() * scale) << dock->objectName().toStdString() << "\n"
                                                       << wide(window, most / 3);
      EXPECT_EQ(window.size(), before);
    }
    if (scale == 1) {
      EXPECT_EQ(window.findChild<QDockWidget*>("details")->width(), details.width());
    }
  }
  views::Theme::instance().setFontScale(1);
  for (const QToolButton* chip : bar.findChildren<QToolButton*>("filterChip")) {
    EXPECT_TRUE(bar.rect().contains(chip->geometry()));
    EXPECT_LE(chip->width(), bar.width());
  }
  auto* clear = bar.findChild<QToolButton*>("clearFilter");
  EXPECT_TRUE(bar.rect().contains(clear->geometry()));
  QTest::mouseClick(clear, Qt::LeftButton);
  EXPECT_TRUE(views::Filtering::of(tab.view()).filter().empty());
}

TEST_F(Clicking, AMarkIsNamedAtOnceOnlyWhereItsPanelIsSeen) {
  test::ReportBuilder builder(reports / "a.sqlite");
  ReportTab& tab = open(builder.add(test::K{.start = 0, .end = 1000, .name = "gemm"}).write());
  views::TimelineCanvas* canvas = tab.timeline().canvas();
  canvas->setFocus();
  tab.view().setSelection(trace::TimeRange{100, 300});
  auto* marks = window.findChild<QDockWidget*>("marks");
  ASSERT_TRUE(marks->isVisible()) << "as Qt has it, behind another tab";
  const trace::TimeRange before = tab.view().visible();
  QTest::keyClick(canvas, Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
  QTest::keyClick(canvas, Qt::Key_M, Qt::ControlModifier);
  EXPECT_EQ(QApplication::focusWidget(), canvas);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
  EXPECT_LT(tab.view().visible().length(), before.length());
  ASSERT_EQ(tab.view().marks().all().size(), 2U);
  for (const views::Mark& mark : tab.view().marks().all()) EXPECT_NE(mark.name, "w");

  marks->raise();
  QApplication::processEvents();
  tab.view().setSelection(trace::TimeRange{400, 500});
  QTest::keyClick(canvas, Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_TRUE(qobject_cast<QLineEdit*>(QApplication::focusWidget())) << "the editor of the name";
  QTest::keyClicks(QApplication::focusWidget(), "late");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  EXPECT_TRUE(runUntil([&] { return QApplication::focusWidget() == canvas; }));
  const auto& all = tab.view().marks().all();
  const auto late = std::ranges::find(all, trace::TimeRange{400, 500}, &views::Mark::time);
  ASSERT_NE(late, all.end());
  EXPECT_EQ(late->name, "late");
}

TEST_F(Clicking, LettersGoToTheTimelineFromPanelsAndArrowsDoNot) {
  test::ReportBuilder builder(reports / "a.sqlite");
  for (int i = 0; i < 3; ++i) builder.add(test::K{.start = i * 100, .end = i * 100 + 60, .name = "wide"});
  ReportTab& tab = open(builder.write());
  views::TimelineCanvas* canvas = tab.timeline().canvas();
  const auto zoomed = [&](Qt::Key key) {
    const trace::Ns before = tab.view().visible().length();
    QTest::keyClick(QApplication::focusWidget(), key);
    const bool changed = tab.view().visible().length() != before;
    tab.view().fitAll();
    return changed;
  };
  canvas->setFocus();
  QTabBar* tabs = nullptr;
  for (QTabBar* bar : window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
    for (int i = 0; i < bar->count(); ++i)
      if (bar->tabText(i) == "Events") tabs = bar;
  ASSERT_TRUE(tabs);
  const auto clickTab = [&](const QString& name) {
    for (int i = 0; i < tabs->count(); ++i)
      if (tabs->tabText(i) == name) QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
    QApplication::processEvents();
  };
  clickTab("Events");
  EXPECT_EQ(helpPlace(true), "getting-around#Events") << "F1 right after a click on a tab";
  EXPECT_TRUE(zoomed(Qt::Key_W)) << "which nothing there uses";
  auto& table = *window.findChild<views::EventsPanel*>()->findChild<views::FigureTable*>();
  ASSERT_TRUE(runUntil([&] { return table.model()->rowCount() == 3; }));
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(0, 1)).center());
  ASSERT_EQ(QApplication::focusWidget(), &table);
  tab.view().fitAll();
  EXPECT_FALSE(zoomed(Qt::Key_W)) << "looks up a row";
  QTest::mouseMove(canvas, canvas->rect().center());
  QTest::mouseMove(canvas, canvas->rect().center() + QPoint(5, 5));
  EXPECT_TRUE(zoomed(Qt::Key_W)) << "with the pointer over the timeline";
  EXPECT_EQ(QApplication::focusWidget(), &table);
  const int row = table.currentIndex().row();
  EXPECT_FALSE(zoomed(Qt::Key_Down));
  EXPECT_EQ(table.currentIndex().row(), row + 1) << "arrows stay";
  QLineEdit& field = window.bar().find().field();
  field.setFocus();
  EXPECT_FALSE(zoomed(Qt::Key_W));
  EXPECT_EQ(field.text(), "w");
  clickTab("Selection");
  EXPECT_EQ(helpPlace(true), "getting-around#Selection panel");
}

TEST_F(Clicking, ATimeOrARangeIsGoneToByTypingIt) {
  ReportTab& tab = open(test::ReportBuilder(reports / "a.sqlite")
                            .add(test::K{.start = 1'000'000, .end = 2'000'000})
                            .add(test::K{.start = 8'000'000, .end = 9'000'000})
                            .write());
  const auto type = [&](const QString& text) {
    QTest::keyClick(&window, Qt::Key_G, Qt::ControlModifier);
    auto* dialog = window.findChild<views::GoToTime*>();
    ASSERT_NE(dialog, nullptr);
    QTest::keyClicks(&dialog->field().edit(), text);
    QTest::keyClick(&dialog->field().edit(), Qt::Key_Return);
    if (!dialog->isVisible()) QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
  };
  type("3ms/5000us");
  EXPECT_EQ(tab.view().selection(), (trace::TimeRange{3'000'000, 5'000'000}));
  const trace::TimeRange around = tab.view().visible();
  EXPECT_LT(around.length(), 3'000'000);
  EXPECT_TRUE(around.begin <= 3'000'000 && around.end >= 5'000'000);

  type("+2ms");  // of what begins at 1 ms
  EXPECT_EQ(tab.view().visible().length(), around.length());
  EXPECT_EQ(tab.view().visible().begin + around.length() / 2, 3'000'000);
  EXPECT_EQ(tab.view().selection(), (trace::TimeRange{3'000'000, 5'000'000})) << "an instant selects nothing";

  for (const char* wrong : {"", "soon", "20s", "5ms/4ms"}) {
    type(wrong);
    auto* dialog = window.findChild<views::GoToTime*>();
    ASSERT_NE(dialog, nullptr) << wrong;
    EXPECT_FALSE(dialog->field().complaint().isEmpty()) << wrong;
    QTest::keyClick(dialog, Qt::Key_Escape);
    QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
  }
}

TEST_F(Clicking, WhatIsSearchedInATableIsOfOneReport) {
  const auto write = [this](const char* name, const char* kernel) {
    test::ReportBuilder builder(reports / name);
    return builder.add(test::K{.start = 0, .end = 1000, .name = kernel}).write();
  };
  open(write("a.sqlite", "nccl"));
  const auto second = write("b.sqlite", "gemm");
  for (const char* name : {"statistics", "events"}) {
    auto* dock = window.findChild<QDockWidget*>(name);
    dock->raise();
    QApplication::processEvents();
    auto* table = dock->findChild<views::FigureTable*>();
    QLineEdit* field = nullptr;
    for (QLineEdit* each : dock->findChildren<QLineEdit*>())
      if (each->isVisible() && !each->isReadOnly() && each->placeholderText() != "Search reports") field = each;
    ASSERT_TRUE(field) << name;
    window.tabs().setCurrentIndex(0);
    QTest::keyClicks(field, "nccl");
    EXPECT_TRUE(runUntil([&] { return table->model()->rowCount() == 1; })) << name;
    window.tabs().open(second);
    EXPECT_EQ(field->text(), "") << name;
    EXPECT_TRUE(runUntil([&] { return table->model()->rowCount() == 1; })) << name;
  }
}

}  // namespace
}  // namespace lanescope::ui
