// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/analysis_panel.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>

#include "tests/app/ui/event_loop.h"
#include "tests/support/analysed.h"
#include "views/tables/figure_table.h"

namespace lanescope::views {
namespace {

using test::runUntil;
using test::us;

/// Two kernels with 800 µs between them, most of which the host waits in cudaStreamSynchronize.
class AnalysisPanelTest : public test::HostAndGpu {
 protected:
  AnalysisPanelTest() {
    twoKernelsAndAWait();
    file = builder.write();
    trace = report::load(file, {.projections = true}, {}, Job{}).value();
    view.setTrace(trace);
    panel.resize(1200, 420);
    panel.setReport(&view, file);
    panel.show();
    EXPECT_TRUE(settled());
  }
  bool settled() {
    return runUntil([this] { return !panel.working(); });
  }
  void choose(const QString& title) {
    auto* list = panel.findChild<QListWidget*>();
    for (int i = 0; i < list->count(); ++i)
      if (list->item(i)->text() == title)
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(i)).center());
  }
  int rowOf(const QString& text, int column) {
    const auto* model = panel.table().model();
    for (int row = 0; row < model->rowCount(); ++row)
      if (model->index(row, column).data().toString() == text) return row;
    return -1;
  }
  void click(int row) {
    const QPoint at = panel.table().visualRect(panel.table().model()->index(row, 1)).center();
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, at);
  }

  std::filesystem::path file;
  trace::TracePtr trace;
  ViewState view;
  AnalysisPanel panel;
};

TEST_F(AnalysisPanelTest, TheChecklistComesFirstWithVerdictFigureAndGoal) {
  EXPECT_EQ(panel.findChild<QListWidget*>()->count(), static_cast<int>(analysis::rules().size()));
  const int busy = rowOf("GPU busy", 1);
  ASSERT_GE(busy, 0);
  const auto* model = panel.table().model();
  EXPECT_EQ(model->index(busy, 0).data().toString(), "improve");
  EXPECT_EQ(model->index(busy, 2).data().toString(), "19.8 %");
  EXPECT_EQ(model->index(busy, 4).data().toString(), "> 85 %");
  EXPECT_TRUE(panel.headline().contains("to improve")) << panel.headline().toStdString();
}

TEST_F(AnalysisPanelTest, SaysThatAFilterDoesNotApply) {
  const QString before = panel.headline();
  view.setPassing(std::make_shared<const analysis::Passing>(
      trace, analysis::Filter{analysis::Condition::words("nothing", false).value()}));
  EXPECT_EQ(panel.headline(), before + " · the filter does not apply here");
  view.setPassing(nullptr);
  EXPECT_EQ(panel.headline(), before);
}

TEST_F(AnalysisPanelTest, AClickTellsWhatToTryAndShowsWhere) {
  click(rowOf("GPU busy", 1));
  EXPECT_TRUE(panel.words().contains("Try: ")) << panel.words().toStdString();
  EXPECT_TRUE(panel.words().contains("Figure: ")) << panel.words().toStdString();
  ASSERT_TRUE(view.selection());
  EXPECT_EQ(*view.selection(), (trace::TimeRange{us(120), us(930)}));
  EXPECT_LT(view.visible().length(), us(1000));
  EXPECT_TRUE(view.visible().contains(us(120)));
}

TEST_F(AnalysisPanelTest, IdleCausesLeadToTheGapAndItsCulprit) {
  choose("Why GPUs were idle");
  const int cause = rowOf("host in a synchronization call", 1);
  ASSERT_GE(cause, 0);
  click(cause);
  EXPECT_TRUE(panel.words().startsWith("Try: ")) << panel.words().toStdString();
  ASSERT_TRUE(view.current());
  EXPECT_EQ((*trace->names)[trace->name(*view.current())].text, "cudaStreamSynchronize_v3020");
  EXPECT_EQ(*view.selection(), (trace::TimeRange{us(120), us(930)}));
}

TEST_F(AnalysisPanelTest, ARuleThatFindsNothingSaysSo) {
  choose("CUDA Async Memcpy with Pageable Memory");
  EXPECT_FALSE(panel.message().isEmpty());
  EXPECT_FALSE(panel.findChild<QPushButton*>()->isVisible()) << "nothing to stop any more";
}

TEST_F(AnalysisPanelTest, EachFigureSaysWhatItIsAShareOf) {
  const int busy = rowOf("GPU busy", 1);
  const auto* model = panel.table().model();
  EXPECT_EQ(model->headerData(3, Qt::Horizontal).toString(), "Of");
  EXPECT_EQ(model->index(busy, 3).data().toString(), "GPU time");
  choose("Why GPUs were idle");
  QStringList titles;
  for (int i = 0; i < model->columnCount(); ++i) {
    titles += model->headerData(i, Qt::Horizontal).toString();
    const QString meaning = model->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString();
    if (QStringList{"Cause", "Culprit", "Of Idle", "Of GPU Time"}.contains(titles.last()))
      EXPECT_FALSE(meaning.isEmpty()) << titles.last().toStdString();
  }
  EXPECT_TRUE(titles.contains("Of Idle") && titles.contains("Of GPU Time")) << titles.join(", ").toStdString();
}

TEST_F(AnalysisPanelTest, MoreGapsAreShownWhereTheListWasCut) {
  test::ReportBuilder many(folder / "many.sqlite");
  constexpr int kKernels = 71;
  for (int i = 0; i < kKernels; ++i)
    many.add(test::R{.start = us(100 * i), .end = us(100 * i + 5), .correlation = i + 1})
        .add(test::K{.start = us(100 * i + 10), .end = us(100 * i + 20), .correlation = i + 1});
  file = many.write();
  view.setTrace(report::load(file, {.projections = true}, {}, Job{}).value());
  panel.setReport(&view, file);
  ASSERT_TRUE(settled());
  choose("GPU gaps, each with its cause");
  auto* more = panel.findChild<QPushButton*>("showMore");
  const auto* model = panel.table().model();
  EXPECT_EQ(model->rowCount(), 50);
  EXPECT_TRUE(panel.headline().contains("70 lines, the first 50 of them shown")) << panel.headline().toStdString();
  ASSERT_TRUE(more->isVisible());
  click(7);
  QTest::mouseClick(more, Qt::LeftButton);
  ASSERT_TRUE(settled());
  EXPECT_EQ(model->rowCount(), kKernels - 1);
  EXPECT_EQ(panel.table().currentRow(), 7u) << "stays where it was";
  EXPECT_FALSE(more->isVisible()) << "there are no more";
  click(69 - 60);
  EXPECT_TRUE(view.selection());
  choose("What to look at first");
  EXPECT_FALSE(more->isVisible());
}

TEST_F(AnalysisPanelTest, LinesAreCopied) {
  click(rowOf("GPU busy", 1));
  QTest::keyClick(&panel.table(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith("improve\tGPU busy\t19.8 %"));
}

TEST_F(AnalysisPanelTest, WhatIsNotSeenIsNotMade) {
  AnalysisPanel hidden;
  hidden.setReport(&view, file);
  EXPECT_FALSE(hidden.working());
  EXPECT_EQ(hidden.findChild<QListWidget*>()->count(), 0);
}

TEST_F(AnalysisPanelTest, AClosedReportIsLetGoOf) {
  const std::weak_ptr<const trace::Trace> held = trace;
  trace.reset();
  panel.setReport(nullptr, {});
  view.setTrace(std::make_shared<const trace::Trace>());
  EXPECT_TRUE(held.expired());
  EXPECT_EQ(panel.message(), "No report");
}

TEST_F(AnalysisPanelTest, AnotherTableBeginsAtItsTop) {
  panel.resize(1200, 150);
  QScrollBar* bar = panel.table().verticalScrollBar();
  ASSERT_TRUE(runUntil([&] { return bar->maximum() > 0; }));
  click(0);
  bar->setValue(bar->maximum());
  choose("Why GPUs were idle");
  EXPECT_EQ(bar->value(), 0);
  choose("What to look at first");
  EXPECT_EQ(bar->value(), 0);
  EXPECT_FALSE(panel.table().currentRow());
  EXPECT_TRUE(panel.table().selectedText().isEmpty());
}

}  // namespace
}  // namespace lanescope::views
