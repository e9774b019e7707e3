// SPDX-License-Identifier: GPL-3.0-or-later
// The help: its pages, their links, and the window around them.
#include "views/dialogs/help_pages.h"

#include <gmock/gmock.h>

#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>

#include "model/analysis/checklist.h"
#include "model/analysis/reports.h"
#include "views/dialogs/help_window.h"
#include "views/text.h"

namespace lanescope::views {
namespace {

const HelpPage* find(const std::vector<HelpPage>& pages, const QString& id) {
  for (const HelpPage& page : pages)
    if (page.id == id) return &page;
  return nullptr;
}

TEST(HelpPages, BeginWithTheFirstStepsAndEveryLinkLeadsSomewhere) {
  const std::vector<HelpPage> pages = helpPages([](const QString&) { return QString("keys"); });
  ASSERT_FALSE(pages.empty());
  EXPECT_EQ(pages.front().id, QString("index"));
  static const QRegularExpression kLink("\\]\\(([^)]+)\\)");
  int links = 0;
  for (const HelpPage& page : pages) {
    EXPECT_NE(page.title, page.id) << "no heading";
    EXPECT_FALSE(page.text.contains("{{")) << page.id.toStdString() << " has a name that nobody knows";
    for (auto at = kLink.globalMatch(page.text); at.hasNext(); ++links) {
      const QString link = at.next().captured(1);
      if (link.contains("://")) continue;
      const HelpPage* to = find(pages, link.section(".md", 0, 0));
      ASSERT_TRUE(to) << page.id.toStdString() << ": " << link.toStdString();
      EXPECT_TRUE(!link.contains('#') || !to->section(link.section('#', 1)).isEmpty()) << link.toStdString();
    }
  }
  EXPECT_GT(links, 8);
}

TEST(HelpPages, TellWhatTheProgramKnows) {
  const std::vector<HelpPage> pages = helpPages();
  const HelpPage* statistics = find(pages, "statistics");
  ASSERT_TRUE(statistics);
  for (const analysis::StatsReport& report : analysis::statsReports())
    EXPECT_TRUE(statistics->text.contains('`' + toQt(report.name) + '`')) << report.name;
  EXPECT_TRUE(statistics->text.contains("| **Bus Bandwidth** |"));
  const HelpPage* analysis = find(pages, "analysis");
  ASSERT_TRUE(analysis);
  for (const analysis::CheckKind& check : analysis::checkKinds())
    EXPECT_TRUE(analysis->text.contains(toQt(check.id))) << check.id;
  EXPECT_TRUE(analysis->text.contains("launching slower than the GPU consumes"));
}

class Help : public testing::Test {
 protected:
  HelpWindow window{helpPages(), nullptr};
  QTextBrowser& text = *window.findChild<QTextBrowser*>();
  QTreeWidget& contents = *window.findChild<QTreeWidget*>();
  QLineEdit& search = *window.findChild<QLineEdit*>();

  Help() {
    window.setAttribute(Qt::WA_DeleteOnClose, false);
    window.open("index");
    window.QDialog::show();
  }
  void press(Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&search, key, with); }
};

TEST_F(Help, GoesBackAndForward) {
  window.open("statistics");
  window.open("getting-around#Find");
  EXPECT_GT(text.verticalScrollBar()->value(), 0);
  auto* back = window.findChildren<QToolButton*>().first();
  QTest::mouseClick(back, Qt::LeftButton);
  EXPECT_EQ(window.place(), QString("statistics"));
  QTest::mouseClick(back, Qt::LeftButton);
  EXPECT_EQ(window.place(), QString("index"));
  EXPECT_FALSE(back->isEnabled());
  QTest::mouseClick(window.findChildren<QToolButton*>().at(1), Qt::LeftButton);
  EXPECT_EQ(window.place(), QString("statistics"));
  window.open("nowhere");
  EXPECT_EQ(window.place(), QString("statistics"));
  window.open("analysis#no such section");
  EXPECT_EQ(window.place(), QString("analysis"));
}

TEST_F(Help, FollowsLinksAndTheContents) {
  emit text.anchorClicked(QUrl("reading-the-timeline.md#what-was-lost"));
  EXPECT_EQ(window.place(), QString("reading-the-timeline#What was lost"));
  EXPECT_EQ(contents.currentItem()->text(0), QString("What was lost"));
  QTest::mouseClick(contents.viewport(), Qt::LeftButton, {},
                    contents.visualItemRect(contents.topLevelItem(1)).center());
  EXPECT_EQ(window.place(), QString("first-recording"));
}

TEST_F(Help, SearchLeavesWhatHasTheTextAndEnterGoesThroughIt) {
  QTest::keyClicks(&search, "bus bandwidth");
  int shown = 0;
  for (int i = 0; i < contents.topLevelItemCount(); ++i) shown += contents.topLevelItem(i)->isHidden() ? 0 : 1;
  EXPECT_EQ(shown, 1);
  press(Qt::Key_Return);
  EXPECT_EQ(window.place(), QString("statistics"));
  EXPECT_EQ(text.textCursor().selectedText().toLower(), QString("bus bandwidth"));
  EXPECT_FALSE(text.extraSelections().isEmpty());
  search.clear();
  EXPECT_TRUE(text.extraSelections().isEmpty());
  EXPECT_FALSE(contents.topLevelItem(0)->isHidden());
}

}  // namespace
}  // namespace lanescope::views
