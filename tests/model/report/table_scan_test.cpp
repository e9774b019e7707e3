// SPDX-License-Identifier: Apache-2.0
#include "model/report/table_scan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/report/table_pages.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

using namespace lanescope::test;

/// Every value of every row, as text that tells types apart.
std::string everyRow(const Database& database, const std::string& table, decltype(&scanPages) scan) {
  const std::vector<std::string> names = database.columns(table);
  const Columns columns(names.begin(), names.end());
  struct Seen {
    std::size_t columns;
    std::string text;
  } seen{columns.size(), {}};
  const auto visit = [](void* context, const TableRow& row) {
    Seen& out = *static_cast<Seen*>(context);
    out.text += fmt::format("{}:", row.rowid());
    for (int i = 0; i < static_cast<int>(out.columns); ++i) {
      const bool real = row.cell(i).type == 7;
      const bool bytes = row.cell(i).type >= 12;
      if (row.isNull(i)) out.text += " -";
      else if (bytes)
        out.text += fmt::format(
            " '{}'", std::string_view(reinterpret_cast<const char*>(row.cell(i).bytes), (row.cell(i).type - 12) / 2));
      else out.text += real ? fmt::format(" {:a}", row.real(i)) : fmt::format(" {}", row.integer(i));
    }
    out.text += '\n';
    return true;
  };
  const ScanEnd end = scan(database, table, columns, RowVisitor{visit, &seen});
  return seen.text + (end == ScanEnd::kWhole ? "whole" : "damaged");
}

/// True if both ways of reading give the same for all tables.
void expectSameRows(const std::filesystem::path& file) {
  const auto database = Database::open(file);
  ASSERT_TRUE(database) << sentence(database.error());
  for (const std::string& table : database->tables()) {
    if (!canReadPages(*database, table)) continue;
    // A REAL column keeps whole numbers as integers; SQLite turns them back. They are compared as what they are read as.
    const bool reals = database->integer("SELECT count(*) FROM pragma_table_info(" + std::string("'") + table +
                                         "') WHERE type = 'REAL'") > 0;
    if (reals) continue;
    ASSERT_EQ(everyRow(*database, table, scanPages), everyRow(*database, table, scanThroughSqlite))
        << file << " " << table;
  }
}

class ScanOfEveryFile : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ScanOfEveryFile, PagesGiveWhatSqliteGives) { expectSameRows(GetParam()); }

std::vector<std::filesystem::path> everyFile() {
  auto files = goldenExports();
  for (const auto& file : filesIn(sharedFolder() / "traces/nsys", ".sqlite")) files.push_back(file);
  return files;
}

INSTANTIATE_TEST_SUITE_P(Shared, ScanOfEveryFile, testing::ValuesIn(everyFile()),
                         [](const testing::TestParamInfo<std::filesystem::path>& file) {
                           return testName(file.param.parent_path().filename().string() + "_" +
                                           file.param.stem().string());
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ScanOfEveryFile);

TEST(TableScan, ReadsWhatIsHardAboutPages) {
  TemporaryFolder folder;
  ReportBuilder report(folder / "a.sqlite");
  report.add(K{.start = 1, .end = 2, .name = std::string(100'000, 'x')});  // a string that overflows its page
  report.add(N{.start = -5, .end = std::numeric_limits<std::int64_t>::max(), .text = std::string(3'000, 'y')});
  report.sql(
      "CREATE TABLE Odd(a, id INTEGER PRIMARY KEY, b TEXT);"
      "INSERT INTO Odd VALUES(1.5, -7, x'00ff'), (NULL, 9223372036854775807, 'text'), (-128, 3, ''), (8388608, 4, "
      "NULL);"
      "ALTER TABLE Odd ADD COLUMN later;"
      "INSERT INTO Odd VALUES(140737488355328, 5, 'b', 'has it');");
  expectSameRows(report.write());
}

TEST(TableScan, ManyRowsInManyPagesComeInTheSameOrder) {
  TemporaryFolder folder;
  ReportBuilder report(folder / "a.sqlite");
  for (std::int64_t i = 0; i < 20'000; ++i)
    report.add(R{.start = i * 1000, .end = i * 1000 + i % 999, .correlation = i * 7919});
  report.sql("DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE start % 7000 = 0");
  expectSameRows(report.write());
}

TEST(TableScan, LeavesToSqliteWhatOnlySqliteKnows) {
  TemporaryFolder folder;
  ReportBuilder report(folder / "a.sqlite");
  report.add(K{.start = 1, .end = 2});
  report.sql(
      "CREATE TABLE WithDefault(a); INSERT INTO WithDefault VALUES(1); ALTER TABLE WithDefault ADD COLUMN b DEFAULT 5;"
      "CREATE TABLE Generated(a, b AS (a + 1)); INSERT INTO Generated(a) VALUES(1);");
  const auto database = Database::open(report.write());
  ASSERT_TRUE(database);
  for (const char* table : {"WithDefault", "Generated"}) {
    EXPECT_FALSE(canReadPages(*database, table)) << table;
    std::int64_t b = 0;
    EXPECT_EQ(scanTable(*database, table, {"a", "b"}, [&](const TableRow& row) { b = row.integer(1); }),
              ScanEnd::kWhole);
    EXPECT_EQ(b, std::string_view(table) == "Generated" ? 2 : 5);
  }
}

TEST(TableScan, AMissingColumnReadsAsNullAndTheVisitorMayStop) {
  TemporaryFolder folder;
  ReportBuilder report(folder / "a.sqlite");
  report.add(K{.start = 1, .end = 2}).add(K{.start = 3, .end = 4});
  const auto database = Database::open(report.write());
  ASSERT_TRUE(database);
  int rows = 0;
  const ScanEnd end =
      scanTable(*database, "CUPTI_ACTIVITY_KIND_KERNEL", {"start", "no such column"}, [&](const TableRow& row) {
        EXPECT_TRUE(row.isNull(1));
        return ++rows < 1;
      });
  EXPECT_EQ(end, ScanEnd::kStopped);
  EXPECT_EQ(rows, 1);
  EXPECT_EQ(scanTable(*database, "NoSuchTable", {"a"}, [](const TableRow&) {}), ScanEnd::kWhole);
}

}  // namespace
}  // namespace lanescope::report
