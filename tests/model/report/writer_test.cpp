// SPDX-License-Identifier: Apache-2.0
#include "model/report/writer.h"

#include <gtest/gtest.h>

#include "model/report/copy.h"
#include "model/report/format_version.h"
#include "model/report/info.h"
#include "model/report/rows.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

TEST(Writer, WhatIsWrittenReadsBack) {
  const test::TemporaryFolder folder;
  auto writer = Writer::create(folder / "a.rep", IfExists::kRefuse, "1.2.3");
  ASSERT_TRUE(writer);
  const Id gemm = writer->string("gemm");
  EXPECT_EQ(writer->string("gemm"), gemm);
  writer->add(KernelRow{
      .at = {.start = 100, .end = 250, .stream = 7, .correlation = 9}, .demangledName = gemm, .shortName = gemm});
  writer->add(NvtxRow{.start = 5, .text = "step", .real64 = 0.5});
  ASSERT_TRUE(writer->finish());

  const auto database = Database::open(folder / "a.rep");
  ASSERT_TRUE(database);
  EXPECT_EQ(database->formatVersion(), kFormatVersion);
  EXPECT_EQ(exportSchemaVersion(*database), kExportSchemaVersion);
  EXPECT_EQ(database->text("SELECT value FROM StringIds JOIN CUPTI_ACTIVITY_KIND_KERNEL ON id = demangledName"),
            "gemm");
  EXPECT_EQ(database->integer("SELECT correlationId FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE globalPid IS NULL"), 9);
  EXPECT_EQ(database->text("SELECT text FROM NVTX_EVENTS WHERE end IS NULL AND doubleValue = 0.5"), "step");
  EXPECT_EQ(database->text("SELECT label FROM ENUM_CUDA_MEMCPY_OPER WHERE id = 1"), "Host-to-Device");
  EXPECT_EQ(database->text("SELECT value FROM LANESCOPE_META WHERE name = 'version'"), "1.2.3");
}

TEST(Writer, AReportAppearsWholeOrNotAtAll) {
  const test::TemporaryFolder folder;
  {
    auto writer = Writer::create(folder / "a.rep", IfExists::kRefuse, "1");
    ASSERT_TRUE(writer);
    writer->string("x");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.rep"));
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(Writer, AnExistingFileIsReplacedOnlyWhenAsked) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "a.rep", "mine");
  const auto refused = Writer::create(folder / "a.rep", IfExists::kRefuse, "1");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kExists);
  auto writer = Writer::create(folder / "a.rep", IfExists::kReplace, "1");
  ASSERT_TRUE(writer);
  EXPECT_EQ(test::readFile(folder / "a.rep"), "mine");
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.rep"});
}

TEST(Writer, AFileThatAppearedMeanwhileIsNotOverwritten) {
  const test::TemporaryFolder folder;
  auto writer = Writer::create(folder / "a.rep", IfExists::kRefuse, "1");
  ASSERT_TRUE(writer);
  test::writeFile(folder / "a.rep", "theirs");
  const auto finished = writer->finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::kExists);
  EXPECT_EQ(test::readFile(folder / "a.rep"), "theirs");
}

TEST(Writer, APlaceThatCannotBeWrittenToIsAnError) {
  const auto writer = Writer::create("/proc/none/a.rep", IfExists::kRefuse, "1");
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::kWriteFailed);
  EXPECT_EQ(exitStatus(writer.error()), 3);
}

bool copied(const std::filesystem::path& from, const std::filesystem::path& to) {
  const Result<Database> source = Database::open(from);
  const Job job;
  Slice all(*source, {}, job);
  return copyReport(all, to, IfExists::kReplace, "1").has_value();
}

TEST(Copy, ACopyHasEveryTableColumnAndRowIdAndNoEnvironment) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::K{.start = 1, .end = 2});
  builder.sql("CREATE TABLE EXTRA(a BLOB, b REAL); INSERT INTO EXTRA(rowid, a, b) VALUES (77, x'00FF', 1.5)");
  builder.insert("META_DATA_CAPTURE",
                 {{"name", std::string("PROCESS_0:ENVIRONMENT_VARIABLE")}, {"value", std::string("TOKEN=secret")}});
  builder.insert("META_DATA_CAPTURE", {{"name", std::string("RESUME")}, {"value", std::string("false")}});
  ASSERT_TRUE(copied(builder.write(), folder / "a.rep"));

  const auto copy = Database::open(folder / "a.rep");
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->integer("SELECT count(*) FROM EXTRA WHERE rowid = 77 AND a = x'00FF' AND b = 1.5"), 1);
  EXPECT_EQ(copy->integer("SELECT count(*) FROM META_DATA_CAPTURE"), 1);
  EXPECT_EQ(test::readFile(folder / "a.rep").find("secret"), std::string::npos);
}

TEST(Copy, TheFiguresOfEveryGoldenReportSurvive) {
  LANESCOPE_NEEDS_SHARED();
  const test::TemporaryFolder folder;
  for (const auto& path : test::goldenExports()) {
    ASSERT_TRUE(copied(path, folder / "copy.rep")) << path;
    Info before = readInfo(*Database::open(path), {});
    const Info after = readInfo(*Database::open(folder / "copy.rep"), {});
    EXPECT_EQ(after.format, "lanescope");
    before.format = after.format, before.version = after.version;
    EXPECT_EQ(toJson(before), toJson(after)) << path;
  }
}

}  // namespace
}  // namespace lanescope::report
