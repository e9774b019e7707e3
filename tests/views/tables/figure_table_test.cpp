// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/figure_table.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QTest>

namespace lanescope::views {
namespace {

using analysis::Cell;
using analysis::ColumnKind;

struct Line {
  std::string name;
  Cell time;
  std::uint64_t key;
};

TableContent contentOf(std::vector<Line> lines) {
  TableContent content;
  content.columns = {{.title = "Name"},
                     {.title = "Time", .kind = ColumnKind::kTime},
                     {.title = "Hidden", .kind = ColumnKind::kCount, .hidden = true}};
  content.rows = lines.size();
  content.key = [lines](std::size_t row) { return lines[row].key; };
  content.cell = [lines](std::size_t row, std::size_t column) -> Cell {
    if (column == 0) return lines[row].name;
    if (column == 1) return lines[row].time;
    return std::int64_t{7};
  };
  content.label = [](std::size_t row) { return QStringLiteral("label %1").arg(row); };
  return content;
}

/// Times whose texts sort otherwise than their numbers.
std::vector<Line> lines() {
  return {{"b<int>", Cell(std::int64_t{9'000}), 1},
          {"a", Cell(std::int64_t{80'000}), 2},
          {"c", Cell(), 3},
          {"d", Cell(std::int64_t{9'000}), 4}};
}

class FigureTableTest : public testing::Test {
 protected:
  FigureTableTest() {
    table.resize(600, 300);
    table.setContent(contentOf(lines()));
    table.show();
    QObject::connect(&table, &FigureTable::chosen, [this](std::size_t row) { chosen.push_back(row); });
  }
  QStringList shown(int column = 0) const {
    QStringList texts;
    for (int row = 0; row < table.model()->rowCount(); ++row)
      texts += table.model()->index(row, column).data().toString();
    return texts;
  }
  void click(int row, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::mouseClick(table.viewport(), Qt::LeftButton, modifiers,
                      table.visualRect(table.model()->index(row, 0)).center());
  }
  void clickTitle(int column) {
    QHeaderView* header = table.horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                      {header->sectionViewportPosition(column) + 10, header->height() / 2});
  }

  FigureTable table;
  std::vector<std::size_t> chosen;
};

TEST_F(FigureTableTest, RowsStandAsTheyCameUntilTheyAreSorted) {
  EXPECT_EQ(shown(1), QStringList({"9.000 µs", "80.00 µs", "–", "9.000 µs"}));
}

TEST_F(FigureTableTest, AClickOnATitleSortsByNumberGreatestFirstAndWhatIsMissingLast) {
  clickTitle(1);
  EXPECT_EQ(shown(), QStringList({"label 1", "label 0", "label 3", "label 2"}));
  clickTitle(1);
  EXPECT_EQ(shown(), QStringList({"label 0", "label 3", "label 1", "label 2"})) << "equal ones keep their order";
  clickTitle(0);
  EXPECT_EQ(shown(), QStringList({"label 1", "label 0", "label 2", "label 3"}))
      << "by the whole name, not by the label";
}

TEST_F(FigureTableTest, CopyTakesNamesAndFiguresWhole) {
  clickTitle(1);
  click(0);
  click(1, Qt::ControlModifier);
  QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("a\t80.000 µs\nb<int>\t9.000 µs"));
  QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("Name\tTime\na\t80.000 µs\nb<int>\t9.000 µs"));
  table.copyAll();
  EXPECT_EQ(QApplication::clipboard()->text(),
            QStringLiteral("Name\tTime\na\t80.000 µs\nb<int>\t9.000 µs\nd\t9.000 µs\nc\t–"));
}

TEST_F(FigureTableTest, AFigureThatIsShownRoundedIsWholeInTooltipAndCopy) {
  table.setContent(contentOf({{"p95", Cell(std::int64_t{92'482}), 1}}));
  EXPECT_EQ(shown(1), QStringList(QStringLiteral("92.48 µs")));
  EXPECT_EQ(table.model()->index(0, 1).data(Qt::ToolTipRole), QStringLiteral("92.482 µs"));
  EXPECT_EQ(table.allText(), QStringLiteral("Name\tTime\np95\t92.482 µs"));
}

TEST_F(FigureTableTest, AShareThatThereIsNotHasNoColour) {
  TableContent content = contentOf({{"a", Cell(50.0), 1}, {"b", Cell(), 2}});
  content.columns[1].kind = ColumnKind::kShare;
  table.setContent(content);
  EXPECT_TRUE(table.model()->index(0, 1).data(Qt::DecorationRole).isValid());
  EXPECT_FALSE(table.model()->index(1, 1).data(Qt::DecorationRole).isValid());
}

TEST_F(FigureTableTest, RowsCanBeCopiedAsATableInMarkdown) {
  table.setContent(contentOf({{"a<b>|*c_d*", Cell(std::int64_t{1'234}), 1}, {"e", Cell(), 2}}));
  const auto trigger = [&](const QString& text) {
    for (QAction* action : table.actions())
      if (action->text() == text) action->trigger();
  };
  trigger("Copy table as Markdown");
  EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("| Name | Time |\n| --- | ---: |\n"
                                                              "| a\\<b\\>\\|\\*c\\_d\\* | 1.234 µs |\n| e | – |"));
  click(1);
  trigger("Copy row as Markdown");
  EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("| Name | Time |\n| --- | ---: |\n| e | – |"));
}

TEST_F(FigureTableTest, ANameBehindManyFiguresIsShownWhereRowsBegin) {
  TableContent wide = contentOf(lines());
  wide.columns.assign(14, {.title = "Figure", .kind = ColumnKind::kTime});
  wide.columns.front() = {.title = "Part"};
  wide.columns.back() = {.title = "Name"};
  wide.nameColumn = 13;
  wide.cell = [](std::size_t, std::size_t column) -> Cell {
    return column == 0 || column == 13 ? Cell(std::string("words")) : Cell(std::int64_t{1});
  };
  table.setContent(wide);
  EXPECT_EQ(table.horizontalHeader()->visualIndex(13), 1) << "behind a first column of text";
  EXPECT_LT(table.columnViewportPosition(13) + table.columnWidth(13), table.viewport()->width());
  EXPECT_TRUE(table.allText().startsWith("Part\tName\tFigure\t")) << "copied as it is shown";
  table.setContent(contentOf(lines()));
  EXPECT_EQ(table.horizontalHeader()->visualIndex(0), 0);
  EXPECT_EQ(table.horizontalHeader()->visualIndex(1), 1);
}

TEST_F(FigureTableTest, ANameWithTabsAndLinesStaysOneCell) {
  table.setContent(contentOf({{"a\tb\nc", Cell(std::int64_t{1}), 1}}));
  EXPECT_EQ(table.allText(), QStringLiteral("Name\tTime\na b c\t1 ns"));
}

TEST_F(FigureTableTest, FiguresHoldAllColumnsRawInTheOrderShown) {
  clickTitle(1);
  const analysis::Table figures = table.figures();
  ASSERT_EQ(figures.columns.size(), 3u);
  ASSERT_EQ(figures.rows.size(), 4u);
  EXPECT_EQ(figures.rows[0], (std::vector<Cell>{std::string("a"), std::int64_t{80'000}, std::int64_t{7}}));
  EXPECT_EQ(figures.rows[3][1], Cell());
}

TEST_F(FigureTableTest, AClickAndEnterChooseWhileArrowsOnlyMove) {
  click(0);
  EXPECT_EQ(chosen, std::vector<std::size_t>{0});
  QTest::keyClick(&table, Qt::Key_Down);
  QTest::keyClick(&table, Qt::Key_Down);
  EXPECT_EQ(chosen.size(), 1u);
  QTest::keyClick(&table, Qt::Key_Return);
  EXPECT_EQ(chosen, (std::vector<std::size_t>{0, 2}));
  click(1, Qt::ControlModifier);
  EXPECT_EQ(chosen.size(), 2u) << "Ctrl+click selects rows to copy";
}

TEST_F(FigureTableTest, ReplacedContentKeepsOrderAndSelection) {
  clickTitle(1);
  click(0);
  table.setContent(contentOf({{"d", Cell(std::int64_t{5}), 4}, {"e", Cell(std::int64_t{6}), 9}, {"a", Cell(), 2}}));
  EXPECT_EQ(shown(), QStringList({"label 1", "label 0", "label 2"}));
  EXPECT_EQ(table.selectedText(), QStringLiteral("a\t–"));
  EXPECT_EQ(table.currentRow(), 2u);
}

/// Four rows, of which two at a time are shown.
class WindowedTableTest : public FigureTableTest {
 protected:
  WindowedTableTest() { table.setWindow(2); }
};

TEST_F(WindowedTableTest, KeysGoOnInTheNextWindowAndBack) {
  click(0);
  QTest::keyClick(&table, Qt::Key_Down);
  EXPECT_EQ(table.firstShown(), 0u);
  QTest::keyClick(&table, Qt::Key_Down);
  EXPECT_EQ(table.firstShown(), 2u);
  EXPECT_EQ(table.currentRow(), 2u);
  EXPECT_EQ(shown(), QStringList({"label 2", "label 3"}));
  QTest::keyClick(&table, Qt::Key_Up);
  EXPECT_EQ(table.currentRow(), 1u);
  EXPECT_EQ(table.firstShown(), 0u);
  for (int i = 0; i < 4; ++i) QTest::keyClick(&table, Qt::Key_PageDown);
  EXPECT_EQ(table.currentRow(), 3u) << "and no farther than the last row";
  for (int i = 0; i < 4; ++i) QTest::keyClick(&table, Qt::Key_PageUp);
  EXPECT_EQ(table.currentRow(), 0u);
}

TEST_F(WindowedTableTest, WhatIsFollowedIsShownWhereverItIs) {
  table.select(4);
  EXPECT_EQ(table.currentRow(), 3u);
  EXPECT_EQ(shown(), QStringList({"label 2", "label 3"}));
  table.showFrom(0);
  table.select(4);
  EXPECT_EQ(table.firstShown(), 0u) << "who looks elsewhere is not brought back by the same row";
  table.select(3);
  EXPECT_EQ(table.currentRow(), 2u);
}

TEST_F(WindowedTableTest, SortingIsOfAllRowsAndShowsTheFirst) {
  table.showFrom(3);
  clickTitle(1);
  EXPECT_EQ(shown(), QStringList({"label 1", "label 0"}));
  EXPECT_EQ(table.firstShown(), 0u);
  table.showFrom(2);
  EXPECT_EQ(shown(), QStringList({"label 3", "label 2"}));
}

TEST_F(WindowedTableTest, ATableIsCopiedAndSavedWholeAndSelectedAreTheRowsShown) {
  table.showFrom(2);
  EXPECT_EQ(table.figures().rows.size(), 4u);
  EXPECT_EQ(table.allText(), QStringLiteral("Name\tTime\nb<int>\t9.000 µs\na\t80.000 µs\nc\t–\nd\t9.000 µs"));
  click(0);
  QTest::keyClick(&table, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("c\t–\nd\t9.000 µs"));
}

TEST_F(WindowedTableTest, ReplacedContentStaysAtTheCurrentRow) {
  table.showFrom(2);
  click(1);
  auto fewer = lines();
  fewer.erase(fewer.begin());
  table.setContent(contentOf(fewer));
  EXPECT_EQ(table.currentRow(), 2u);
  EXPECT_EQ(table.firstShown(), 2u);
  EXPECT_EQ(table.selectedText(), QStringLiteral("d\t9.000 µs"));
  fewer.pop_back();
  table.setContent(contentOf(fewer));
  EXPECT_EQ(table.firstShown(), 0u);
}

TEST_F(FigureTableTest, TitlesSayWhatTheirFiguresAreOfAndNumbersAreFlushRight) {
  TableContent content = contentOf(lines());
  content.columns[1].meaning = "of the selection";
  table.setContent(content);
  EXPECT_EQ(table.model()->headerData(1, Qt::Horizontal, Qt::ToolTipRole), "of the selection");
  EXPECT_TRUE(table.model()->index(0, 1).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
  EXPECT_TRUE(table.model()->index(0, 0).data(Qt::TextAlignmentRole).toInt() & Qt::AlignLeft);
}

TEST_F(FigureTableTest, NamesHaveTheRestOfTheWidthAlsoAfterATableThatEndsWithThem) {
  const int wide = table.columnWidth(0);
  TableContent last = contentOf(lines());
  last.columns = {{.title = "Time", .kind = ColumnKind::kTime}, {.title = "Words"}};
  last.cell = [](std::size_t, std::size_t) -> Cell { return std::string("words"); };
  last.nameColumn = 1;
  table.setContent(last);
  table.resize(300, 300);
  table.resize(600, 300);
  table.setContent(contentOf(lines()));
  EXPECT_EQ(table.columnWidth(0), wide);
  table.resize(500, 300);
  EXPECT_LT(table.columnWidth(0), wide) << "still follows the window";
}

}  // namespace
}  // namespace lanescope::views
