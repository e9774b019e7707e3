// SPDX-License-Identifier: Apache-2.0
// Exporters make tables with their first row: any may be missing.
#include <gtest/gtest.h>

#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

std::size_t count(const trace::Trace& trace, trace::EventKind kind) {
  std::size_t events = 0;
  for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane)
    if (trace.laneInfo[lane].kind == kind) events += trace.lanes[lane]->size();
  return events;
}

class MissingTables : public testing::TestWithParam<const char*> {};

TEST_P(MissingTables, LeaveTheRestOfTheReportAsItIs) {  // IMP-33
  using trace::EventKind;
  const test::TemporaryFolder folder;
  const std::pair<const char*, EventKind> kTables[] = {
      {"CUPTI_ACTIVITY_KIND_KERNEL", EventKind::kKernel},   {"CUPTI_ACTIVITY_KIND_MEMCPY", EventKind::kCopy},
      {"CUPTI_ACTIVITY_KIND_MEMSET", EventKind::kMemset},   {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", EventKind::kSync},
      {"CUPTI_ACTIVITY_KIND_RUNTIME", EventKind::kCudaApi}, {"NVTX_EVENTS", EventKind::kNvtxRange}};
  const auto file = test::ReportBuilder(folder / "a.sqlite")
                        .add(test::R{.start = 0, .end = 5, .correlation = 7})
                        .add(test::K{.start = 10, .end = 20, .correlation = 7})
                        .add(test::M{.start = 20, .end = 30})
                        .add(test::Set{.start = 30, .end = 40})
                        .add(test::Sync{.start = 40, .end = 50})
                        .add(test::N{.start = 0, .end = 60, .text = "step"})
                        .sql(std::string("DROP TABLE ") + GetParam())
                        .write();
  const auto trace = load(file, {}, {}, Job());
  ASSERT_TRUE(trace) << sentence(trace.error());
  for (const auto& [table, kind] : kTables)
    EXPECT_EQ(count(**trace, kind), std::string_view(table) == GetParam() ? 0u : 1u) << table;
}

INSTANTIATE_TEST_SUITE_P(InTurn, MissingTables,
                         testing::Values("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
                                         "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                         "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS"),
                         [](const auto& table) { return std::string(table.param); });

}  // namespace
}  // namespace lanescope::report
