// SPDX-License-Identifier: GPL-3.0-or-later
// Cases that every panel has to stand: what is hidden (GUI-09), names of any length (GUI-10), a small screen.
#include <QAbstractButton>
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>

#include "app/ui/report_bar.h"
#include "tests/app/ui/cases.h"
#include "views/panels/calls_panel.h"
#include "views/panels/details_panel.h"
#include "views/panels/events_panel.h"
#include "views/panels/find_bar.h"
#include "views/panels/find_panel.h"
#include "views/panels/phrase_line.h"
#include "views/panels/selection_panel.h"
#include "views/panels/statistics_panel.h"
#include "views/tables/figure_table.h"
#include "views/timeline/arrange.h"
#include "views/timeline/filter_bar.h"
#include "views/timeline/headers.h"
#include "views/timeline/row_line.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

TEST_F(Cases, WhatIsHiddenIsNeitherFoundNorCountedUntilAskedFor) {  // GUI-09
  test::ReportBuilder builder(reports / "a.sqlite");
  std::int64_t start = 0;
  for (const char* name : {"ampere_sgemm_a", "Ampere_SGEMM_b", "memcpy"}) {
    builder.add(test::K{.start = start, .end = start + 100, .name = name});
    start += 200;
  }
  begin();
  ReportTab& tab = open(builder.add(test::N{.start = 0, .end = 600, .text = "step"}).write());
  key(Qt::Key_F, Qt::ControlModifier);
  views::FindBar& find = window->bar().find();
  type(find.field(), "sgemm");
  EXPECT_EQ(find.countText(), "2 hits");
  EXPECT_TRUE(find.field().toolTip().contains("in any case")) << "the rule is told where one types";
  const auto expression = [](QWidget& line) {
    for (auto* button : line.findChildren<QToolButton*>())
      if (button->text() == ".*") QTest::mouseClick(button, Qt::LeftButton);
  };
  expression(find);
  find.focus();
  type(find.field(), "^ampere.*_b$");
  EXPECT_EQ(find.countText(), "1 hit");
  type(find.field(), "(");
  EXPECT_TRUE(find.countText().contains("missing )")) << find.countText().toStdString();
  EXPECT_FALSE(tab.view().hits());
  auto& found = panel<views::FindPanel>(Qt::Key_7);
  EXPECT_EQ(found.table().model()->rowCount(), 0);
  EXPECT_TRUE(found.headline().contains("missing )")) << found.headline().toStdString();
  find.focus();
  type(find.field(), "sgemm");

  const auto events = [&] { return panel<views::EventsPanel>(Qt::Key_4).table().model()->rowCount(); };
  const auto names = [&] { return panel<views::SelectionPanel>(Qt::Key_2).names().model()->rowCount(); };
  const auto figure = [&] {
    views::Headers& headers = *tab.timeline().headers();
    headers.figure(rowLabelled(tab.view(), "Kernels"));
    settle();
    return headers.figure(rowLabelled(tab.view(), "Kernels")).text;
  };
  const auto calls = [&] { return panel<views::CallsPanel>(Qt::Key_5).headline(); };
  const auto statistics = [&] { return panel<views::StatisticsPanel>(Qt::Key_3).table().allText(); };
  const int allEvents = events(), allNames = names();
  const QString allFigure = figure(), allCalls = calls(), allStatistics = statistics();
  EXPECT_EQ(allNames, 4);

  key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
  views::FilterBar& bar = *tab.timeline().filterBar();
  expression(bar);
  bar.focus();
  type(bar.field(), "(");
  EXPECT_TRUE(bar.mistake().contains("missing )")) << bar.mistake().toStdString();
  QTest::keyClick(&bar.field(), Qt::Key_Return);
  settle();
  EXPECT_FALSE(tab.view().passing()) << "what is not understood hides nothing";
  expression(bar);
  bar.focus();
  type(bar.field(), "sgemm_a");
  QTest::keyClick(&bar.field(), Qt::Key_Return);
  settle();
  EXPECT_EQ(bar.countText(), "1 of 4 events");
  EXPECT_EQ(find.countText(), "1 hit, filtered");
  EXPECT_EQ(events(), 1);
  EXPECT_TRUE(panel<views::EventsPanel>(Qt::Key_4).headline().contains("filtered"));
  EXPECT_EQ(names(), 1);
  EXPECT_TRUE(panel<views::SelectionPanel>(Qt::Key_2).line().text().contains("filtered"));
  EXPECT_NE(figure(), allFigure);
  EXPECT_TRUE(calls().contains("filtered")) << calls().toStdString();
  EXPECT_EQ(statistics(), allStatistics);
  EXPECT_TRUE(panel<views::StatisticsPanel>(Qt::Key_3).headline().contains("the filter does not apply here"));
  QTest::mouseClick(bar.findChild<QToolButton*>("countAll"), Qt::LeftButton);
  settle();
  EXPECT_EQ(events(), allEvents);
  EXPECT_EQ(names(), allNames);
  EXPECT_EQ(figure(), allFigure);
  EXPECT_EQ(calls(), allCalls);
  EXPECT_EQ(find.countText(), "1 hit, filtered") << "what is not seen is not found";
}

TEST_F(Cases, ANameOfATemplateOf4000CharactersMovesNothingAndIsCopiedWhole) {  // GUI-10
  std::string name = "void cutile::gemm::kernel::universal<";
  for (int i = 0; i < 40; ++i)
    name += (i == 0 ? "" : ", ") + std::string("cutile::gemm::kernel::Epilogue<cutile::gemm::kernel::Mma<(int)") +
            std::to_string(128 + i) + ", (int)256, const float *>, unsigned long long>";
  name += ">(T1...)";
  ASSERT_GT(name.size(), 4000u);
  const QString whole = QString::fromStdString(name);
  test::ReportBuilder builder(reports / "a.sqlite");
  for (const std::int64_t start : {100, 300})
    builder.add(test::K{.start = start, .end = start + 50, .name = name})
        .add(test::N{.start = start, .end = start + 60, .text = name});
  begin();
  ReportTab& tab = open(builder.write());
  const QSize size = window->size();
  const int canvas = tab.timeline().canvas()->width();
  const auto copied = [] { return QApplication::clipboard()->text(); };
  tab.view().setCurrent(trace::EventRef{0, 0});
  settle();
  auto& details = panel<views::DetailsPanel>(Qt::Key_1);
  for (const QLabel* label : details.findChildren<QLabel*>())
    EXPECT_LE(label->height(), window->height() / 2) << label->text().toStdString();
  QTest::mouseClick(details.findChild<QPushButton*>("copyAll"), Qt::LeftButton);
  EXPECT_TRUE(copied().startsWith("Name\t" + whole + '\n'));
  const auto copiesWhole = [&](views::FigureTable& table) {
    ASSERT_GE(table.model()->rowCount(), 1);
    for (int column = 0; column < table.model()->columnCount(); ++column)
      EXPECT_LE(table.columnWidth(column), window->width() / 2) << column;
    EXPECT_LE(table.rowHeight(0), 40);
    table.setCurrentIndex(table.model()->index(0, 0));
    table.copyName();
    EXPECT_EQ(copied(), whole);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_TRUE(copied().contains(whole)) << "the row, too";
  };
  copiesWhole(panel<views::SelectionPanel>(Qt::Key_2).names());
  copiesWhole(panel<views::StatisticsPanel>(Qt::Key_3).table());
  EXPECT_TRUE(panel<views::CallsPanel>(Qt::Key_5).allText().contains(whole));
  key(Qt::Key_F, Qt::ControlModifier);
  copiesWhole(panel<views::EventsPanel>(Qt::Key_4).table());
  emit tab.timeline().canvas()->findWanted(whole);
  settle();
  EXPECT_EQ(window->bar().find().countText(), "1 of 4") << "as a menu of the timeline asks for it";
  views::Filtering::of(tab.view()).add(analysis::conditionsOf(*tab.view().trace(), trace::EventRef{0, 0}).front());
  settle();
  ASSERT_TRUE(tab.view().passing());
  EXPECT_EQ(tab.view().passing()->events(), 4u);
  EXPECT_EQ(window->size(), size);
  EXPECT_EQ(tab.timeline().canvas()->width(), canvas);
}

TEST_F(Cases, EveryPanelIsOfUseInASmallWindow) {
  begin();
  ReportTab& tab = open(twoGpus(reports / "a.sqlite", {"k1", "k2"}));
  constexpr QSize kSmall(900, 600);
  const auto filter = [&](const char* words) {
    views::Filtering::of(tab.view()).add(analysis::Condition::words(words, false).value());
  };
  for (const char* words : {"kind:kernel", "dur<900s", "stream:7,8"}) filter(words);
  tab.timeline().filterBar()->focus();
  tab.timeline().rowLine()->find();
  views::hideRow(tab.view(), rowLabelled(tab.view(), "Stream 7"));
  settle();
  for (QDockWidget* dock : window->findChildren<QDockWidget*>()) {
    SCOPED_TRACE(dock->windowTitle().toStdString());
    dock->show();
    dock->raise();
    window->resize(kSmall);
    QApplication::processEvents();
    EXPECT_EQ(window->size(), kSmall) << "nothing makes it larger";
    EXPECT_GE(tab.timeline().canvas()->width(), 200);
    EXPECT_GE(tab.timeline().canvas()->height(), 64) << "under lines that filter and find";
    EXPECT_GE(dock->widget()->height(), 100);
    // Nothing lies on its neighbour, and what is read is wide enough to be read.
    const QList<QAbstractButton*> buttons = dock->widget()->findChildren<QAbstractButton*>();
    for (const QAbstractButton* one : buttons) {
      if (!one->isVisible() || one->text().isEmpty()) continue;
      EXPECT_GE(one->width(), one->fontMetrics().horizontalAdvance(one->text())) << one->text().toStdString();
      for (const QAbstractButton* other : buttons) {
        if (other == one || !other->isVisible() || other->parentWidget() != one->parentWidget()) continue;
        EXPECT_FALSE(one->geometry().intersects(other->geometry()))
            << one->text().toStdString() << " and " << other->text().toStdString();
      }
    }
    settle();
    for (const QLabel* label : dock->widget()->findChildren<QLabel*>()) {
      if (!label->isVisible() || label->wordWrap()) continue;
      EXPECT_GE(label->width(), label->fontMetrics().horizontalAdvance(label->text())) << label->text().toStdString();
    }
    if (const auto* tree = dock->widget()->findChild<QTreeView*>("callTree")) {
      EXPECT_GE(tree->columnWidth(0), 160) << "names";
    }
  }
  tab.say({ErrorCode::kWriteFailed, std::string(150, 'x'),
           "words and words that say why, and more of them, up to the edge and beyond"});
  QApplication::processEvents();
  EXPECT_EQ(window->size(), kSmall) << "nor a path without a space";
}

}  // namespace
}  // namespace lanescope::ui
