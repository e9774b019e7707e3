// SPDX-License-Identifier: Apache-2.0
#include "model/report/load_issues.h"

#include <fmt/format.h>

namespace lanescope::report {
namespace {

std::uint64_t countEvents(const trace::Trace& trace, trace::EventKind kind) {
  std::uint64_t count = 0;
  for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
    if (trace.laneInfo[lane].kind == kind) count += trace.lanes[lane]->size();
  return count;
}

}  // namespace

bool isDamage(const trace::Issue& issue) {
  return issue.kind.starts_with("time-") || issue.kind == "end-before-start" || issue.kind == "table-damaged" ||
         issue.kind == "string-missing" || issue.kind == "sample-unusable" ||
         (issue.kind.starts_with("import-") && issue.kind != "import-not-shown");
}

void addBadSamples(trace::TraceBuilder& builder, std::uint64_t count) {
  if (count > 0)
    builder.addIssue("sample-unusable", count,
                     fmt::format("{} samples with a time or value that no clock or gauge can show", count));
}

void addWholeGraphs(trace::TraceBuilder& builder) {
  const std::uint64_t graphs = countEvents(builder.draft(), trace::EventKind::kGraphLaunch);
  if (graphs > 0)
    builder.addIssue("graphs-not-recorded", graphs,
                     fmt::format("{} graph launch{} recorded as a whole: the kernels inside are not in this report; "
                                 "record with --cuda-graph-trace=node",
                                 graphs, graphs == 1 ? " was" : "es were"),
                     trace::EventKind::kKernel);
}

}  // namespace lanescope::report
