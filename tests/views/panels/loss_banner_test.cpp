// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/loss_banner.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace lanescope::views {
namespace {

using trace::EventKind;

trace::Trace traceWith(std::vector<trace::Issue> issues) {
  trace::Trace trace;
  trace.issues = std::move(issues);
  return trace;
}

const trace::Trace kLossy = traceWith({{"unfinished", 2, "2 ranges were still open", EventKind::kNvtxRange},
                                       {"partial-overlap", 7, "7 overlap"},
                                       {"journal", 1, "The file is not finished"},
                                       {"time-not-recorded", 3, "3 kernels without a time", EventKind::kKernel}});

TEST(LossBanner, SaysTheWorstFirstAndHowManyMoreThereAre) {
  EXPECT_EQ(bannerText(kLossy), "The file is not finished (and 2 more)");
  EXPECT_EQ(bannerText(traceWith({{"journal", 1, "The file is not finished"}})), "The file is not finished");
}

TEST(LossBanner, IsNotThereWhenEveryNumberIsWhole) {
  LossBanner banner;
  banner.setTrace(traceWith({}));
  EXPECT_TRUE(banner.isHidden());
  banner.setTrace(traceWith({{"partial-overlap", 7, "7 overlap"}}));
  EXPECT_TRUE(banner.isHidden());
  banner.setTrace(kLossy);
  EXPECT_FALSE(banner.isHidden());
}

TEST(LossBanner, OnceClosedItStaysAway) {
  LossBanner banner;
  banner.setTrace(kLossy);
  banner.findChild<QToolButton*>("lossClose")->click();
  EXPECT_TRUE(banner.isHidden());
  banner.setTrace(kLossy);
  EXPECT_TRUE(banner.isHidden());
}

TEST(LossBanner, DetailsAsksForDiagnostics) {
  LossBanner banner;
  int asked = 0;
  QObject::connect(&banner, &LossBanner::detailsWanted, [&] { ++asked; });
  banner.findChild<QPushButton*>("lossDetails")->click();
  EXPECT_EQ(asked, 1);
}

TEST(LossBanner, IsOneLineThatIsCutWhereThereIsNoRoomAndWholeInItsToolTip) {
  LossBanner banner;
  const std::string sentence = "a sentence that goes on and on and on and on and on and on and on and on and on and on";
  banner.setTrace(traceWith({{"journal", 1, sentence}}));
  banner.resize(400, banner.sizeHint().height());
  banner.show();
  QApplication::processEvents();
  for (const QLabel* label : banner.findChildren<QLabel*>()) {
    if (label->toolTip().isEmpty()) continue;
    EXPECT_TRUE(label->text().endsWith(QChar(0x2026))) << label->text().toStdString();
    EXPECT_TRUE(label->toolTip().contains(QString::fromStdString(sentence)));
  }
  EXPECT_LT(banner.height(), 40);
}

}  // namespace
}  // namespace lanescope::views
