// SPDX-License-Identifier: Apache-2.0
#include "model/report/span.h"

#include "model/report/info.h"
#include "tests/support/loaded_report.h"

namespace lanescope::report {
namespace {

using namespace lanescope::test;

TEST(Span, IsWhatInfoTellsOfEveryReport) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& path : goldenExports()) {
    const auto database = Database::open(path);
    ASSERT_TRUE(database) << path;
    const auto told = readInfo(*database, {}).span;
    const auto span = recordedSpan(*database);
    ASSERT_EQ(span.has_value(), told.has_value()) << path;
    if (!span) continue;
    EXPECT_EQ(std::pair(span->begin, span->end), *told) << path;
  }
}

class SpanTest : public LoadedReport {};

TEST_F(SpanTest, HoldsInstantsAndPassesOverTimesThatAreNone) {
  auto builder = report();
  builder.add(N{.start = 50, .text = "open"})
      .add(K{.start = 0, .end = 0})
      .add(K{.start = 90, .end = 10})
      .add(K{.start = 60, .end = 80});
  EXPECT_EQ(recordedSpan(Database::open(builder.write()).value()), (trace::TimeRange{50, 80}));
}

TEST_F(SpanTest, IsNothingWhereNothingIsRecorded) {
  auto builder = report();
  builder.add(K{.start = 0, .end = 0});
  EXPECT_FALSE(recordedSpan(Database::open(builder.write()).value()));
}

}  // namespace
}  // namespace lanescope::report
