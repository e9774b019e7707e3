// SPDX-License-Identifier: Apache-2.0
#include "model/report/details.h"

#include <gtest/gtest.h>

#include <algorithm>

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

/// A report with one kernel on an H100 of which much is recorded.
std::filesystem::path fullKernel(const std::filesystem::path& file) {
  test::ReportBuilder builder(file);
  builder.process(test::gpid(1), "train");
  builder.insert("TARGET_INFO_GPU", {{"id", std::int64_t{4}},
                                     {"name", std::string("H100")},
                                     {"maxWarpsPerSm", std::int64_t{64}},
                                     {"maxBlocksPerSm", std::int64_t{32}},
                                     {"maxRegistersPerSm", std::int64_t{65536}},
                                     {"maxShmemPerSm", std::int64_t{233472}},
                                     {"threadsPerWarp", std::int64_t{32}},
                                     {"computeMajor", std::int64_t{9}},
                                     {"computeMinor", std::int64_t{0}}});
  builder.insert("TARGET_INFO_CUDA_DEVICE",
                 {{"gpuId", std::int64_t{4}}, {"cudaId", std::int64_t{0}}, {"pid", std::int64_t{1}}});
  builder.insert("TARGET_INFO_CUDA_STREAM", {{"streamId", std::int64_t{7}},
                                             {"processId", std::int64_t{1}},
                                             {"contextId", std::int64_t{1}},
                                             {"priority", std::int64_t{4294967293}}});
  builder.insert("CUPTI_ACTIVITY_KIND_KERNEL", {{"start", std::int64_t{10}},
                                                {"end", std::int64_t{20}},
                                                {"contextId", std::int64_t{1}},
                                                {"streamId", std::int64_t{7}},
                                                {"correlationId", std::int64_t{3}},
                                                {"globalPid", test::gpid(1)},
                                                {"demangledName", builder.id("gemm<int>(int)")},
                                                {"shortName", builder.id("gemm")},
                                                {"mangledName", builder.id("_Z4gemmIiEvi")},
                                                {"launchType", std::int64_t{1}},
                                                {"cacheConfig", std::int64_t{1}},
                                                {"registersPerThread", std::int64_t{64}},
                                                {"gridX", std::int64_t{8}},
                                                {"gridY", std::int64_t{1}},
                                                {"gridZ", std::int64_t{1}},
                                                {"blockX", std::int64_t{1024}},
                                                {"blockY", std::int64_t{1}},
                                                {"blockZ", std::int64_t{1}},
                                                {"staticSharedMemory", std::int64_t{2000}},
                                                {"localMemoryTotal", std::int64_t{5000}},
                                                {"sharedMemoryExecuted", std::int64_t{32768}},
                                                {"clusterX", std::int64_t{0}},
                                                {"clusterY", std::int64_t{0}},
                                                {"clusterZ", std::int64_t{0}},
                                                {"qmdLastCtaDone", std::int64_t{77}}});
  return builder.write();
}

TEST(Details, AKernelTellsAllItsColumnsGroupByGroup) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(detailsOf(fullKernel(folder / "a.sqlite"), EventKind::kKernel),
            "Name: gemm<int>(int)\nStart: 10 ns\nDuration: 10 ns\nGrid: 8 × 1 × 1\nBlock: 1024 × 1 × 1\n"
            "Registers per thread: 64\nTheoretical occupancy: 50 % of 64 warps, limited by registers\n"
            "Launch type: Regular\nGrid id: 0\n"
            "Static shared memory: 2.00 kB\nSM shared memory: 32.8 kB\nCache preference: Shared\n"
            "Local memory in total: 5.00 kB\nCorrelation id: 3\n"
            "Stream: 7\nStream priority: -3\nContext: 1\nGPU: 0 (H100)\nProcess: train (1)\n"
            "Mangled name: _Z4gemmIiEvi\nqmdLastCtaDone: 77\n");
}

TEST(Details, OccupancyIsLeftOutWhereTheLimitsAreMissing) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::K{.start = 200, .end = 350, .blockX = 256});
  EXPECT_EQ(detailsOf(builder.write(), EventKind::kKernel).find("occupancy"), std::string::npos);
}

TEST(Details, WorkThatBeginsBeforeItsLaunchReturnsDidNotQueue) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::R{.start = 100, .end = 230, .correlation = 7});
  builder.add(test::K{.start = 200, .end = 350, .correlation = 7});
  const std::string text = detailsOf(builder.write(), EventKind::kKernel);
  EXPECT_NE(text.find("Launch latency: 100 ns\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("Queue time"), std::string::npos) << text;
}

TEST(Details, AColumnThatNobodyKnowsIsShownByItsName) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.sql(
      "CREATE TABLE OSRT_API(start, end, globalTid, nameId, returnValue, fancy, \"odd name\", bytes, empty);"
      "INSERT INTO OSRT_API VALUES (1, 2, 16777217, 3, 0, 'text', 2.5, x'0001ff', NULL)");
  builder.string(3, "poll");
  const std::string text = detailsOf(builder.write(), EventKind::kOsRuntime);
  EXPECT_TRUE(text.ends_with("fancy: text\nodd name: 2.5\nbytes: 3 B\n")) << text;
}

TEST(Details, AValueWithoutEndIsCutAndSaysSo) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.sql(
      "CREATE TABLE OSRT_API(start, end, globalTid, nameId, fancy);"
      "INSERT INTO OSRT_API VALUES (1, 2, 16777217, 3, hex(zeroblob(3000000)))");
  builder.string(3, "poll");
  const std::string text = detailsOf(builder.write(), EventKind::kOsRuntime);
  EXPECT_TRUE(text.ends_with("00… (6.00 MB in all)\n"));
  EXPECT_LT(text.size(), 1'100'000u);
}

TEST(Details, ARangeTellsItsCategoryColourAndPayload) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::N{.start = 0, .type = 33, .text = "input", .category = 4});
  builder.insert("NVTX_EVENTS", {{"start", std::int64_t{1}},
                                 {"end", std::int64_t{9}},
                                 {"eventType", std::int64_t{59}},
                                 {"globalTid", test::gtid(1, 1)},
                                 {"text", std::string("load")},
                                 {"domainId", std::int64_t{0}},
                                 {"category", std::int64_t{4}},
                                 {"color", std::int64_t{0xFF00FF10}},
                                 {"uint64Value", std::int64_t{-1}}});
  const std::string text = detailsOf(builder.write(), EventKind::kNvtxRange);
  EXPECT_NE(text.find("Category: input\nPayload: 18446744073709551615\nColour: #00ff10\n"), std::string::npos) << text;
}

TEST(Details, ACollectiveOfNcclTellsItsPayloadInWords) {
  LANESCOPE_NEEDS_SHARED();
  const auto path = test::sharedFolder() / "golden/ddp_rank0/nsys.sqlite";
  const auto trace = load(path, {}, {}, Job());
  auto details = Details::open(path);
  ASSERT_TRUE(trace && details);
  std::string first;
  std::size_t sizes = 0;
  for (trace::LaneId lane = 0; lane < (*trace)->lanes.size(); ++lane) {
    if ((*trace)->laneInfo[lane].kind != EventKind::kNvtxRange) continue;
    for (std::uint32_t i = 0; i < (*trace)->lanes[lane]->size(); ++i) {
      for (const Field& field : details->of(**trace, {lane, i})) {
        if (field.label == "Message size [bytes]") ++sizes;
        EXPECT_EQ(field.value.find("of binary data"), std::string::npos) << field.value;
        if (field.label == "Reduction operation" && first.empty()) first = field.value;
      }
    }
  }
  EXPECT_EQ(first, "Sum");
  EXPECT_GT(sizes, 20u);
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

TEST(Details, LabelsWithoutEndAndColumnsWithoutEndAreCut) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  std::string columns = "start, end, globalTid, nameId, \"a\nb" + std::string(1000, 'x') + '"',
              values = "1, 2, 16777217, 3, 0";
  for (int i = 0; i < 900; ++i) {
    columns += ", c" + std::to_string(i);
    values += ", 1";
  }
  builder.sql("CREATE TABLE OSRT_API(" + columns + "); INSERT INTO OSRT_API VALUES(" + values + ")");
  builder.string(3, "poll");
  const auto path = builder.write();
  const auto trace = load(path, {}, {}, Job());
  auto details = Details::open(path);
  ASSERT_TRUE(trace && details);
  const std::vector<Field> fields = details->of(**trace, {0, 0});
  EXPECT_EQ(fields.size(), 500u);
  EXPECT_EQ(fields.back().value, "more than is shown here");
  const auto odd = std::ranges::find_if(fields, [](const Field& field) { return field.label.starts_with("a␊b"); });
  ASSERT_NE(odd, fields.end());
  EXPECT_LT(odd->label.size(), 300u);
}

}  // namespace
}  // namespace lanescope::report
