// SPDX-License-Identifier: Apache-2.0
#include "model/report/row_values.h"

#include "tests/support/loaded_report.h"

namespace lanescope::report {
namespace {

using namespace lanescope::test;

class RowValuesTest : public LoadedReport {
 protected:
  RowValues open(ReportBuilder& builder) { return RowValues::open(builder.write()).value(); }
};

TEST_F(RowValuesTest, AreFoundByTheRowOfTheFile) {
  auto builder = report();
  builder.add(K{.start = 1, .end = 2, .gridX = 5}).add(K{.start = 3, .end = 4, .gridX = 6});
  auto values = open(builder);
  const auto columns = values.columns("CUPTI_ACTIVITY_KIND_KERNEL", {"gridX", "graphNodeId", "noSuchColumn"});
  EXPECT_EQ(columns[0]->at(1), 5);
  EXPECT_EQ(columns[0]->at(2), 6);
  EXPECT_FALSE(columns[0]->at(0));
  EXPECT_FALSE(columns[0]->at(3));
  EXPECT_FALSE(columns[1]->at(1)) << "NULL";
  EXPECT_FALSE(columns[2]->at(1));
  EXPECT_EQ(values.columns("CUPTI_ACTIVITY_KIND_KERNEL", {"blockX", "gridX"})[1], columns[0]) << "read once";
  EXPECT_FALSE(values.columns("NO_SUCH_TABLE", {"x"})[0]->at(1));
}

TEST_F(RowValuesTest, AreFoundWhereRowsAreFarApart) {
  auto builder = report();
  for (int i = 1; i <= 3; ++i) builder.add(K{.start = i, .end = i + 1, .gridX = i});
  builder.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET rowid = 9223372036854775807 WHERE gridX = 1");
  builder.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET rowid = -5 WHERE gridX = 3");
  auto values = open(builder);
  const auto* grid = values.columns("CUPTI_ACTIVITY_KIND_KERNEL", {"gridX"})[0];
  EXPECT_EQ(grid->at(9223372036854775807ULL), 1);
  EXPECT_EQ(grid->at(2), 2);
  EXPECT_EQ(grid->at(static_cast<std::uint64_t>(-5)), 3);
  EXPECT_FALSE(grid->at(3));
  EXPECT_EQ(grid->size(), 3u);
}

TEST_F(RowValuesTest, TextsAreKeptAndClean) {
  auto builder = report();
  builder.add(K{.start = 1, .end = 2});
  const std::int64_t id = builder.id("abc\xff");
  auto values = open(builder);
  const std::string_view text = values.text(id);
  EXPECT_EQ(text, "abc\uFFFD");
  EXPECT_EQ(values.text(id).data(), text.data());
  EXPECT_EQ(values.text(123456), "");
}

}  // namespace
}  // namespace lanescope::report
