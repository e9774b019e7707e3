// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;

MadeTable apiSum(const ReportInput& input) {
  std::vector<Line> lines;
  addLines(input, input.lanes(std::array{EventKind::kCudaApi}), withoutApiVersion, lines);
  return timeTable(std::move(lines), "Num Calls", {"Name"});
}

MadeTable osRuntimeSum(const ReportInput& input) {
  std::vector<LaneId> calls = input.lanes(std::array{EventKind::kOsRuntime});
  std::erase_if(calls, [&](LaneId lane) {  // system calls have a report of their own
    return input.trace.tables[input.trace.laneInfo[lane].table] != "OSRT_API";
  });
  std::vector<Line> lines;
  addLines(input, calls, wholeText, lines);
  return timeTable(std::move(lines), "Num Calls", {"Name"});
}

MadeTable apiTrace(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  const TableValues values(input, "CUPTI_ACTIVITY_KIND_RUNTIME", {"returnValue", "correlationId"});
  const auto threads = input.file.columns("ThreadNames", {"globalTid", "priority"});
  std::unordered_map<std::int64_t, std::int64_t> priorityOf;
  for (std::size_t i = 0; i < threads[0]->size(); ++i)
    if (const auto tid = (*threads[0])[i], priority = (*threads[1])[i]; tid && priority)
      priorityOf.emplace(*tid, *priority);

  Table table;
  table.columns = {{"Start", ColumnKind::kTime}, {"Duration", ColumnKind::kTime}, {"Name", ColumnKind::kText},
                   {"Result", ColumnKind::kId},  {"CorrID", ColumnKind::kId},     {"Pid", ColumnKind::kId},
                   {"Tid", ColumnKind::kId},     {"T-Pri", ColumnKind::kCount},   {"Thread Name", ColumnKind::kText}};
  for (const EventRef call : input.byStart(input.lanes(std::array{EventKind::kCudaApi}))) {
    const trace::Thread& thread = trace.threads[trace.info(call).thread];
    const auto priority = priorityOf.find(thread.globalTid);
    const trace::TimeRange time = trace.time(call);
    table.rows.push_back({time.begin, time.length(), KeptText(withoutApiVersion((*trace.names)[trace.name(call)])),
                          values.cell(call, 0), values.cell(call, 1), input.pidOf(call), thread.tid,
                          priority == priorityOf.end() ? Cell() : Cell(priority->second), KeptText(thread.name)});
  }
  return table;
}

}  // namespace lanescope::analysis
