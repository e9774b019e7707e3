// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "model/analysis/nvtx_ranges.h"
#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::LaneId;
using trace::Ns;

namespace {

void addRanges(const ReportInput& input, EventKind kind, bool withStyle, std::vector<Line>& lines) {
  // Domains of several processes are one if they have one name.
  std::map<std::string, std::vector<LaneId>> parts;
  for (const LaneId lane : input.lanes(std::array{kind}))
    parts[input.trace.domains[input.trace.laneInfo[lane].domain].name].push_back(lane);
  const std::vector<std::string> style{std::string(styleOf(kind))};
  for (const auto& [domain, lanes] : parts)
    addLines(input, lanes, wholeText, lines, withStyle ? style : std::vector<std::string>(), domain + ":");
}

MadeTable rangesOf(const ReportInput& input, EventKind kind) {
  std::vector<Line> lines;
  addRanges(input, kind, false, lines);
  return timeTable(std::move(lines), "Instances", {"Range"});
}

}  // namespace

MadeTable nvtxSum(const ReportInput& input) {
  std::vector<Line> lines;
  for (const EventKind kind : {EventKind::kNvtxRange, EventKind::kNvtxStartEnd}) addRanges(input, kind, true, lines);
  return timeTable(std::move(lines), "Instances", {"Style", "Range"});
}

MadeTable nvtxPushPopSum(const ReportInput& input) { return rangesOf(input, EventKind::kNvtxRange); }
MadeTable nvtxStartEndSum(const ReportInput& input) { return rangesOf(input, EventKind::kNvtxStartEnd); }

MadeTable nvtxPushPopTrace(const ReportInput& input) {
  Table table;
  table.columns = {
      {"Start", ColumnKind::kTime},      {"End", ColumnKind::kTime},         {"Duration", ColumnKind::kTime},
      {"DurChild", ColumnKind::kTime},   {"DurNonChild", ColumnKind::kTime}, {"Name", ColumnKind::kText},
      {"PID", ColumnKind::kId},          {"TID", ColumnKind::kId},           {"Lvl", ColumnKind::kCount},
      {"NumChild", ColumnKind::kCount},  {"RangeId", ColumnKind::kId},       {"ParentId", ColumnKind::kId},
      {"RangeStack", ColumnKind::kText}, {"NameTree", ColumnKind::kText}};
  for (const ThreadEvents& thread : threadEvents(input, false)) {
    const std::vector<RangeNode> ranges = nestedRanges(input, thread);
    struct Children {
      std::int64_t count = 0;
      Ns time = 0;
    };
    std::vector<Children> children(ranges.size());
    for (const RangeNode& range : ranges)
      if (range.parent != trace::kNone) {
        ++children[range.parent].count;
        children[range.parent].time += range.end - range.start;
      }
    const RangeStacks stacks(input, ranges);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const RangeNode& range = ranges[i];
      const Ns duration = range.end - range.start;
      std::string name = rangeName(input.trace, range.event);
      std::string tree = treeName(name, range.level);
      table.rows.push_back({range.start, range.end, duration, children[i].time, duration - children[i].time,
                            std::move(name), input.pidOf(range.event), input.tidOf(range.event),
                            std::int64_t{range.level}, children[i].count, stacks.id(i), stacks.parent(i),
                            stacks.text(i), std::move(tree)});
    }
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const auto& a, const auto& b) { return std::get<Ns>(a[0]) < std::get<Ns>(b[0]); });
  return table;
}

}  // namespace lanescope::analysis
