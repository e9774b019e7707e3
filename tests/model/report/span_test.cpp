// SPDX-License-Identifier: Apache-2.0
#include "model/report/span.h"

#include <gmock/gmock.h>

#include "model/analysis/report_times.h"
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
    const auto trace = load(path, {}, {}, Job{});
    ASSERT_TRUE(trace) << path;
    EXPECT_EQ(hull((*trace)->range, *span), (*trace)->range) << "the timeline holds it: " << path;
  }
}

class SpanTest : public LoadedReport {};

TEST_F(SpanTest, HoldsInstantsAndPassesOverTimesThatAreNone) {
  auto builder = report();
  builder.add(N{.start = 50, .text = "open"})
      .add(K{.start = 0, .end = 0})
      .add(K{.start = 90, .end = 10})
      .add(K{.start = 60, .end = 80})
      .insert("PROFILER_OVERHEAD",
              {{"start", std::int64_t{10}}, {"end", std::int64_t{200}}, {"globalTid", gtid(1, 1)}});
  const auto file = builder.write();
  EXPECT_EQ(recordedSpan(Database::open(file).value()), (trace::TimeRange{50, 80}));
  const trace::TracePtr trace = report::load(file, {}, {}, Job{}).value();
  EXPECT_EQ(trace->range, (trace::TimeRange{10, 200}));
  std::string times;
  for (const analysis::NamedTime& time : analysis::reportTimes(*trace)) times += time.name + " " + time.text() + "\n";
  EXPECT_THAT(times, testing::HasSubstr("Timeline 190 ns, from 10 ns to 200 ns: all that is drawn"));
  EXPECT_THAT(analysis::recordedTime({50, 80}).text(), testing::StartsWith("30 ns, from 50 ns to 80 ns: CUDA calls"));
  EXPECT_THAT(times, testing::HasSubstr("GPU time, GPU 0 20 ns, from 60 ns to 80 ns"));
}

TEST_F(SpanTest, IsNothingWhereNothingIsRecorded) {
  auto builder = report();
  builder.add(K{.start = 0, .end = 0});
  EXPECT_FALSE(recordedSpan(Database::open(builder.write()).value()));
}

}  // namespace
}  // namespace lanescope::report
