// SPDX-License-Identifier: Apache-2.0
#include "model/report/step_limit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/report/details.h"
#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

constexpr const char* kEndless =
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT max(i) FROM n";

TEST(StepLimit, AStatementWithoutEndFailsAndShortOnesStillPass) {
  const test::TemporaryFolder folder;
  const auto database = Database::open(test::ReportBuilder(folder / "a.sqlite").add(test::K{.end = 5}).write());
  ASSERT_TRUE(database);
  const StepLimit limit(*database, {}, 100'000);
  EXPECT_FALSE(limit.exceeded());
  EXPECT_EQ(database->integer(kEndless, -1), -1);
  EXPECT_TRUE(limit.exceeded());
  EXPECT_EQ(database->integer("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL", -1), 1);
  EXPECT_TRUE(database->has("CUPTI_ACTIVITY_KIND_KERNEL", "start"));
}

TEST(StepLimit, ACancelledJobStopsAStatement) {
  const test::TemporaryFolder folder;
  const auto database = Database::open(test::ReportBuilder(folder / "a.sqlite").add(test::K{.end = 5}).write());
  ASSERT_TRUE(database);
  std::stop_source stop;
  stop.request_stop();
  const StepLimit limit(*database, Job(stop.get_token()));
  EXPECT_EQ(database->integer(kEndless, -1), -1);
}

TEST(StepLimit, DetailsThatTakeTooLongAreLeftOutAndSaySo) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  // A payload of as many enumerations as are decoded, whose names stand in a table without a key.
  builder.add(test::N{.start = 1, .end = 2, .text = "range"});
  builder.sql(
      "UPDATE NVTX_EVENTS SET binaryData = x'0100000000000000"
      "0900000000000000"
      "0800000000000000"
      "2000000000000000"
      "0700000000000000';"
      "CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES(domainId, schemaId, idx, flags, type, name, offset);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 63)"
      "INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES SELECT 1, 9, i, NULL, 77, 'e' || i, 0 FROM n;"
      "CREATE TABLE NVTX_PAYLOAD_ENUMS(schemaId, size); INSERT INTO NVTX_PAYLOAD_ENUMS VALUES(77, 8);"
      "CREATE TABLE NVTX_PAYLOAD_ENUM_ENTRIES(domainId, schemaId, name, value);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
      "INSERT INTO NVTX_PAYLOAD_ENUM_ENTRIES(domainId) SELECT 2 FROM n;"
      "INSERT INTO NVTX_PAYLOAD_ENUM_ENTRIES VALUES(1, 77, 'far behind', 7)");
  const auto path = builder.write();
  const auto trace = load(path, {}, {}, Job());
  auto details = Details::open(path);
  ASSERT_TRUE(trace && details);
  const std::vector<Field> fields = details->of(**trace, {0, 0});
  const auto valueOf = [&](std::string_view label) {
    const auto found = std::ranges::find(fields, label, &Field::label);
    return found == fields.end() ? std::string() : found->value;
  };
  EXPECT_EQ(valueOf("e0"), "far behind");
  EXPECT_EQ(valueOf("e63"), "7") << "by its number";
  EXPECT_EQ(fields.back().label, "Left out");
}

}  // namespace
}  // namespace lanescope::report
