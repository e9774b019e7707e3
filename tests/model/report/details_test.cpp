// SPDX-License-Identifier: Apache-2.0
#include "model/report/details.h"

#include <gtest/gtest.h>

#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

using trace::EventKind;

/// "Label: value" lines of the first event of a kind.
std::string detailsOf(const std::filesystem::path& path, EventKind kind) {
  const auto trace = load(path, {}, {}, Job());
  auto details = Details::open(path);
  if (!trace || !details) return "does not open";
  for (trace::LaneId lane = 0; lane < (*trace)->lanes.size(); ++lane) {
    if ((*trace)->laneInfo[lane].kind != kind) continue;
    std::string text;
    for (const Field& field : details->of(**trace, {lane, 0})) text += field.label + ": " + field.value + "\n";
    return text;
  }
  return "no such event";
}

TEST(Details, AKernelTellsItsShapeAndWhoLaunchedIt) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.thread(test::gtid(1, 5), "worker");
  builder.add(test::R{.start = 100, .end = 130, .thread = test::gtid(1, 5), .correlation = 7});
  builder.add(
      test::K{.start = 200, .end = 350, .correlation = 7, .name = "gemm<int>(float)", .gridX = 16384, .blockX = 256});
  const std::string text = detailsOf(builder.write(), EventKind::kKernel);
  EXPECT_TRUE(text.starts_with(
      "Name: gemm<int>(float)\nStart: 200 ns\nDuration: 150 ns\nGrid: 16384 × 1 × 1\nBlock: 256 × 1 × 1\n"))
      << text;
  EXPECT_NE(text.find("Launched by: cudaLaunchKernel on worker (5)\nLaunch latency: 100 ns\nQueue time: 70 ns\n"),
            std::string::npos)
      << text;
}

TEST(Details, ACopyTellsItsRateAndBothKindsOfMemory) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::M{.start = 0, .end = 1000, .bytes = 4000, .source = 1, .destination = 2});
  const std::string text = detailsOf(builder.write(), EventKind::kCopy);
  EXPECT_NE(text.find("Size: 4.00 kB\nThroughput: 4.00 GB/s\nDirection: Host-to-Device\nFrom: Pinned\nTo: Device\n"),
            std::string::npos)
      << text;
}

TEST(Details, AFailedCallIsNamedByItsError) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::R{.start = 1, .end = 2, .name = "cudaMalloc_v3020", .returnValue = 2});
  EXPECT_NE(detailsOf(builder.write(), EventKind::kCudaApi).find("Result: out of memory (error 2)\n"),
            std::string::npos);
}

TEST(Details, ColumnsThatAreMissingAreLeftOut) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.sql("CREATE TABLE OSRT_API(start, end, globalTid, nameId); INSERT INTO OSRT_API VALUES (1, 2, 16777217, 3)");
  builder.string(3, "poll");
  EXPECT_TRUE(detailsOf(builder.write(), EventKind::kOsRuntime)
                  .starts_with("Name: poll\nStart: 1 ns\nDuration: 1 ns\nThread: "));
}

TEST(Details, EveryLaneOfEveryGoldenReportHasNameStartAndDuration) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& path : test::goldenExports()) {
    const auto trace = load(path, {}, {}, Job());
    ASSERT_TRUE(trace);
    auto details = Details::open(path);
    ASSERT_TRUE(details);
    for (trace::LaneId lane = 0; lane < (*trace)->lanes.size(); ++lane) {
      if ((*trace)->lanes[lane]->empty()) continue;
      const auto fields = details->of(**trace, {lane, 0});
      ASSERT_GE(fields.size(), 3u);
      EXPECT_EQ(fields[0].label, "Name");
      EXPECT_EQ(fields[1].label, "Start");
      EXPECT_EQ(fields[2].label, "Duration");
    }
  }
}

}  // namespace
}  // namespace lanescope::report
