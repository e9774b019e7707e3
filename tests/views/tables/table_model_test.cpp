// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/table_model.h"

#include <gtest/gtest.h>

#include <QThread>
#include <atomic>

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
  const QPersistentModelIndex first = model.index(0, 0);
  model.sort(1, Qt::AscendingOrder);
  EXPECT_TRUE(model.isSorting());
  EXPECT_EQ(model.contentRow(0), 0u) << "as before until it is done";
  ASSERT_TRUE(test::runUntil([&] { return !model.isSorting(); }));
  EXPECT_EQ(*watched.here, 0u);
  EXPECT_EQ(*watched.elsewhere, kRows) << "each cell is made once";
  EXPECT_EQ(model.contentRow(0), kRows - 1);
  EXPECT_EQ(model.contentRow(kRows - 1), 5u) << "nothing comes last";
  EXPECT_EQ(first.row(), static_cast<int>(kRows - 2));
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
  EXPECT_EQ(sortedRows(content, {0, false}), (std::vector<std::size_t>{7, 5, 3, 1, 8, 4, 0, 6, 2}));
  EXPECT_EQ(sortedRows(content, {0, true}), (std::vector<std::size_t>{0, 6, 4, 1, 8, 3, 5, 7, 2}))
      << "equals as they come";
  EXPECT_EQ(asked, 2 * cells.size()) << "each cell once";
}

TEST(TableModel, ANewContentDropsTheOrderOfTheOneBefore) {
  const Watched watched;
  TableModel model;
  model.setContent(watched.content(100'000));
  model.sort(1, Qt::AscendingOrder);
  model.setContent(watched.content(3));
  ASSERT_TRUE(test::runUntil([&] { return !model.isSorting(); }));
  EXPECT_EQ(model.order(), (std::vector<std::size_t>{2, 1, 0}));
}

}  // namespace
}  // namespace lanescope::views
