// SPDX-License-Identifier: Apache-2.0
#include "model/report/call_stack.h"

#include <gtest/gtest.h>

#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

using trace::EventKind;

/// The stack of the first event of a kind, a frame a line.
std::string stackOf(const std::filesystem::path& path, EventKind kind) {
  const auto trace = load(path, {}, {}, Job());
  const auto database = Database::open(path);
  if (!trace || !database) return "does not open";
  for (trace::LaneId lane = 0; lane < (*trace)->lanes.size(); ++lane) {
    if ((*trace)->laneInfo[lane].kind != kind) continue;
    const CallStack stack = callStack(*database, **trace, {lane, 0});
    std::string text;
    for (const Frame& frame : stack.frames) text += frame.text() + (frame.resolved ? "\n" : " ?\n");
    return text + (stack.more ? "more" : "") + (stack.tooLarge ? "too large" : "");
  }
  return "no such event";
}

struct Row {
  std::int64_t id, depth;
  const char *symbol, *module;
  std::int64_t unresolved = 0, address = 0;
};

void addFrames(test::ReportBuilder& builder, const char* table, std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    builder.insert(table, {{"id", row.id},
                           {"symbol", builder.id(row.symbol)},
                           {"module", builder.id(row.module)},
                           {"unresolved", row.unresolved},
                           {"originalIP", row.address},
                           {"stackDepth", row.depth}});
  }
}

void addCall(test::ReportBuilder& builder, std::int64_t chain) {
  builder.insert("CUPTI_ACTIVITY_KIND_RUNTIME", {{"start", std::int64_t{1}},
                                                 {"end", std::int64_t{2}},
                                                 {"globalTid", test::gtid(1, 1)},
                                                 {"nameId", builder.id("cudaMalloc")},
                                                 {"callchainId", chain}});
}

TEST(CallStack, OfACudaCallComesInnermostFirst) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  addCall(builder, 7);
  addFrames(builder, "CUDA_CALLCHAINS",
            {{7, 2, "main", "/opt/train"},
             {8, 0, "other", "/opt/train"},
             {7, 0, "cudaMalloc", "/lib/libcudart.so"},
             {7, 1, "0x7f01", "/lib/libtorch.so", 1, 0x7f01}});
  EXPECT_EQ(stackOf(builder.write(), EventKind::kCudaApi),
            "cudaMalloc (libcudart.so)\n0x7f01 (libtorch.so) ?\nmain (train)\n");
}

TEST(CallStack, OfACpuSampleIsFoundByTheSampleItself) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.insert("COMPOSITE_EVENTS",
                 {{"id", std::int64_t{5}}, {"start", std::int64_t{1}}, {"globalTid", test::gtid(1, 1)}});
  addFrames(builder, "SAMPLING_CALLCHAINS", {{5, 0, "spin", "/opt/train"}, {5, 1, "[Max depth]", "[Max depth]"}});
  EXPECT_EQ(stackOf(builder.write(), EventKind::kCpuSample), "spin (train)\n[Max depth]\n");
}

TEST(CallStack, AFrameWithoutANameShowsItsAddress) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  addCall(builder, 7);
  builder.sql(
      "CREATE TABLE CUDA_CALLCHAINS(id, symbol, module, unresolved, originalIP, stackDepth);"
      "INSERT INTO CUDA_CALLCHAINS VALUES(7, 999999, NULL, NULL, 4096, 0), (7, NULL, NULL, 1, NULL, 1)");
  EXPECT_EQ(stackOf(builder.write(), EventKind::kCudaApi), "0x1000 ?\n(unknown) ?\n");
}

TEST(CallStack, AnEndlessOneIsCutAndSaysSo) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  addCall(builder, 7);
  builder.string(1, "f").sql(
      "CREATE TABLE CUDA_CALLCHAINS(id, symbol, module, stackDepth);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 599)"
      "INSERT INTO CUDA_CALLCHAINS SELECT 7, 1, 1, i FROM n");
  const std::string text = stackOf(builder.write(), EventKind::kCudaApi);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), CallStack::kMostFrames);
  EXPECT_TRUE(text.ends_with("more"));
}

TEST(CallStack, AHugeTableWithoutAnIndexIsNotSearched) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  addCall(builder, 7);
  builder.sql(
      "CREATE TABLE CUDA_CALLCHAINS(id, symbol, module, stackDepth);"
      "INSERT INTO CUDA_CALLCHAINS(rowid, id, symbol, module, stackDepth) VALUES(3000000, 7, 1, 1, 0)");
  EXPECT_EQ(stackOf(builder.write(), EventKind::kCudaApi), "too large");
}

TEST(CallStack, AnEventWithoutOneHasNoFrames) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::R{.start = 1, .end = 2}).add(test::K{.start = 3, .end = 4});
  const auto path = builder.write();
  EXPECT_EQ(stackOf(path, EventKind::kCudaApi), "");
  EXPECT_EQ(stackOf(path, EventKind::kKernel), "");
}

TEST(CallStack, EveryOsRuntimeCallAndSampleOfARecordingHasTheFramesOfPlainSql) {
  LANESCOPE_NEEDS_SHARED();
  const auto path = test::sharedFolder() / "golden/graphs_node/nsys.sqlite";
  const auto trace = load(path, {}, {}, Job());
  const auto database = Database::open(path);
  ASSERT_TRUE(trace && database);
  std::size_t osRuntime = 0, samples = 0;
  for (trace::LaneId lane = 0; lane < (*trace)->lanes.size(); ++lane) {
    const EventKind kind = (*trace)->laneInfo[lane].kind;
    if (kind != EventKind::kOsRuntime && kind != EventKind::kCpuSample) continue;
    for (std::uint32_t i = 0; i < (*trace)->lanes[lane]->size(); ++i)
      (kind == EventKind::kOsRuntime ? osRuntime : samples) += callStack(*database, **trace, {lane, i}).frames.size();
  }
  EXPECT_EQ(osRuntime, static_cast<std::size_t>(database->integer(
                           "SELECT count(*) FROM OSRT_API JOIN OSRT_CALLCHAINS ON callchainId = id")));
  EXPECT_EQ(samples, static_cast<std::size_t>(database->integer(
                         "SELECT count(*) FROM COMPOSITE_EVENTS JOIN SAMPLING_CALLCHAINS USING (id)")));
  EXPECT_GT(samples, 300u);
}

TEST(CallStack, TextsWithoutEndAreCutAndNotReadWithoutEnd) {
  const test::TemporaryFolder folder;
  for (const bool each : {false, true}) {  // its own text of 100 kB
    test::ReportBuilder builder(folder / "a.sqlite");
    addCall(builder, 7);
    builder.sql(
        "CREATE TABLE CUDA_CALLCHAINS(id, symbol, module, stackDepth);"
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 399)"
        "INSERT INTO StringIds SELECT 5000 + i, hex(zeroblob(50000)) FROM n;");
    builder.sql(std::string("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 399)"
                            "INSERT INTO CUDA_CALLCHAINS SELECT 7, ") +
                (each ? "5000 + i" : "5000") + ", NULL, i FROM n");
    const auto path = builder.write();
    const auto trace = load(path, {}, {}, Job());
    const auto database = Database::open(path);
    ASSERT_TRUE(trace && database);
    const CallStack stack = callStack(*database, **trace, {0, 0});
    EXPECT_EQ(stack.more, each);
    EXPECT_EQ(stack.frames.size(), each ? CallStack::kMostRead / 100'000 + 1 : 400u);
    for (const Frame& frame : stack.frames) {
      EXPECT_LT(frame.symbol.size(), CallStack::kMostBytes + 50);
      EXPECT_TRUE(frame.symbol.ends_with("… (100 kB in all)")) << frame.symbol.substr(4000);
    }
  }
}

}  // namespace
}  // namespace lanescope::report
