// SPDX-License-Identifier: Apache-2.0
#include "model/report/database.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/report/format_version.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

using test::K;
using test::ReportBuilder;

class DatabaseTest : public testing::Test {
 protected:
  std::filesystem::path report(std::string_view name) {
    return ReportBuilder(folder_ / name).add(K{.start = 100, .end = 200}).write();
  }
  std::filesystem::path file(std::string_view name, std::string_view content) {
    test::writeFile(folder_ / name, content);
    return folder_ / name;
  }
  static ErrorCode codeOf(const std::filesystem::path& path) {
    const auto opened = Database::open(path);
    if (!opened) return opened.error().code;
    ADD_FAILURE() << path << " opened";
    return ErrorCode::kCancelled;
  }

  test::TemporaryFolder folder_;
};

TEST_F(DatabaseTest, WhatIsNoReportIsNamedForWhatItIs) {
  EXPECT_EQ(codeOf(folder_ / "none.rep"), ErrorCode::kNotFound);
  EXPECT_EQ(codeOf(folder_.path()), ErrorCode::kIsFolder);
  EXPECT_EQ(codeOf(file("empty.rep", "")), ErrorCode::kEmpty);
  EXPECT_EQ(codeOf(file("text.sqlite", "hello")), ErrorCode::kNotAReport);
  EXPECT_EQ(codeOf(file("a.nsys-rep", "anything")), ErrorCode::kVendorReport);
  EXPECT_EQ(codeOf(file("renamed.sqlite", "NVIDIA Tegra Profiler Report 1.\n")), ErrorCode::kVendorReport);
  EXPECT_EQ(codeOf(file("lfs.rep", "version https://git-lfs.github.com/spec/v1\n")), ErrorCode::kLfsPointer);
}

TEST_F(DatabaseTest, APipeIsRefusedWithoutWaitingForIt) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(codeOf(folder_ / "pipe"), ErrorCode::kNotAReport);
}

TEST_F(DatabaseTest, AFileThatMayNotBeReadSaysSo) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const auto path = report("a.rep");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_EQ(codeOf(path), ErrorCode::kNoPermission);
}

TEST_F(DatabaseTest, PathsWithCharactersOfUrisAndAnyBytesOpen) {
  for (const char* name : {"100%.rep", "a?b.rep", "a#b.rep", "a b.rep", "%41.rep", "\xFF\xFE.rep", "\xC3\xA9.rep"}) {
    EXPECT_TRUE(Database::open(report(name))) << name;
  }
}

TEST_F(DatabaseTest, AFileThatAnotherConnectionHasLockedOpens) {
  const auto path = report("locked.rep");
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto database = Database::open(path);
  ASSERT_TRUE(database);
  EXPECT_EQ(database->integer("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"), 1);
  sqlite3_close(other);
}

TEST_F(DatabaseTest, ReadingLeavesTheFileAndItsFolderAsTheyWere) {
  const auto path = ReportBuilder(folder_ / "wal.rep").add(K{.start = 1, .end = 2}).write();
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "PRAGMA journal_mode=WAL; CREATE TABLE x(a)", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(writer);
  const std::string before = test::readFile(path);
  const auto names = folder_.names();
  {
    const auto database = Database::open(path);
    ASSERT_TRUE(database);
    EXPECT_EQ(database->integer("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"), 1);
    EXPECT_EQ(folder_.names(), names);
  }
  EXPECT_EQ(folder_.names(), names);
  EXPECT_TRUE(test::readFile(path) == before);
}

TEST_F(DatabaseTest, AJournalBesideTheFileIsMentioned) {
  const auto path = report("a.rep");
  EXPECT_TRUE(Database::open(path)->warnings().empty());
  file("a.rep-wal", "unfinished");
  const auto database = Database::open(path);
  ASSERT_TRUE(database);
  ASSERT_EQ(database->warnings().size(), 1u);
  EXPECT_EQ(database->warnings()[0].kind, "journal");
}

TEST_F(DatabaseTest, AReportOfANewerFormatNamesBothVersions) {
  ReportBuilder builder(folder_ / "new.rep");
  builder.add(K{}).sql("PRAGMA application_id=" + std::to_string(kApplicationId) + "; PRAGMA user_version=7");
  const auto database = Database::open(builder.write());
  ASSERT_FALSE(database);
  EXPECT_EQ(database.error().code, ErrorCode::kTooNew);
  EXPECT_NE(database.error().detail.find("version 7"), std::string::npos);
  EXPECT_NE(database.error().detail.find("up to " + std::to_string(kFormatVersion)), std::string::npos);
}

TEST_F(DatabaseTest, ANewerExportSchemaOpensWithAWarningThatNamesWhatIsMissing) {  // IMP-35
  ReportBuilder builder(folder_ / "new.sqlite");
  builder.add(K{}).insert("META_DATA_EXPORT",
                          {{"name", std::string("EXPORT_SCHEMA_VERSION")}, {"value", std::string("4.0.1")}});
  builder.sql("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME COLUMN gridX TO gridWidth");
  const auto database = Database::open(builder.write());
  ASSERT_TRUE(database);
  ASSERT_EQ(database->warnings().size(), 1u);
  const std::string& text = database->warnings()[0].text;
  EXPECT_NE(text.find("4.0.1, known up to 3.x"), std::string::npos) << text;
  EXPECT_NE(text.find(": without CUPTI_ACTIVITY_KIND_KERNEL.gridX"), std::string::npos) << text;
}

TEST_F(DatabaseTest, AnotherProgramsDatabaseIsNoReport) {
  EXPECT_EQ(codeOf(ReportBuilder(folder_ / "strings.sqlite").string(1, "a").write()), ErrorCode::kNotAReport);
  ReportBuilder nvprof(folder_ / "p.nvvp");
  nvprof.sql("DROP TABLE StringIds; CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY, value TEXT)");
  EXPECT_EQ(codeOf(nvprof.write()), ErrorCode::kNvprofReport);
}

TEST_F(DatabaseTest, ACpuOnlyReportOpens) {
  EXPECT_TRUE(Database::open(ReportBuilder(folder_ / "cpu.sqlite").add(test::O{.start = 1, .end = 2}).write()));
}

TEST_F(DatabaseTest, ViewsAndTablesWithoutRowIdsAreNoTablesOfOurs) {
  ReportBuilder builder(folder_ / "odd.sqlite");
  builder.add(K{.start = 1, .end = 2});
  builder.sql(
      "CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n");
  builder.sql("CREATE TABLE OSRT_API(start INTEGER PRIMARY KEY, end INTEGER) WITHOUT ROWID");
  const auto database = Database::open(builder.write());
  ASSERT_TRUE(database);
  EXPECT_FALSE(database->has("NVTX_EVENTS"));
  EXPECT_FALSE(database->has("OSRT_API"));
  EXPECT_EQ(database->warnings().size(), 1u);
}

TEST_F(DatabaseTest, EveryBadFileOfStrangersIsRefusedWithOneLine) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& path : test::filesIn(test::sharedFolder() / "traces/bad")) {
    const auto database = Database::open(path);
    ASSERT_FALSE(database) << path;
    EXPECT_EQ(sentence(database.error()).find('\n'), std::string::npos);
    EXPECT_NE(database.error().code, ErrorCode::kDamaged) << path;
  }
}

TEST_F(DatabaseTest, EveryNvprofFileIsToldApart) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& path : test::filesIn(test::sharedFolder() / "traces/nvprof")) {
    // O-P12 is an XML session that points elsewhere, O-P13 a CPU profile of another tool.
    const std::string name = path.filename().string();
    const bool another = name.starts_with("O-P12") || name.starts_with("O-P13");
    EXPECT_EQ(codeOf(path), another ? ErrorCode::kNotAReport : ErrorCode::kNvprofReport) << path;
  }
}

}  // namespace
}  // namespace lanescope::report
