// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/table_model.h"

#include <gtest/gtest.h>

#include <QThread>
#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

#include "tests/app/ui/event_loop.h"

namespace lanescope::views {
namespace {

using analysis::Cell;
using analysis::ColumnKind;

/// Rows whose figure falls where the number rises, and who asked for cells.
struct Watched {
  std::shared_ptr<std::atomic<std::size_t>> here = std::make_shared<std::atomic<std::size_t>>(0),
                                            elsewhere = std::make_shared<std::atomic<std::size_t>>(0);

  TableContent content(std::size_t rows) const {
    TableContent content;
    content.columns = {{.title = "Name"}, {.title = "Time", .kind = ColumnKind::kTime}};
    content.rows = rows;
    content.cell = [rows, here = here, elsewhere = elsewhere, gui = QThread::currentThread()](
                       std::size_t row, std::size_t column) -> Cell {
      ++(QThread::currentThread() == gui ? *here : *elsewhere);
      if (column == 0) return std::to_string(row);
      if (row == 5) return {};
      return static_cast<std::int64_t>(rows - row);
    };
    return content;
  }
};

TEST(TableModel, ManyRowsAreSortedAwayFromTheGuiThread) {
  constexpr std::size_t kRows = 100'000;
  const Watched watched;
  TableModel model;
  model.setContent(watched.content(kRows));
  EXPECT_EQ(*watched.here, 0u);
  model.sort(1, Qt::AscendingOrder);
  EXPECT_TRUE(model.isSorting());
  EXPECT_EQ(model.contentRow(0), 0u) << "as before until it is done";
  ASSERT_TRUE(test::runUntil([&] { return !model.isSorting(); }));
  EXPECT_EQ(*watched.here, 0u);
  EXPECT_EQ(*watched.elsewhere, kRows) << "each cell is made once";
  EXPECT_EQ(model.contentRow(0), kRows - 1);
  EXPECT_EQ(model.contentRow(kRows - 1), 5u) << "nothing comes last";
}

TEST(TableModel, FewRowsAreSortedAtOnce) {
  const Watched watched;
  TableModel model;
  model.setContent(watched.content(10));
  model.sort(1, Qt::AscendingOrder);
  EXPECT_FALSE(model.isSorting());
  EXPECT_EQ(model.contentRow(0), 9u);
}

TEST(TableModel, NumbersComeBeforeTextAndNothingLastEitherWay) {
  const std::vector<Cell> cells{std::string("b"), std::int64_t{3},  {},   2.5, analysis::KeptText("a"),
                                std::int64_t{-7}, std::string("b"), -7.5, 3.0};
  TableContent content;
  content.columns = {{.title = "Mixed"}};
  content.rows = cells.size();
  std::size_t asked = 0;
  content.cell = [&](std::size_t row, std::size_t) {
    ++asked;
    return cells[row];
  };
  EXPECT_EQ(sortedRows(content, {0, false}), (RowOrder{7, 5, 3, 1, 8, 4, 0, 6, 2}));
  EXPECT_EQ(sortedRows(content, {0, true}), (RowOrder{0, 6, 4, 1, 8, 3, 5, 7, 2})) << "equals as they come";
  EXPECT_EQ(asked, 2 * cells.size()) << "each cell once";

  // So many that several threads sort them.
  content.rows = 100'000;
  content.cell = [&](std::size_t row, std::size_t) { return cells[row % cells.size()]; };
  for (const auto& [descending, ranks] : {std::pair(false, std::array{5, 3, 7, 2, 4, 1, 5, 0, 3}),
                                          std::pair(true, std::array{0, 2, 6, 3, 1, 4, 0, 5, 2})}) {
    RowOrder expected(content.rows);
    std::iota(expected.begin(), expected.end(), 0U);
    std::ranges::stable_sort(expected, {}, [&](std::uint32_t row) { return ranks[row % ranks.size()]; });
    EXPECT_TRUE(sortedRows(content, {0, descending}) == expected) << descending;
  }
}

TEST(TableModel, AViewIsToldOfAWindowOfVeryManyRows) {
  const Watched watched;
  TableModel model;
  model.setWindow(100);
  model.setContent(watched.content(250));
  EXPECT_EQ(model.rowCount(), 100);
  model.showPlace(249);
  EXPECT_EQ(model.rowCount(), 50);
  EXPECT_EQ(model.contentRow(49), 249u);
  EXPECT_EQ(model.placeOf(7), 7u);
  EXPECT_EQ(model.rowOfKey(7), -1);
  EXPECT_EQ(model.rowOfKey(207), 7);
  EXPECT_EQ(model.order().size(), 250u);
  model.sort(1, Qt::AscendingOrder);
  EXPECT_EQ(model.firstShown(), 0u);
  EXPECT_EQ(model.contentRow(0), 249u) << "all rows are sorted";
  EXPECT_EQ(model.placeOf(207), 42u);
  model.showPlace(200);
  model.setContent(watched.content(50));
  EXPECT_EQ(model.rowCount(), 50) << "there is no window there any more";
}

TEST(TableModel, ANewContentDropsTheOrderOfTheOneBefore) {
  const Watched watched;
  TableModel model;
  model.setContent(watched.content(100'000));
  model.sort(1, Qt::AscendingOrder);
  model.setContent(watched.content(3));
  ASSERT_TRUE(test::runUntil([&] { return !model.isSorting(); }));
  EXPECT_EQ(model.order(), (RowOrder{2, 1, 0}));
}

}  // namespace
}  // namespace lanescope::views
