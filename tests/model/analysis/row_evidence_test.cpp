// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/row_evidence.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/analysed.h"

namespace lanescope::analysis {
namespace {

using trace::EventKind;
using trace::EventRef;

/// How many events each row of a report names, and what the report itself counts.
std::vector<std::pair<std::uint64_t, std::int64_t>> countsOf(test::Analysed& all, std::string_view asked) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> counts;
  for (const ReportCall& call : findReports(asked)) {
    const auto table = makeReport(call, *all.trace, all.values);
    if (!table) continue;
    for (std::size_t row = 0; row < table->rows.size(); ++row) {
      std::int64_t count = 1;  // of a report of single events
      for (std::size_t i = 0; i < table->columns.size(); ++i)
        for (const char* title :
             {"Instances", "Kernels", "Num Calls", "Count", "Kern Inst", "Calls", "Range Instances"})
          if (const auto* value = std::get_if<std::int64_t>(&table->rows[row][i]);
              table->columns[i].title == title && value)
            count = *value;
      counts.emplace_back(eventsOfRow(call, *table, row, *all.trace, all.values).count, count);
    }
  }
  return counts;
}

class RowEvidence : public test::HostAndGpu {
 protected:
  RowEvidence() {
    launch(0, 10, 1);
    launch(20, 30, 2);
    call(300, 310, "cudaMemcpy_v3020", 3);
    kernel(100, 150, 1);
    kernel(200, 220, 2);
    kernel(230, 300, 0, 7, "attention");
    range(15, 40, "step");
    range(50, 60, "step", 1);
    builder.add(test::M{.start = test::us(305), .end = test::us(309), .correlation = 3});
    file = builder.write();
  }

  std::vector<std::pair<std::uint64_t, std::int64_t>> counts(std::string_view asked) const {
    test::Analysed all(file);
    return countsOf(all, asked);
  }

  std::filesystem::path file;
};

TEST_F(RowEvidence, ARowNamesAsManyEventsAsItCounts) {
  for (const char* report :
       {"nvtx_sum", "cuda_api_sum", "cuda_gpu_kern_sum", "cuda_gpu_kern_sum:base", "cuda_gpu_kern_sum:nvtx-name",
        "cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum", "cuda_gpu_sum", "cuda_api_gpu_sum", "nvtx_pushpop_sum",
        "cuda_api_trace", "cuda_gpu_trace", "cuda_kern_exec_trace", "nvtx_pushpop_trace", "nvtx_gpu_proj_trace",
        "lanescope_latency", "nvprof_summary", "nvprof_gpu_trace", "nvprof_api_trace"}) {
    const auto rows = counts(report);
    EXPECT_FALSE(rows.empty()) << report;
    for (const auto& [found, counted] : rows) EXPECT_EQ(found, static_cast<std::uint64_t>(counted)) << report;
  }
}

class RowEvidenceOfGroups : public test::HostAndGpu {};

TEST_F(RowEvidenceOfGroups, ARowOfAGroupNamesTheEventsOfTheGroup) {
  kernel(100, 150);
  kernel(230, 300, 0, 7, "attention");
  kernel(400, 500, 0, 7, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)");
  kernel(500, 590, 0, 9, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)");
  kernel(600, 690, 0, 9, "ncclDevKernel_AllGather_RING_LL(x)");
  test::Analysed all(builder.write());
  for (const char* report : {"lanescope_kernel_categories", "lanescope_collectives"}) {
    const auto rows = countsOf(all, report);
    EXPECT_GE(rows.size(), 2u) << report;
    for (const auto& [found, counted] : rows) EXPECT_EQ(found, static_cast<std::uint64_t>(counted)) << report;
  }
  std::vector<std::uint64_t> ofStreams;
  for (const auto& [found, counted] : countsOf(all, "lanescope_streams")) ofStreams.push_back(found);
  EXPECT_THAT(ofStreams, testing::ElementsAre(3, 2, 5)) << "streams 7 and 9, then all";
}

TEST_F(RowEvidence, OnlyEventsInScopeAreNamed) {
  test::Analysed all(file, {.range = {test::us(190), test::us(210)}});
  const ReportCall call = findReports("cuda_gpu_kern_sum").front();
  const auto table = makeReport(call, *all.trace, all.values, all.scope);
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows.size(), 1u);
  EXPECT_EQ(eventsOfRow(call, *table, 0, *all.trace, all.values, all.scope).count, 1u);
}

TEST_F(RowEvidence, TheLongestComeFirst) {
  test::Analysed all(file);
  const Hits hits = find(*all.trace, *Query::parse("kind:kernel", false));
  const std::vector<EventRef> longest = longestHits(*all.trace, hits, 2);
  ASSERT_EQ(longest.size(), 2u);
  EXPECT_EQ(all.trace->time(longest[0]).length(), test::us(70));
  EXPECT_EQ(all.trace->time(longest[1]).length(), test::us(50));
  EXPECT_TRUE(longestHits(*all.trace, hits, 0).empty());
  EXPECT_EQ(longestHits(*all.trace, hits, 100).size(), 3u);
}

TEST(RowEvidenceOf, RecordingsNamesAsManyEventsAsTheirRowsCount) {
  for (const std::filesystem::path& file : test::goldenExports()) {
    test::Analysed all(file);
    for (const char* report : {"nvtx_sum", "osrt_sum", "cuda_api_sum", "cuda_gpu_kern_sum", "cuda_gpu_kern_sum:base",
                               "cuda_gpu_kern_sum:nvtx-name", "cuda_gpu_mem_time_sum", "cuda_gpu_sum",
                               "cuda_api_gpu_sum", "nvtx_pushpop_sum", "nvtx_startend_sum"})
      for (const auto& [found, counted] : countsOf(all, report))
        EXPECT_EQ(found, static_cast<std::uint64_t>(counted)) << report << " of " << file;
  }
}

}  // namespace
}  // namespace lanescope::analysis
