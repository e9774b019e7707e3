// SPDX-License-Identifier: Apache-2.0
#include "model/report/diagnostics.h"

#include <gtest/gtest.h>

#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

void add(test::ReportBuilder& builder, std::int64_t time, std::int64_t severity, const std::string& text) {
  builder.insert("DIAGNOSTIC_EVENT", {{"timestamp", time}, {"severity", severity}, {"text", text}});
}

TEST(Diagnostics, TellFirstHowFarTheClocksMayBeApart) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  add(builder, -7, 2, "slow");
  for (const auto& [name, value] : {std::pair<std::string, std::string>("0:WALL_CLOCK_AHEAD_NS", "2500"),
                                    {"0:WALL_CLOCK_ERROR_NS", "40"},
                                    {"1:WALL_CLOCK_AHEAD_NS", "9"},
                                    {"1:WALL_CLOCK_ERROR_NS", "1300"},
                                    {"1:WALL_CLOCK_STEPS", "2"},
                                    {"2:WALL_CLOCK_ERROR_NS", "-5"},
                                    {"3:WALL_CLOCK_ERROR_NS", "x"}})
    builder.insert("META_DATA_CAPTURE", {{"name", "LANESCOPE:PROCESS_" + name}, {"value", value}});
  builder.sql("CREATE TABLE TARGET_INFO_GPU (name TEXT); INSERT INTO TARGET_INFO_GPU VALUES ('A10')");
  const auto database = Database::open(builder.write());
  ASSERT_TRUE(database);
  const auto all = diagnostics(*database);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].time, std::nullopt);
  EXPECT_EQ(all[0].severity, Severity::kWarning);
  EXPECT_EQ(
      all[0].text,
      "Times of the GPU and of the CPU agree within 1.300 µs: the offset of their clocks, 2.500 µs, was measured so "
      "closely; the wall clock was stepped 2 times");
}

TEST(Diagnostics, ComeInOrderOfTimeWithTheirSeverity) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  add(builder, 5, 3, "lost\n");
  add(builder, -7, 2, "slow");
  add(builder, 9, 4, " Events: \t 172,\n or so\n");
  const auto database = Database::open(builder.write());
  ASSERT_TRUE(database);
  const auto all = diagnostics(*database);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].time, -7);
  EXPECT_EQ(all[0].severity, Severity::kWarning);
  EXPECT_EQ(all[1].text, "lost");
  EXPECT_EQ(all[1].severity, Severity::kError);
  EXPECT_EQ(all[2].severity, Severity::kInfo);
  EXPECT_EQ(all[2].text, "Events: 172, or so");
}

TEST(Diagnostics, AReportWithoutTheTableHasNone) {
  const test::TemporaryFolder folder;
  const auto database =
      Database::open(test::ReportBuilder(folder / "a.sqlite").add(test::K{.start = 0, .end = 5}).write());
  ASSERT_TRUE(database);
  EXPECT_TRUE(diagnostics(*database).empty());
}

TEST(Diagnostics, WhatTheRecorderLostIsAnIssueOfTheTraceAndNoDamageOfTheFile) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::K{.start = 0, .end = 5});
  builder.insert("LANESCOPE_ISSUES",
                 {{"kind", std::string("lost-cupti")}, {"count", std::int64_t{7}}, {"text", std::string("7 lost")}});
  builder.insert("LANESCOPE_ISSUES",
                 {{"kind", std::string("odd")}, {"count", std::int64_t{-1}}, {"text", std::string("odd")}});
  const auto trace = load(builder.write(), {.strict = true}, {}, Job());
  ASSERT_TRUE(trace);
  ASSERT_EQ((*trace)->issues.size(), 2u);
  EXPECT_EQ((*trace)->issues[0].kind, "lost-cupti");
  EXPECT_EQ((*trace)->issues[0].count, 7u);
  EXPECT_EQ((*trace)->issues[0].text, "7 lost");
  EXPECT_EQ((*trace)->issues[1].count, 0u);
}

TEST(Diagnostics, IssuesWithoutEndAreNotAllKept) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  for (int i = 0; i < 3000; ++i)
    builder.insert("LANESCOPE_ISSUES",
                   {{"kind", std::string("k")}, {"count", std::int64_t{1}}, {"text", std::string("t")}});
  const auto trace = load(builder.write(), {}, {}, Job());
  ASSERT_TRUE(trace);
  EXPECT_EQ((*trace)->issues.size(), 1000u);
}

TEST(Diagnostics, OfAMillionTheWorstAreToldAndTheLastSaysSo) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  add(builder, 5, 3, std::string(100'000, 'x'));
  builder.sql(
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1499)"
      "INSERT INTO DIAGNOSTIC_EVENT(timestamp, timestampType, source, severity, text, globalPid) "
      "SELECT i - 9000, 0, 0, 1, 'note', 0 FROM n");
  const auto database = Database::open(builder.write());
  ASSERT_TRUE(database);
  const auto all = diagnostics(*database);
  ASSERT_EQ(all.size(), 1001u);
  EXPECT_EQ(all[999].severity, Severity::kError);
  EXPECT_LT(all[999].text.size(), 5000u);
  EXPECT_TRUE(all[1000].text.starts_with("… and more")) << all[1000].text;
}

TEST(Diagnostics, AThousandLossesAreOneIssueThatCountsThem) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  for (int i = 0; i < 1000; ++i) add(builder, i, 3, "Lost " + std::to_string(i % 500) + std::string(2000, 'x'));
  const auto trace = load(builder.add(test::K{.start = 1, .end = 2}).write(), {}, {}, Job());
  ASSERT_TRUE(trace);
  ASSERT_EQ((*trace)->issues.size(), 1u);
  const trace::Issue& issue = (*trace)->issues.front();
  EXPECT_EQ(issue.kind, "records-dropped");
  EXPECT_EQ(issue.count, 1000u);
  EXPECT_TRUE(issue.text.starts_with("The profiler said: “Lost 0xxx")) << issue.text;
  EXPECT_TRUE(issue.text.ends_with(" and 997 more messages")) << issue.text;
  EXPECT_LT(issue.text.size(), 2000u);
}

}  // namespace
}  // namespace lanescope::report
