// SPDX-License-Identifier: Apache-2.0
// Every stats report of every recording, cell by cell against what Nsight Systems printed; then what those lack.
#include "model/analysis/reports.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <simdjson.h>

#include "model/analysis/table_text.h"
#include "model/report/load.h"
#include "tests/support/csv.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::analysis {
namespace {

using namespace lanescope::test;
using testing::ElementsAre;

trace::TracePtr load(const std::filesystem::path& file, std::vector<trace::EventKind> only = {}) {
  const auto trace = report::load(file, {.only = std::move(only)}, {}, Job{});
  EXPECT_TRUE(trace) << sentence(trace.error());
  return trace.value_or(std::make_shared<trace::Trace>());
}

/// A report's file beside its trace, of which other reports may be made.
struct Loaded {
  explicit Loaded(const std::filesystem::path& file, std::vector<trace::EventKind> only = {})
      : trace(load(file, std::move(only))), values(report::RowValues::open(file).value()) {}

  std::optional<Table> table(const ReportCall& call) { return makeReport(call, *trace, values); }
  std::optional<Table> table(const char* call) { return table(findReports(call).at(0)); }
  Cells cells(const ReportCall& call) {
    const auto made = table(call);
    return made ? parseCsv(toText(*made, TableFormat::kCsv)) : Cells{};
  }

  trace::TracePtr trace;
  report::RowValues values;
};

class GoldenReports : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(GoldenReports, EqualThoseOfNsightSystemsCellByCell) {
  Loaded loaded(GetParam());
  const std::filesystem::path folder = GetParam().parent_path();
  // Traces of the largest recordings were not kept.
  const bool all = !folder.filename().string().starts_with("ddp");
  std::size_t compared = 0;
  for (const StatsReport& report : statsReports()) {
    const auto golden = folder / (std::string(report.name) + ".csv");
    if (!std::filesystem::exists(golden)) {
      const bool ours = report.name.starts_with("lanescope_") || report.name.starts_with("nvprof_");
      if (all && !ours) {
        EXPECT_FALSE(loaded.table({&report})) << report.name;
      }
      continue;
    }
    const Cells ours = loaded.cells({&report});
    ASSERT_FALSE(ours.empty()) << report.name << ": no data";
    EXPECT_EQ(difference(ours, parseCsv(readFile(golden))), "") << report.name;
    ++compared;
  }
  EXPECT_GE(compared, 6u);
}

TEST_P(GoldenReports, AreTheSameWhenOnlyTheirOwnKindsAreRead) {
  Loaded whole(GetParam());
  for (const StatsReport& report : statsReports())
    EXPECT_EQ(Loaded(GetParam(), ReportCall{&report}.kinds()).cells({&report}), whole.cells({&report})) << report.name;
}

INSTANTIATE_TEST_SUITE_P(Recordings, GoldenReports, testing::ValuesIn(goldenExports()),
                         [](const auto& each) { return testName(each.param.parent_path().filename().string()); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenReports);

std::int64_t sumOf(const std::optional<Table>& table, std::size_t column) {
  std::int64_t sum = 0;
  if (table)
    for (const auto& row : table->rows) sum += std::get<std::int64_t>(row[column]);
  return sum;
}

TEST(StrangersReports, AddUpToTheFiguresComputedWithoutUs) {
  LANESCOPE_NEEDS_SHARED();
  simdjson::dom::parser parser;
  simdjson::dom::element all;
  ASSERT_FALSE(parser.load((sharedFolder() / "traces/EXPECTED.json").string()).get(all));
  std::size_t kernels = 0, copies = 0;
  for (const auto& path : filesIn(sharedFolder() / "traces/nsys", ".sqlite")) {
    SCOPED_TRACE(path.filename());
    const auto figures = all["nsys/" + path.filename().string()]["figures"];
    Loaded loaded(path, {trace::EventKind::kKernel, trace::EventKind::kCopy, trace::EventKind::kMemset});
    const trace::TracePtr trace = loaded.trace;
    std::int64_t number = 0;
    if (!figures["kernels"].get(number) && trace->issues.empty()) {
      const auto table = loaded.table("cuda_gpu_kern_sum");
      EXPECT_EQ(sumOf(table, 2), number);
      EXPECT_EQ(sumOf(table, 1), figures["kernel_ns"].get_int64().value());
      EXPECT_EQ(table ? table->rows.size() : 0, figures["kernel_names"].get_uint64().value());
      ++kernels;
    }
    std::int64_t count = 0, bytes = 0, time = 0;
    const auto add = [&](simdjson::dom::element work) {
      count += work.at(0).get_int64().value();
      bytes += work.at(1).get_int64().value();
      time += work.at(2).get_int64().value();
    };
    simdjson::dom::object byKind;
    if (!figures["memcpy"].get(byKind))
      for (const auto& each : byKind) add(each.value);
    if (simdjson::dom::element memset; !figures["memset"].get(memset)) add(memset);
    if (!trace->issues.empty()) continue;
    EXPECT_EQ(sumOf(loaded.table("cuda_gpu_mem_time_sum"), 2), count);
    EXPECT_EQ(sumOf(loaded.table("cuda_gpu_mem_time_sum"), 1), time);
    EXPECT_EQ(sumOf(loaded.table("cuda_gpu_mem_size_sum"), 0), bytes);
    copies += count > 0;
  }
  EXPECT_GT(kernels, 3u);
  EXPECT_GT(copies, 3u);
}

class Reports : public testing::Test {
 protected:
  ReportBuilder report() { return ReportBuilder(folder / "report.sqlite"); }
  Cells cells(const char* name, ReportBuilder& builder) {
    return Loaded(builder.write()).cells(findReports(name).at(0));
  }
  std::vector<std::string> names(const char* name, ReportBuilder& builder) {
    std::vector<std::string> found;
    for (const auto& row : cells(name, builder)) found.push_back(row.back());
    return found;
  }
  std::vector<std::string> names(const char* name, ReportBuilder&& builder) { return names(name, builder); }

  TemporaryFolder folder;
};

TEST_F(Reports, OnlyAVersionOfFourDigitsIsNoPartOfACallsName) {
  EXPECT_THAT(names("cuda_api_sum", report()
                                        .add(R{.start = 1, .end = 100, .name = "cudaMalloc_v3020"})
                                        .add(R{.start = 200, .end = 250, .name = "cudaMalloc"})
                                        .add(R{.start = 300, .end = 350, .name = "cudaGraphLaunch_v10000"})
                                        .add(R{.start = 400, .end = 440, .name = "cuMemAlloc_v2"})
                                        .add(R{.start = 500, .end = 530, .name = "_v3020"})),
              ElementsAre("Name", "cudaMalloc", "cudaGraphLaunch_v10000", "cuMemAlloc_v2", "_v3020"));
}

TEST_F(Reports, UnfinishedRangesAndMarksHaveNoRow) {
  EXPECT_THAT(names("nvtx_sum", report()
                                    .add(N{.start = 1, .end = 100, .text = "done"})
                                    .add(N{.start = 2, .text = "open"})
                                    .add(N{.start = 3, .type = 34, .text = "mark"})),
              ElementsAre("Range", ":done"));
}

TEST_F(Reports, RangesOfOneTextInTwoDomainsAndStylesStandApart) {
  EXPECT_THAT(names("nvtx_sum", report()
                                    .add(N{.start = 1, .type = 75, .text = "NCCL", .domain = 1})
                                    .add(N{.start = 1, .end = 100, .text = "step"})
                                    .add(N{.start = 200, .end = 280, .text = "step", .domain = 1})
                                    .add(N{.start = 300, .end = 350, .type = 60, .text = "step"})),
              ElementsAre("Range", ":step", "NCCL:step", ":step"));
}

TEST_F(Reports, SystemCallsAndTheMarksOfTheRecorderAreNoCallsOfTheOsRuntime) {
  auto builder = report();
  builder.add(O{.start = 1, .end = 10, .name = "poll"});
  const auto insert = [&](const char* table, std::int64_t eventClass) {
    builder.insert(table, {{"start", std::int64_t{20}},
                           {"end", std::int64_t{20}},
                           {"eventClass", eventClass},
                           {"globalTid", gtid(1, 1)},
                           {"nameId", builder.id("other")}});
  };
  insert("OSRT_API", 31);
  insert("OSRT_API", 32);
  EXPECT_THAT(names("osrt_sum", builder), ElementsAre("Name", "poll"));
}

TEST_F(Reports, KernelsMayGoByTheirShortNames) {
  const auto calls = [&](const char* name) {
    return names(name, report()
                           .add(K{.start = 1, .end = 10, .name = "gemm<float>(int)"})
                           .add(K{.start = 20, .end = 40, .name = "gemm<double>(int)"}));
  };
  EXPECT_THAT(calls("cuda_gpu_kern_sum"), ElementsAre("Name", "gemm<double>(int)", "gemm<float>(int)"));
  EXPECT_THAT(calls("cuda_gpu_kern_sum:base"), ElementsAre("Name", "gemm"));
}

TEST_F(Reports, AskedForByANameThatIsNoneAreNotFound) {
  for (const char* name : {"", "cuda", "cuda_api_sum:base", "cuda_gpu_kern_sum:", "um_sum:rows=x",
                           "nvtx_kern_sum:nvtx-name", "summary:base"})
    EXPECT_TRUE(findReports(name).empty()) << name;
}

TEST_F(Reports, TotalsThatDoNotFitStopAtTheLargestTime) {
  auto builder = report();
  for (int i = 0; i < 9; ++i) builder.add(K{.start = 1, .end = trace::kMaxTime, .stream = i, .name = "long"});
  const Cells cells = this->cells("cuda_gpu_kern_sum", builder);
  EXPECT_EQ(cells[1][1], "9223372036854775807");
  EXPECT_EQ(cells[1][0], "100.0");
}

}  // namespace
}  // namespace lanescope::analysis
