// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/statistics_panel.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>

#include "model/analysis/table_text.h"
#include "model/analysis/time_filter.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/loaded_report.h"
#include "tests/support/trace_fixture.h"
#include "views/tables/figure_table.h"
#include "views/theme.h"
#include "views/timeline/filtering.h"

namespace lanescope::views {
namespace {

using test::K;
using test::N;
using test::R;
using test::runUntil;

/// Three calls, each with its kernel, over 1 ms; the second kernel in an NVTX range.
class StatisticsPanelTest : public test::LoadedReport {
 protected:
  StatisticsPanelTest() {
    auto builder = report();
    for (int i = 0; i < 3; ++i)
      builder.add(
          R{.start = i * 300'000, .end = i * 300'000 + 10'000, .correlation = i + 1, .name = "cudaLaunchKernel_v7000"});
    builder.add(K{.start = 20'000, .end = 120'000, .correlation = 1, .name = "void attention<float>(int)"});
    builder.add(K{.start = 320'000, .end = 350'000, .correlation = 2, .name = "void feed<float>(int)"});
    builder.add(K{.start = 620'000, .end = 820'000, .correlation = 3, .name = "void attention<float>(int)"});
    builder.add(N{.start = 290'000, .end = 330'000, .text = "step"});
    trace = load(builder, {.projections = true});
    view.setTrace(trace);
    view.setVisible({0, 1'000'000});
    panel.resize(1400, 320);
    panel.setReport(&view, file());
    panel.show();
    EXPECT_TRUE(settled());
  }
  std::filesystem::path file() const { return folder / "report.sqlite"; }
  bool settled() {
    return runUntil([this] { return !panel.working() && !panel.table().isSorting(); });
  }
  void choose(const QString& title) {
    auto* list = panel.findChild<QListWidget*>();
    for (int i = 0; i < list->count(); ++i) {
      if (list->item(i)->text() != title) continue;
      list->scrollToItem(list->item(i));
      QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(i)).center());
    }
    EXPECT_TRUE(settled());
  }
  template <class Widget>
  Widget* named(const QString& text) {
    for (auto* each : panel.findChildren<Widget*>()) {
      if (each->accessibleName() == text) return each;
      if constexpr (std::is_base_of_v<QAbstractButton, Widget>)
        if (each->text() == text) return each;
    }
    return nullptr;
  }
  void press(const QString& text) {
    QTest::mouseClick(named<QToolButton>(text), Qt::LeftButton);
    EXPECT_TRUE(settled());
  }
  QStringList column(const QString& title) {
    const auto* model = panel.table().model();
    QStringList texts;
    for (int i = 0; i < model->columnCount(); ++i)
      if (panel.table().content().columns[static_cast<std::size_t>(i)].title == title)
        for (int row = 0; row < model->rowCount(); ++row) texts += model->index(row, i).data().toString();
    return texts;
  }
  QPoint rowAt(int row) { return panel.table().visualRect(panel.table().model()->index(row, 1)).center(); }
  void doubleClick(int row) {
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, rowAt(row));
    QTest::mouseDClick(panel.table().viewport(), Qt::LeftButton, {}, rowAt(row));
    EXPECT_TRUE(settled());
  }
  trace::Ns lengthOfCurrent() { return view.current() ? trace->time(*view.current()).length() : 0; }

  trace::TracePtr trace;
  ViewState view;
  StatisticsPanel panel;
};

TEST_F(StatisticsPanelTest, ShowsTheKernelsOfTheVisibleRange) {
  EXPECT_EQ(column("Name"), QStringList({"void attention<float>(int)", "void feed<float>(int)"}));
  EXPECT_EQ(column("Total Time"), QStringList({"300.0 µs", "30.00 µs"}));
  EXPECT_EQ(column("Instances"), QStringList({"2", "1"}));
  EXPECT_EQ(panel.message(), QString());
  view.setVisible({300'000, 400'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(column("Name"), QStringList({"void feed<float>(int)"}));
}

TEST_F(StatisticsPanelTest, TheSelectionAndTheWholeReportAreOtherParts) {
  press("Selection");
  EXPECT_TRUE(panel.message().startsWith("Nothing is selected"));
  view.setSelection(trace::TimeRange{600'000, 900'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(column("Instances"), QStringList({"1"}));
  EXPECT_EQ(panel.message(), QString());
  view.setVisible({300'000, 400'000});
  press("Whole report");
  EXPECT_EQ(column("Instances"), QStringList({"2", "1"}));
}

TEST_F(StatisticsPanelTest, TheCommandLineNamesTheSameScope) {
  view.setVisible({300'000, 400'000});
  ASSERT_TRUE(settled());
  const QString command = panel.command();
  const QString filter = command.section("--filter-time=", 1).section(' ', 0, 0);
  const auto parsed = analysis::parseTimeFilter(filter.toStdString());
  ASSERT_TRUE(parsed) << command.toStdString();
  EXPECT_EQ(resolve(*parsed, trace->range, trace->range, "").value(), view.visibleRecorded());
  EXPECT_TRUE(command.startsWith("lanescope stats -r cuda_gpu_kern_sum --filter-time=")) << command.toStdString();
  EXPECT_TRUE(command.endsWith(QString::fromStdString(file().string()))) << command.toStdString();
  press("Whole report");
  EXPECT_FALSE(panel.command().contains("--filter-time"));
  QTest::mouseClick(panel.findChild<QPushButton*>("copyCommand"), Qt::LeftButton);
  EXPECT_EQ(QApplication::clipboard()->text(), panel.command());
}

TEST_F(StatisticsPanelTest, ReportsAreFoundByNameOrTitleAndTakeArguments) {
  auto* list = panel.findChild<QListWidget*>();
  EXPECT_EQ(static_cast<std::size_t>(list->count()), analysis::statsReports().size());
  auto* search = named<QLineEdit>("Search reports");
  QTest::keyClicks(search, "apitrace");  // an old name
  QStringList shown;
  for (int i = 0; i < list->count(); ++i)
    if (!list->item(i)->isHidden()) shown += list->item(i)->text();
  EXPECT_EQ(shown, QStringList({"CUDA API Trace"}));
  QTest::keyClick(search, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(search, Qt::Key_Delete);

  auto* naming = named<QComboBox>("Names of kernels");
  QTest::keyClick(naming, Qt::Key_Down);
  ASSERT_TRUE(settled());
  EXPECT_EQ(column("Name"), QStringList({"void attention", "void feed"}));
  EXPECT_TRUE(panel.command().contains("cuda_gpu_kern_sum:base"));
  press("NVTX range");
  ASSERT_TRUE(settled());
  EXPECT_EQ(column("Name"), QStringList({"void attention", ":step/void feed"}));
  choose("CUDA API Summary");
  EXPECT_FALSE(naming->isVisible());
  EXPECT_EQ(column("Num Calls"), QStringList({"3"}));
}

TEST_F(StatisticsPanelTest, AReportWithoutDataSaysWhatIsMissing) {
  choose("OS Runtime Summary");
  EXPECT_EQ(panel.message(), "There is no OS Runtime trace data") << "nor is there elsewhere";
}

TEST_F(StatisticsPanelTest, BeginsWithAReportThatHasDataAndKeepsTheChoiceOfTheUser) {
  auto* list = panel.findChild<QListWidget*>();
  const auto current = [&] { return list->currentItem()->data(Qt::UserRole).toString(); };
  EXPECT_EQ(current(), "cuda_gpu_kern_sum");
  trace::TraceFixture fixture;
  fixture.lane(trace::EventKind::kOsRuntime, {trace::Event{.start = 0, .end = 1000}});
  ViewState other;
  const auto calls = std::make_shared<trace::Trace>(*fixture.finish());
  calls->tables = {"OSRT_API"};
  other.setTrace(calls);
  panel.setReport(&other, file());
  EXPECT_EQ(current(), "osrt_sum");
  bool isGreyed = false;
  for (int i = 0; i < list->count(); ++i) {
    const bool grey = list->item(i)->foreground().color() == Theme::colours().textFaint;
    EXPECT_TRUE(grey || !isGreyed) << "what has no data stands last";
    isGreyed = grey;
  }
  choose("CUDA API Summary");
  panel.setReport(&view, file());
  panel.setReport(&other, file());
  EXPECT_EQ(current(), "cuda_api_sum");
  panel.setReport(nullptr, {});
}

TEST(Statistics, AReportWithARowAnEventIsBounded) {
  std::vector<trace::Event> events(kMostTraced + 1);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].start = static_cast<trace::Ns>(i) * 10;
    events[i].end = events[i].start + 5;
  }
  StatisticsQuestion question;
  question.trace = trace::TraceFixture().lane(trace::EventKind::kKernel, events).finish();
  question.file = std::make_shared<ReportFile>("none.rep");
  question.call = analysis::findReports("cuda_gpu_trace").front();
  EXPECT_TRUE(answer(question).missing.contains("300 001 events")) << answer(question).missing.toStdString();
  question.time = trace::TimeRange{0, 1000};
  EXPECT_FALSE(answer(question).missing.contains("events, and at most")) << "a part of it is not too much";
}

TEST_F(StatisticsPanelTest, SortsByAColumnAndSearchesRows) {
  auto* header = panel.table().horizontalHeader();
  const int at = header->sectionViewportPosition(2) + 8;  // Instances
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(at, header->height() / 2));
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(at, header->height() / 2));
  EXPECT_EQ(column("Instances"), QStringList({"1", "2"}));
  QTest::keyClicks(named<QLineEdit>("Search rows"), "ATTEN");
  EXPECT_EQ(column("Name"), QStringList({"void attention<float>(int)"}));
  EXPECT_TRUE(panel.headline().endsWith("1 of 2 rows")) << panel.headline().toStdString();
}

TEST_F(StatisticsPanelTest, SeveralRowsAreCopiedForASpreadsheet) {
  QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, rowAt(0));
  QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, Qt::ControlModifier, rowAt(1));
  QTest::keyClick(&panel.table(), Qt::Key_C, Qt::ControlModifier);
  const QStringList lines = QApplication::clipboard()->text().split('\n');
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[0].split('\t')[1], "300.000 µs");
  EXPECT_EQ(lines[1].split('\t').last(), "void feed<float>(int)");
}

TEST_F(StatisticsPanelTest, ADoubleClickGoesToTheLongestEventAndAgainToTheNext) {
  doubleClick(0);
  EXPECT_EQ(lengthOfCurrent(), 200'000);
  ASSERT_TRUE(view.hits());
  EXPECT_EQ(view.hits()->count, 2u);
  EXPECT_LT(view.visible().length(), 300'000) << "to be seen, though the table is of the visible range";
  QTest::mouseDClick(panel.table().viewport(), Qt::LeftButton, {}, rowAt(0));
  ASSERT_TRUE(settled());
  EXPECT_EQ(lengthOfCurrent(), 100'000);
  EXPECT_LT(view.visible().length(), 150'000);
  view.fitAll();
  ASSERT_TRUE(settled());
  doubleClick(1);
  EXPECT_EQ(lengthOfCurrent(), 30'000);
}

TEST_F(StatisticsPanelTest, ADoubleClickOnARowOfATraceGoesToThatVeryEvent) {
  press("Whole report");
  choose("CUDA GPU Trace");
  EXPECT_EQ(panel.table().model()->rowCount(), 3);
  doubleClick(0);
  EXPECT_EQ(lengthOfCurrent(), 100'000);
  EXPECT_LT(view.visible().length(), 150'000);
}

TEST_F(StatisticsPanelTest, OnlyTheNewestOfSeveralIsShown) {
  auto* list = panel.findChild<QListWidget*>();
  list->setFocus();
  for (int i = 0; i < 4; ++i) QTest::keyClick(list, Qt::Key_Up);
  ASSERT_TRUE(settled());
  EXPECT_TRUE(panel.headline().startsWith(list->currentItem()->text()));
  EXPECT_TRUE(panel.command().contains(list->currentItem()->data(Qt::UserRole).toString()));
}

TEST_F(StatisticsPanelTest, AMoveOfTheViewWhileAReportIsMadeMakesOnlyTheLast) {
  view.setVisible({0, 200'000});
  view.setVisible({600'000, 900'000});
  view.setVisible({300'000, 400'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(column("Name"), QStringList({"void feed<float>(int)"}));
}

TEST_F(StatisticsPanelTest, AClosedReportIsLetGoOf) {
  const std::weak_ptr<const trace::Trace> held = trace;
  trace.reset();
  panel.setReport(nullptr, {});
  view.setTrace(std::make_shared<const trace::Trace>());
  EXPECT_TRUE(held.expired());
  EXPECT_EQ(panel.message(), "No report");
}

TEST_F(StatisticsPanelTest, SaysThatTheFilterDoesNotApply) {
  EXPECT_FALSE(panel.headline().contains("filter"));
  auto& filtering = Filtering::of(view);
  filtering.add(analysis::Condition::words("feed", false).value());
  ASSERT_TRUE(runUntil([&] { return !filtering.running(); }));
  EXPECT_TRUE(panel.headline().endsWith("the filter does not apply here")) << panel.headline().toStdString();
  EXPECT_EQ(column("Instances"), QStringList({"2", "1"}));
  filtering.clear();
  ASSERT_TRUE(runUntil([&] { return !filtering.running(); }));
  EXPECT_FALSE(panel.headline().contains("filter"));
}

TEST_F(StatisticsPanelTest, ReportsAreFoundByWhatTheyTell) {
  const auto found = [&](const QString& text) {
    named<QLineEdit>("Search reports")->setText(text);
    QStringList left;
    auto* list = panel.findChild<QListWidget*>();
    for (int i = 0; i < list->count(); ++i)
      if (!list->item(i)->isHidden()) left += list->item(i)->text();
    return left;
  };
  EXPECT_TRUE(found("p99").contains("Latency Percentiles"));
  for (const char* text : {"comm", "overlap", "hidden", "expos", "all ranks"})
    EXPECT_TRUE(found(text).contains("Collectives")) << text;
}

TEST_F(StatisticsPanelTest, WhatIsDoneToRowsIsSaidToBeNoPartOfTheCommand) {
  const auto said = [&] {
    for (auto* label : panel.findChildren<QLabel*>())
      if (label->isVisible() && label->text().startsWith("without")) return label->text();
    return QString();
  };
  EXPECT_EQ(said(), "");
  QTest::keyClicks(named<QLineEdit>("Search rows"), "att");
  EXPECT_EQ(said(), "without the search of rows");
  panel.table().sortBy(2, Qt::DescendingOrder);
  EXPECT_EQ(said(), "without the order and the search of rows");
  choose("Latency Percentiles");
  EXPECT_EQ(said(), "") << "another report begins anew";
}

TEST_F(StatisticsPanelTest, AnotherReportBeginsAtItsTop) {
  panel.resize(1400, 120);
  QScrollBar* bar = panel.table().verticalScrollBar();
  ASSERT_TRUE(runUntil([&] { return bar->maximum() > 0; }));
  QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, rowAt(0));
  bar->setValue(bar->maximum());
  choose("CUDA GPU Trace");
  EXPECT_EQ(bar->value(), 0);
  EXPECT_FALSE(panel.table().currentRow());
}

}  // namespace
}  // namespace lanescope::views
