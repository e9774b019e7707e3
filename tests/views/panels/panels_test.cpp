// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QLabel>

#include "views/panels/copyable_tree.h"
#include "views/panels/details_panel.h"
#include "views/panels/diagnostics_panel.h"

namespace lanescope::views {
namespace {

QString shownText(const QWidget& panel) {
  QStringList texts;
  for (const QLabel* label : panel.findChildren<QLabel*>()) {
    if (!label->isHidden()) texts += label->text().remove(QChar(0x200B));
  }
  return texts.join('|');
}

CopyableTree& listOf(QWidget& panel) { return *panel.findChild<CopyableTree*>(); }

TEST(DetailsPanel, InvitesToClickWhileThereIsNoEvent) {
  const DetailsPanel panel;
  EXPECT_EQ(shownText(panel), "Click an event to see it here");
}

TEST(DetailsPanel, ShowsTheNameOnceAndThenTheFieldsInTheirOrder) {
  DetailsPanel panel;
  panel.setEvent("attention", {{"Name", "attention", true}, {"Start", "1 ms", true}, {"Grid", "1 × 1 × 1"}});
  EXPECT_EQ(shownText(panel), "attention");
  EXPECT_EQ(listOf(panel).allText(), QStringLiteral("Start\t1 ms\nGrid\t1 × 1 × 1"));
}

TEST(DetailsPanel, AWholeNameThatSaysMoreThanTheLabelStandsBelowIt) {
  DetailsPanel panel;
  panel.setEvent("attention", {{"Name", "attention<float>(int)", true}});
  EXPECT_EQ(shownText(panel), "attention|attention<float>(int)");
}

TEST(DetailsPanel, ShowsALongValueWholeInItsToolTip) {
  DetailsPanel panel;
  EXPECT_GE(panel.sizeHint().width(), 300);
  panel.setEvent("k", {{"Launched by", "cudaLaunchKernel on a thread with a long name (858)"}});
  EXPECT_EQ(listOf(panel).topLevelItem(0)->toolTip(1), "cudaLaunchKernel on a thread with a long name (858)");
}

TEST(CopyableTree, CopiesTheSelectedRowsOrAllOfThem) {
  DetailsPanel panel;
  panel.setEvent("k", {{"Start", "1 ms"}, {"Grid", "2"}});
  CopyableTree& list = listOf(panel);
  list.topLevelItem(1)->setSelected(true);
  list.copySelected();
  EXPECT_EQ(QApplication::clipboard()->text(), "Grid\t2");
  list.copyAll();
  EXPECT_EQ(QApplication::clipboard()->text(), "Start\t1 ms\nGrid\t2");
}

TEST(DiagnosticsPanel, SaysSoWhenThereIsNothingToSay) {
  DiagnosticsPanel panel;
  panel.setReport({}, {});
  EXPECT_EQ(shownText(panel), "Nothing was lost, and the profiler had nothing to say");
}

TEST(DiagnosticsPanel, LossesComeFirstAndThenTheWorst) {
  using enum report::Severity;
  DiagnosticsPanel panel;
  const std::vector<trace::Issue> issues = {{"invalid-time", 1, "1 kernel ends before it starts"}};
  const std::vector<report::Diagnostic> said = {{0, kInfo, "started"}, {1, kWarning, "slow"}, {2, kError, "dropped"}};
  panel.setReport(issues, said);
  QStringList lines;
  for (int i = 0; i < listOf(panel).topLevelItemCount(); ++i) lines += listOf(panel).topLevelItem(i)->text(2);
  EXPECT_EQ(lines, QStringList({"1 kernel ends before it starts", "dropped", "slow", "started"}));
}

}  // namespace
}  // namespace lanescope::views
