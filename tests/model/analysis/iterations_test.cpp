// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/iterations.h"

#include <gmock/gmock.h>

#include "model/analysis/reports.h"
#include "model/analysis/table_text.h"
#include "tests/support/loaded_report.h"

namespace lanescope::analysis {
namespace {

using namespace lanescope::test;
using testing::HasSubstr;

class IterationsTest : public LoadedReport {
 protected:
  trace::TracePtr fiveSteps() {
    auto builder = LoadedReport::report();
    std::int64_t start = 1;
    for (int i = 0; i < 5; ++i) {
      const std::int64_t length = i == 4 ? 50'000 : 10'000;
      builder.add(N{.start = start, .end = start + length, .text = "iter " + std::to_string(i)});
      for (int op = 0; op < 20; ++op)
        builder.add(
            N{.start = start + 100 * op, .end = start + 100 * op + 10, .text = "iter " + std::to_string(i) + " op"});
      start += length + 1000;
    }
    return load(builder);
  }
  std::string table(const trace::Trace& trace, ReportArguments arguments = {}) {
    auto values = report::RowValues::open(folder / "report.sqlite").value();
    ReportCall call = findReports("lanescope_iterations").at(0);
    call.arguments = std::move(arguments);
    return toText(makeReport(call, trace, values).value(), TableFormat::kCsv);
  }
};

TEST_F(IterationsTest, AreTheOutermostRangeThatRepeatsWhateverNumbersItCarries) {  // MOD-15
  const auto trace = fiveSteps();
  const auto found = findIterations(*trace);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, ":iter *");
  EXPECT_EQ(found->ranges.size(), 5u);
  const std::string text = table(*trace);
  EXPECT_THAT(text, HasSubstr("iteration on the host,5,100.0,90000,18000.0,10000.0,50000,50000,50000,10000,50000,"));
  EXPECT_THAT(text, HasSubstr("range in it,20,0.2,200,10.0,10.0,10,10,10,10,10,0.0,,,,,:iter 0 op\n"));
  EXPECT_THAT(text, HasSubstr("slowest,,,50000,,,,,,,,,,44001,1,1,:iter 4\n"));
}

TEST_F(IterationsTest, AreNeverInventedFromLibrariesOrFromWhatIsThereOnce) {  // MOD-15
  const auto trace = load(ReportBuilder(folder / "report.sqlite")
                              .add(N{.start = 1, .type = 75, .text = "CCCL", .domain = 3})
                              .add(N{.start = 1, .end = 5, .text = "cub::DeviceRadixSort", .domain = 3})
                              .add(N{.start = 6, .end = 9, .text = "cub::DeviceRadixSort", .domain = 3})
                              .add(N{.start = 10, .end = 15, .text = "cub::DeviceReduce::Sum"}));
  EXPECT_FALSE(findIterations(*trace));
  EXPECT_THAT(table(*trace), HasSubstr("\nno marker found,"));
}

TEST_F(IterationsTest, AreTheStepsOfPyTorchsProfilerWhereThereAreTwo) {
  const auto trace = load(ReportBuilder(folder / "report.sqlite")
                              .add(N{.start = 1, .end = 5, .text = "clear"})
                              .add(N{.start = 6, .end = 9, .text = "clear"})
                              .add(N{.start = 10, .end = 100, .text = "whole"})
                              .add(N{.start = 11, .end = 50, .text = "ProfilerStep#551"})
                              .add(N{.start = 51, .end = 90, .text = "ProfilerStep#552"}));
  const auto found = findIterations(*trace);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, ":ProfilerStep#*");
  EXPECT_EQ(found->ranges.size(), 2u);
}

TEST_F(IterationsTest, AreNoAnnotationsOfAFrameworkThatAreThereTwice) {
  ReportBuilder builder(folder / "report.sqlite");
  builder.insert("LANESCOPE_DOMAINS", {{"globalPid", gtid(1, 0)}, {"domainId", std::int64_t{1}}});
  builder.add(N{.start = 1, .type = 75, .text = "Annotations", .domain = 1});
  builder.add(N{.start = 1, .end = 5, .text = "[param|clear_cache]", .domain = 1});
  builder.add(N{.start = 6, .end = 9, .text = "[param|clear_cache]", .domain = 1});
  const auto twice = load(builder);
  ASSERT_FALSE(twice->domains.empty());
  ASSERT_FALSE(twice->domains.back().isNvtx);
  EXPECT_FALSE(findIterations(*twice));
}

TEST_F(IterationsTest, AreNoRangesThatHappenToHaveNumbers) {
  const auto found = [&](std::initializer_list<const char*> texts) {
    ReportBuilder builder(folder / "report.sqlite");
    std::int64_t start = 1;
    for (const char* text : texts) builder.add(N{.start = start, .end = start + 5, .text = text}), start += 10;
    const auto iterations = findIterations(*load(builder));
    return iterations ? iterations->name : "";
  };
  EXPECT_EQ(found({"aten::to, op_id = 3", "aten::to, op_id = 17", "aten::to, op_id = 19"}), "");
  EXPECT_EQ(found({"aten::to, op_id = 3", "aten::to, op_id = 6", "aten::to, op_id = 9"}), "") << "a library's";
  EXPECT_EQ(found({"ncclGroupEnd", "ncclGroupEnd", "ncclGroupEnd"}), "");
  EXPECT_EQ(found({"1. part", "2. part"}), "") << "two only";
  EXPECT_EQ(found({"main->phase1", "main->phase2", "main->phase3"}), "") << "parts of a program";
  EXPECT_EQ(found({"a 1 b 1", "a 2 b 2", "a 3 b 3"}), "") << "two numbers";
  EXPECT_EQ(found({"step 3", "step 2", "step 1"}), "");
  EXPECT_EQ(found({"x 99999999999999999999", "x 99999999999999999998", "x 99999999999999999997"}), "");
  EXPECT_EQ(found({"step 0", "step 10", "step 20"}), ":step *");
  EXPECT_EQ(found({"e0 step 7", "e0 step 8", "e0 step 9"}), ":e* step *");
  EXPECT_EQ(found({"step 0", "step 1", "step 0", "step 1"}), ":step *") << "epochs";
  EXPECT_EQ(found({"conv2d", "conv2d", "conv3d"}), ":conv2d") << "that very text";
}

TEST_F(IterationsTest, MayBeNamedByTextOrByOneOfThem) {
  const auto trace = fiveSteps();
  EXPECT_EQ(findIterations(*trace, "iter 3")->ranges.size(), 5u);
  EXPECT_EQ(findIterations(*trace, ":iter 3")->ranges.size(), 5u);
  EXPECT_EQ(findIterations(*trace, "iter 2 op")->ranges.size(), 20u) << "that very text repeats";
  EXPECT_FALSE(findIterations(*trace, "epoch"));
  EXPECT_THAT(table(*trace, {.iteration = "epoch"}), HasSubstr("no marker found"));
}

TEST_F(IterationsTest, InARangeWithTheSameTextAreOnlyTheOuterOnes) {
  auto builder = ReportBuilder(folder / "report.sqlite");
  for (int i = 0; i < 3; ++i)
    builder.add(N{.start = 100 * i + 1, .end = 100 * i + 90, .text = "f"})
        .add(N{.start = 100 * i + 10, .end = 100 * i + 20, .text = "f"});
  EXPECT_EQ(findIterations(*load(builder))->ranges.size(), 3u);
}

TEST_F(IterationsTest, TheWarmUpThatIsLeftOutEndsWhereTheNextIterationBegins) {
  const auto trace = fiveSteps();
  auto values = report::RowValues::open(folder / "report.sqlite").value();
  ScopeRequest request;
  request.skip = 4;
  EXPECT_EQ(resolve(request, *trace, values, "f")->range.begin, 44'001);
  request.skip = 5;
  EXPECT_EQ(resolve(request, *trace, values, "f").error().code, ErrorCode::kNoSuchRange);
}

}  // namespace
}  // namespace lanescope::analysis
