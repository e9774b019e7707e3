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

TEST_F(Reports, WhatIsWrongWithANameIsNamed) {
  EXPECT_EQ(whyNoReport("cuda"), "cuda: no such report");
  EXPECT_EQ(whyNoReport("um_sum:rows=abc"), "um_sum:rows=abc: “abc” is no number of rows");
  EXPECT_EQ(whyNoReport("cuda_api_sum:base"), "cuda_api_sum:base: cuda_api_sum takes no argument “base”");
  EXPECT_EQ(whyNoReport("summary:base"), "summary:base: summary stands for several reports and takes no arguments");
}

TEST_F(Reports, WhatIsMissingIsNamed) {
  const auto missing = [&](const char* name, ReportBuilder& builder) {
    return missingFrom(findReports(name).at(0), *load(builder.write()));
  };
  auto ranges = report();
  ranges.add(R{.start = 1, .end = 2}).add(N{.start = 1, .end = 9, .text = "f"});
  EXPECT_EQ(missing("nvtx_gpu_proj_sum", ranges), "CUDA kernel data");
  auto pushed = report();
  pushed.add(N{.start = 1, .end = 9, .text = "f"});
  EXPECT_EQ(missing("nvtx_startend_sum", pushed), "NVTX start/end ranges");
  auto kernels = report();
  kernels.add(K{.start = 1, .end = 9});
  const auto trace = load(kernels.write());
  EXPECT_EQ(missingFrom(findReports("nvtx_startend_sum").at(0), *trace), "NV Tools Extension (NVTX) data");
  const auto inAPart = [&](const char* name) {
    return missingFrom(findReports(name).at(0), *trace, Scope{{100, 200}});
  };
  EXPECT_EQ(inAPart("cuda_gpu_kern_sum"), "CUDA kernel data in what the filters leave");
  EXPECT_EQ(inAPart("osrt_sum"), "OS Runtime trace data") << "there is none elsewhere";
  EXPECT_EQ(inAPart("nvtx_sum"), "NV Tools Extension (NVTX) data");
}

/// Two processes that use the same correlation ids, thread numbers and devices, by hand from facts 2.5.
TEST_F(Reports, OfTwoProcessesAreOfEachByItself) {
  auto builder = report();
  const auto add = [&](std::int64_t pid, std::int64_t at, std::int64_t kernel, std::int64_t queue) {
    builder.add(N{.start = at, .end = at + 100, .thread = gtid(pid, 1), .text = "step"})
        .add(R{.start = at + 10, .end = at + 20, .thread = gtid(pid, 1), .correlation = 7})
        .add(K{.start = at + 20 + queue,
               .end = at + 20 + queue + kernel,
               .correlation = 7,
               .process = gpid(pid),
               .name = "f"});
  };
  add(1, 1000, 40, 5);
  add(2, 1000, 60, 15);
  Loaded file(builder.write());
  using Rows = std::vector<std::vector<std::string>>;
  const auto rows = [&](const char* name) {
    Rows all = file.cells(findReports(name).at(0));
    all.erase(all.begin());
    return all;
  };
  EXPECT_EQ(rows("cuda_gpu_kern_sum"), (Rows{{"100.0", "100", "2", "50.0", "50.0", "40", "60", "14.1", "f"}}));
  EXPECT_EQ(rows("cuda_api_sum"), (Rows{{"100.0", "20", "2", "10.0", "10.0", "10", "10", "0.0", "cudaLaunchKernel"}}));
  EXPECT_EQ(
      rows("nvtx_gpu_proj_sum"),
      (Rows{{":step", "PushPop", "100", "200", "2", "50.0", "50.0", "40", "60", "14.1", "2", "1.0", "0.0", "0.0"}}));
  EXPECT_EQ(
      rows("cuda_kern_exec_sum"),
      (Rows{
          {"2",  "1",   "0",    "1",    "1",  "85.0", "85.0", "85",   "85",   "0.0", "10.0", "10.0", "10",
           "10", "0.0", "15.0", "15.0", "15", "15",   "0.0",  "60.0", "60.0", "60",  "60",   "0.0",  "cudaLaunchKernel",
           "f"},
          {"1",  "1",   "0",   "1",   "1", "55.0", "55.0", "55",   "55",   "0.0", "10.0", "10.0", "10",
           "10", "0.0", "5.0", "5.0", "5", "5",    "0.0",  "40.0", "40.0", "40",  "40",   "0.0",  "cudaLaunchKernel",
           "f"}}));
  EXPECT_EQ(rows("cuda_api_gpu_sum"),
            (Rows{{"83.3", "100", "2", "50.0", "50.0", "40", "60", "14.1", "CUDA_KERNEL", "f"},
                  {"16.7", "20", "2", "10.0", "10.0", "10", "10", "0.0", "CUDA_API", "cudaLaunchKernel"}}));
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
