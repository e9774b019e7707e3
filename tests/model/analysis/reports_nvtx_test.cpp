// SPDX-License-Identifier: Apache-2.0
// Reports on NVTX ranges and their GPU work, where the recordings of golden/ have no example: several processes, ranges
// that overlap in part, ranges in themselves, start/end ranges.
#include <gmock/gmock.h>

#include "model/analysis/reports.h"
#include "model/analysis/table_text.h"
#include "tests/support/loaded_report.h"

namespace lanescope::analysis {
namespace {

using namespace lanescope::test;
using testing::ElementsAre;
using testing::HasSubstr;

class NvtxReports : public LoadedReport {
 protected:
  /// The rows as csv, without the titles.
  std::vector<std::string> rows(const char* call, const Scope& scope = {}) {
    auto values = report::RowValues::open(folder / "report.sqlite").value();
    const auto table = makeReport(findReports(call).at(0), *trace_, values, scope);
    std::vector<std::string> lines;
    if (!table) return lines;
    TableStyle style(TableFormat::kCsv);
    style.header = false;
    const std::string text = toText(*table, style);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      lines.push_back(text.substr(at, text.find('\n', at) - at));
    return lines;
  }
  void use(ReportBuilder& builder) { trace_ = load(builder); }
  void use(ReportBuilder&& builder) { use(builder); }

  trace::TracePtr trace_;
};

TEST_F(NvtxReports, AProjectionIsFromTheFirstToTheLastWorkLaunchedInside) {  // MOD-13
  use(report()
          .add(N{.start = 0, .end = 100, .text = "layer0"})
          .add(N{.start = 60, .end = 70, .text = "empty"})
          .add(R{.start = 10, .end = 12, .correlation = 1})
          .add(R{.start = 50, .end = 52, .correlation = 2})
          .add(R{.start = 98, .end = 101, .correlation = 3})
          .add(K{.start = 200, .end = 260, .correlation = 1})
          .add(K{.start = 260, .end = 400, .correlation = 2})
          .add(K{.start = 400, .end = 500, .correlation = 3}));
  EXPECT_THAT(rows("nvtx_gpu_proj_trace"), ElementsAre(":layer0,200,200,0,100,PushPop,1,1,2,0,0,1,,:1"));
  EXPECT_THAT(rows("nvtx_gpu_proj_sum"),
              ElementsAre(":layer0,PushPop,200,100,1,200.0,200.0,200,200,0.0,2,2.0,0.0,0.0"));
}

TEST_F(NvtxReports, OneTextInTwoProcessesIsOneRangeOfASumAndTwoOfATrace) {
  auto builder = report();
  for (const std::int64_t pid : {1, 2})
    builder.add(N{.start = 10 * pid, .end = 10 * pid + 100, .thread = gtid(pid, pid), .text = "step"})
        .add(R{.start = 20 * pid, .end = 20 * pid + 5, .thread = gtid(pid, pid), .correlation = 7})
        .add(K{.start = 1000 * pid, .end = 1000 * pid + 50 * pid, .correlation = 7, .process = gpid(pid), .name = "f"});
  use(builder);
  EXPECT_THAT(rows("nvtx_gpu_proj_sum"), ElementsAre(":step,PushPop,150,200,2,75.0,75.0,50,100,35.4,2,1.0,0.0,0.0"));
  EXPECT_THAT(rows("nvtx_gpu_proj_trace"), ElementsAre(":step,1000,50,10,100,PushPop,1,1,1,0,0,1,,:1",
                                                       ":step,2000,100,20,100,PushPop,2,2,1,0,0,2,,:2"));
  EXPECT_THAT(rows("nvtx_kern_sum"), ElementsAre(":step,PushPop,1,1,1,1,50,50.0,50.0,50,50,0.0,f",
                                                 ":step,PushPop,2,2,1,1,100,100.0,100.0,100,100,0.0,f"));
  EXPECT_THAT(rows("cuda_kern_exec_sum"), ElementsAre(HasSubstr("2,2,0,1,1,2060.0"), HasSubstr("1,1,0,1,1,1030.0")));
  EXPECT_THAT(rows("nvtx_gpu_proj_sum", {.process = trace_->laneInfo.front().process}).size(), 1u);
}

TEST_F(NvtxReports, RangesThatOverlapInPartBothHoldWhatLiesInBoth) {
  use(report()
          .add(N{.start = 0, .end = 100, .text = "a"})
          .add(N{.start = 50, .end = 150, .type = 60, .endThread = gtid(1, 1), .text = "b"})
          .add(N{.start = 60, .end = 90, .text = "c"})
          .add(R{.start = 70, .end = 80, .correlation = 1})
          .add(R{.start = 120, .end = 130, .correlation = 2})
          .add(K{.start = 200, .end = 210, .correlation = 1})
          .add(K{.start = 220, .end = 230, .correlation = 2}));
  EXPECT_THAT(rows("nvtx_gpu_proj_trace"),
              ElementsAre(":a,200,10,0,100,PushPop,1,1,1,0,0,1,,:1", ":b,200,30,50,100,StartEnd,1,1,2,0,1,2,,:2",
                          ":c,200,10,60,30,PushPop,1,1,1,1,0,3,2,:2:3"));
  EXPECT_THAT(rows("nvtx_kern_sum"),
              ElementsAre(HasSubstr(":a,PushPop,1,1,1,1,10"), HasSubstr(":b,StartEnd,1,1,1,2,20"),
                          HasSubstr(":c,PushPop,1,1,1,1,10")));
}

TEST_F(NvtxReports, RangesOfTwoDomainsNestInEachOther) {
  use(report()
          .add(N{.start = 0, .type = 75, .text = "lib", .domain = 1})
          .add(N{.start = 1, .end = 100, .text = "outer"})
          .add(N{.start = 10, .end = 60, .text = "middle", .domain = 1})
          .add(N{.start = 20, .end = 50, .text = "inner"})
          .add(N{.start = 70, .end = 80, .text = "inner"}));
  EXPECT_THAT(rows("nvtx_pushpop_trace"), ElementsAre("1,100,99,60,39,:outer,1,1,0,2,2,,:2,:outer",
                                                      "10,60,50,30,20,lib:middle,1,1,1,1,3,2,:2:3,--lib:middle",
                                                      "20,50,30,0,30,:inner,1,1,2,0,4,3,:2:3:4,----:inner",
                                                      "70,80,10,0,10,:inner,1,1,1,0,5,2,:2:5,--:inner"));
}

TEST_F(NvtxReports, RangesThatEndOnAnotherThreadHaveNoProjection) {
  use(report()
          .add(N{.start = 0, .end = 100, .type = 60, .endThread = gtid(1, 2), .text = "life"})
          .add(R{.start = 10, .end = 20, .correlation = 1})
          .add(K{.start = 30, .end = 40, .correlation = 1, .name = "f"}));
  EXPECT_THAT(rows("nvtx_gpu_proj_trace"), ElementsAre());
  EXPECT_THAT(rows("nvtx_kern_sum"), ElementsAre(",,1,1,0,1,10,10.0,10.0,10,10,0.0,f"));
}

TEST_F(NvtxReports, AKernelMayGoBehindTheInnermostRangeOfItsLaunch) {
  use(report()
          .add(N{.start = 0, .end = 100, .text = "outer"})
          .add(N{.start = 5, .end = 50, .text = "inner"})
          .add(R{.start = 10, .end = 20, .correlation = 1})
          .add(R{.start = 60, .end = 70, .correlation = 2})
          .add(R{.start = 110, .end = 120, .correlation = 3})
          .add(K{.start = 200, .end = 230, .correlation = 1, .name = "f(int)"})
          .add(K{.start = 230, .end = 250, .correlation = 2, .name = "f(int)"})
          .add(K{.start = 250, .end = 260, .correlation = 3, .name = "f(int)"}));
  EXPECT_THAT(rows("cuda_gpu_kern_sum:nvtx-name:base"),
              ElementsAre(HasSubstr(",:inner/f"), HasSubstr(",:outer/f"), HasSubstr(",f")));
}

TEST_F(NvtxReports, DeepNestingDoesNotWriteEveryStackWhole) {
  auto builder = report();
  constexpr int kDeep = 2000;
  for (int i = 0; i < kDeep; ++i) builder.add(N{.start = 1 + i, .end = 10'000 - i, .text = "r"});
  use(builder);
  std::size_t bytes = 0;
  const auto lines = rows("nvtx_pushpop_trace");
  for (const std::string& line : lines) bytes += line.size();
  EXPECT_EQ(lines.size(), std::size_t{kDeep});
  EXPECT_LT(bytes, std::size_t{kDeep} * 2000);
  EXPECT_THAT(lines.back(), HasSubstr(":…:1745:"));
}

TEST_F(NvtxReports, ARecursionWithoutEndCostsNoMoreThanItsInnermostRanges) {
  auto builder = report();
  for (int i = 0; i < 300; ++i) builder.add(N{.start = 1 + i, .end = 10'000 - i, .text = "r"});
  builder.add(R{.start = 500, .end = 510, .correlation = 1}).add(K{.start = 600, .end = 601, .correlation = 1});
  use(builder);
  EXPECT_THAT(rows("nvtx_kern_sum"), ElementsAre(HasSubstr(":r,PushPop,1,1,256,256,256,")));
  EXPECT_THAT(rows("nvtx_kern_sum"), ElementsAre(HasSubstr("1 calls are in more than 256 ranges")));
}

TEST_F(NvtxReports, AThingThatOnlyTouchesAnEdgeOfARangeIsInIt) {
  use(report()
          .add(N{.start = 10, .end = 20, .text = "a"})
          .add(N{.start = 20, .end = 30, .text = "b"})
          .add(R{.start = 10, .end = 20, .correlation = 1})
          .add(R{.start = 20, .end = 30, .correlation = 2})
          .add(K{.start = 40, .end = 50, .correlation = 1})
          .add(K{.start = 50, .end = 60, .correlation = 2}));
  EXPECT_THAT(rows("nvtx_gpu_proj_trace"), ElementsAre(HasSubstr(":a,40,10,"), HasSubstr(":b,50,10,")));
}

TEST_F(NvtxReports, OnlyWhatTouchesTheScopeCounts) {
  use(report()
          .add(N{.start = 0, .end = 100, .text = "first"})
          .add(N{.start = 200, .end = 300, .text = "second"})
          .add(R{.start = 10, .end = 20, .correlation = 1})
          .add(R{.start = 210, .end = 220, .correlation = 2})
          .add(K{.start = 30, .end = 40, .correlation = 1, .name = "f"})
          .add(K{.start = 230, .end = 240, .correlation = 2, .name = "g"}));
  const Scope scope{.range = {150, 1000}};
  EXPECT_THAT(rows("nvtx_gpu_proj_sum", scope), ElementsAre(HasSubstr(":second")));
  EXPECT_THAT(rows("cuda_gpu_kern_sum", scope), ElementsAre(HasSubstr(",g")));
  EXPECT_THAT(rows("cuda_kern_exec_trace", scope),
              ElementsAre(HasSubstr("210,10,220,10,230,10,30,1,1,0,cudaLaunchKernel")));
  EXPECT_THAT(rows("cuda_api_trace", scope), ElementsAre(HasSubstr("210,10,cudaLaunchKernel")));
}

}  // namespace
}  // namespace lanescope::analysis
