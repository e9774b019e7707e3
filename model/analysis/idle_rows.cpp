// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/idle_rows.h"

#include <algorithm>

#include "model/analysis/idle_causes.h"
#include "model/trace/derived.h"

namespace lanescope::analysis {

namespace {

/// The rows of these GPUs, of each process that used one.
std::vector<std::uint32_t> gpuRows(const trace::Trace& trace, const std::vector<std::uint32_t>& gpus) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row) {
    if (trace.rows[row].kind != trace::RowKind::kGpu) continue;
    if (std::ranges::any_of(trace.rows[row].lanes, [&](trace::LaneId lane) {
          return std::ranges::find(gpus, trace.laneInfo[lane].gpu) != gpus.end();
        }))
      rows.push_back(row);
  }
  return rows;
}

}  // namespace

trace::TracePtr withIdleRows(const trace::TracePtr& trace, report::RowValues& file, const Job& job) {
  if (std::ranges::none_of(trace->laneInfo, [](const trace::LaneInfo& lane) { return trace::isGpuWork(lane.kind); }))
    return trace;
  const Scope everything;
  const ReportArguments arguments;
  std::vector<trace::DerivedRow> rows;
  for (const DeviceIdle& idle : idleCauses(ReportInput{*trace, file, everything, arguments, job})) {
    trace::DerivedRow row;
    row.info.kind = trace::EventKind::kIdle;
    if (!idle.gpus.empty()) row.info.gpu = idle.gpus.front();
    row.label = "Idle";
    row.parents = gpuRows(*trace, idle.gpus);
    for (const IdleGap& gap : idle.gaps) {
      const bool blames = gap.culprit.has_value();
      row.events.push_back({gap.time, nameOf(gap.cause), blames ? gap.culprit : gap.longest, blames});
    }
    rows.push_back(std::move(row));
  }
  if (job.cancelled()) return trace;
  return trace::withRows(trace, rows);
}

}  // namespace lanescope::analysis
