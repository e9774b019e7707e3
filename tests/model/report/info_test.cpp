// SPDX-License-Identifier: Apache-2.0
#include "model/report/info.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

using simdjson::dom::element;
using test::K;
using test::M;
using test::ReportBuilder;

std::uint64_t numberOr0(const element& figures, const char* key) {
  std::uint64_t value = 0;
  return figures[key].get(value) ? 0 : value;
}

Info infoOf(const std::filesystem::path& path) {
  const auto database = Database::open(path);
  EXPECT_TRUE(database) << path;
  return database ? readInfo(*database, {}) : Info();
}

TEST(Info, EveryStrangersExportHasTheFiguresComputedWithoutUs) {
  LANESCOPE_NEEDS_SHARED();
  simdjson::dom::parser parser;
  element all;
  ASSERT_FALSE(parser.load((test::sharedFolder() / "traces/EXPECTED.json").string()).get(all));
  for (const auto& path : test::filesIn(test::sharedFolder() / "traces/nsys", ".sqlite")) {
    SCOPED_TRACE(path.filename());
    element figures;
    ASSERT_FALSE(all["nsys/" + path.filename().string()]["figures"].get(figures));
    const Info info = infoOf(path);
    EXPECT_EQ(info.processes, numberOr0(figures, "procs"));
    EXPECT_EQ(info.threads, numberOr0(figures, "threads"));
    EXPECT_EQ(info.streams, numberOr0(figures, "streams"));
    EXPECT_EQ(info.kernels.count, numberOr0(figures, "kernels"));
    EXPECT_EQ(info.kernels.totalNs, static_cast<std::int64_t>(numberOr0(figures, "kernel_ns")));
    EXPECT_EQ(info.kernelNames, numberOr0(figures, "kernel_names"));
    EXPECT_EQ(info.cudaCalls, numberOr0(figures, "runtime"));
    EXPECT_EQ(info.nvtxRanges, numberOr0(figures, "nvtx_ranges"));

    simdjson::dom::array list;
    EXPECT_EQ(info.devices, figures["all_devices"].get(list) ? 0 : list.size());
    EXPECT_EQ(info.osRuntimeCalls, figures["osrt"].get(list) ? 0 : static_cast<std::uint64_t>(list.at(0).get_int64()));
    ASSERT_EQ(info.span.has_value(), !figures["all_span"].get(list));
    if (info.span) {
      EXPECT_EQ(info.span->first, list.at(0).get_int64().value());
      EXPECT_EQ(info.span->second, list.at(1).get_int64().value());
    }
    simdjson::dom::object kinds;
    if (figures["memcpy"].get(kinds)) kinds = {};
    std::size_t count = 0;
    if (!figures["memcpy"].error()) {
      for (const auto& [kind, value] : kinds) {
        ++count;
        const auto work = info.copiesByKind.find(std::stoll(std::string(kind)));
        ASSERT_NE(work, info.copiesByKind.end());
        EXPECT_EQ(work->second.count, value.at(0).get_uint64().value());
        EXPECT_EQ(work->second.bytes, value.at(1).get_uint64().value());
        EXPECT_EQ(work->second.totalNs, value.at(2).get_int64().value());
      }
    }
    EXPECT_EQ(info.copiesByKind.size(), count);
    if (!figures["memset"].get(list)) {
      EXPECT_EQ(info.memsets.count, list.at(0).get_uint64().value());
      EXPECT_EQ(info.memsets.bytes, list.at(1).get_uint64().value());
      EXPECT_EQ(info.memsets.totalNs, list.at(2).get_int64().value());
    }
  }
}

TEST(Info, EveryGoldenExportHasTheFiguresOfPlainSql) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& path : test::goldenExports()) {
    SCOPED_TRACE(path.parent_path().filename());
    const auto database = Database::open(path);
    ASSERT_TRUE(database);
    const Info info = readInfo(*database, {});
    const auto count = [&](const char* table, const char* rest = "") {
      return database->has(table)
                 ? static_cast<std::uint64_t>(database->integer(std::string("SELECT count(*) FROM ") + table + rest))
                 : 0;
    };
    const auto sum = [&](const char* table, const char* what) {
      return database->has(table) ? database->integer(std::string("SELECT sum(") + what + ") FROM " + table) : 0;
    };
    EXPECT_EQ(info.kernels.count, count("CUPTI_ACTIVITY_KIND_KERNEL"));
    EXPECT_EQ(info.kernels.totalNs, sum("CUPTI_ACTIVITY_KIND_KERNEL", "end - start"));
    EXPECT_EQ(info.copies.count, count("CUPTI_ACTIVITY_KIND_MEMCPY"));
    EXPECT_EQ(info.copies.bytes, static_cast<std::uint64_t>(sum("CUPTI_ACTIVITY_KIND_MEMCPY", "bytes")));
    EXPECT_EQ(info.memsets.totalNs, sum("CUPTI_ACTIVITY_KIND_MEMSET", "end - start"));
    EXPECT_EQ(info.cudaCalls, count("CUPTI_ACTIVITY_KIND_RUNTIME"));
    EXPECT_EQ(info.synchronizations, count("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"));
    EXPECT_EQ(info.osRuntimeCalls, count("OSRT_API"));
    EXPECT_EQ(info.nvtxRanges, count("NVTX_EVENTS", " WHERE eventType IN (59, 60)"));
    EXPECT_EQ(info.nvtxStartEnd, count("NVTX_EVENTS", " WHERE eventType = 60"));
    EXPECT_EQ(info.nvtxMarks, count("NVTX_EVENTS", " WHERE eventType = 34"));
    EXPECT_EQ(info.metricSamples, count("GPU_METRICS"));
    EXPECT_EQ(info.cpuSamples, count("COMPOSITE_EVENTS"));
    EXPECT_EQ(info.memoryEvents, count("CUDA_GPU_MEMORY_USAGE_EVENTS"));
    EXPECT_EQ(info.streamsNamed, count("TARGET_INFO_NVTX_CUDA_STREAM"));
    EXPECT_EQ(info.graphLaunches, count("CUPTI_ACTIVITY_KIND_RUNTIME",
                                        " JOIN StringIds ON id = nameId WHERE value LIKE 'cudaGraphLaunch%'"));
    EXPECT_EQ(info.version, "3.20.3");
    EXPECT_EQ(info.format, "nsys-sqlite");
  }
}

TEST(Info, InvalidTimesCountAsRowsButNotAsTime) {
  const test::TemporaryFolder folder;
  ReportBuilder builder(folder / "a.sqlite");
  builder.add(K{.start = 100, .end = 200}).add(K{.start = 300, .end = 250}).add(K{}).add(K{.start = 400, .end = 500});
  const Info info = infoOf(builder.write());
  EXPECT_EQ(info.kernels.count, 4u);
  EXPECT_EQ(info.kernels.totalNs, 200);
  EXPECT_EQ(info.span, std::pair(std::int64_t{100}, std::int64_t{500}));
}

TEST(Info, StreamsAreCountedByDeviceAndContext) {
  const test::TemporaryFolder folder;
  ReportBuilder builder(folder / "a.sqlite");
  for (std::int64_t device = 0; device < 3; ++device)
    builder.add(K{.start = 0, .end = 86, .device = device, .stream = 17});
  builder.add(M{.start = 1, .end = 2, .device = 0, .stream = 17, .kind = 11, .bytes = 4096});
  const Info info = infoOf(builder.write());
  EXPECT_EQ(info.devices, 3u);
  EXPECT_EQ(info.streams, 3u);
}

TEST(Info, JsonHasTheKeysOfTheContractInTheirOrder) {
  Info info;
  info.format = "nsys-sqlite";
  info.span = {-5, 10};
  info.copiesByKind[1] = {.count = 2, .bytes = 3, .totalNs = 4};
  info.issues = {{"odd", 1, "a \"quoted\"\nline"}};
  EXPECT_EQ(
      toJson(info),
      R"({"format": "nsys-sqlite", "version": "", "span_ns": [-5, 10], "processes": 0, "threads": 0, "devices": 0, )"
      R"("streams": 0, "kernels": {"count": 0, "total_ns": 0, "names": 0}, )"
      R"("memcpy": {"count": 0, "bytes": 0, "total_ns": 0, "by_kind": {"1": [2, 3, 4]}}, )"
      R"("memset": {"count": 0, "bytes": 0, "total_ns": 0}, "cuda_api": {"count": 0}, "sync": {"count": 0}, )"
      R"("osrt": {"count": 0}, "nvtx": {"ranges": 0, "startend": 0, "marks": 0}, "graphs": {"launches": 0}, )"
      R"("gpu_metrics": {"samples": 0, "metrics": 0}, "mpi": {"count": 0}, "cpu_samples": {"count": 0}, "python_samples": {"count": 0}, "memory_events": {"count": 0}, )"
      "\"streams_named\": 0, \"issues\": [{\"kind\": \"odd\", \"count\": 1, \"text\": \"a "
      "\\\"quoted\\\"\\nline\"}]}");
}

}  // namespace
}  // namespace lanescope::report
