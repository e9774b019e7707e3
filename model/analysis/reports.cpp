// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/reports.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "model/analysis/grouping.h"

namespace lanescope::analysis {
namespace {

using trace::EventKind;
using trace::LaneId;
using trace::NameId;
using trace::Ns;
using trace::Trace;

using Lanes = std::span<const LaneId>;
using TextOf = std::string_view (*)(const trace::Name&);

constexpr trace::TimeRange kAlways{trace::kMinTime, trace::kMaxTime + 1};

/// A line before it is cells: the figures, what they are of, and a word that stands before the name.
struct Line {
  Statistics figures;
  std::string name;
  std::string style;
};

std::string_view wholeText(const trace::Name& name) { return name.text; }
std::string_view label(const trace::Name& name) { return name.label; }

/// An API call without what CUPTI puts behind its name: `_v` and exactly four digits. Others belong to the name.
std::string_view withoutApiVersion(const trace::Name& name) {
  constexpr std::size_t kSuffix = 6;
  const std::string_view text = name.text;
  if (text.size() <= kSuffix || text.substr(text.size() - kSuffix, 2) != "_v") return text;
  const std::string_view digits = text.substr(text.size() - kSuffix + 2);
  const bool isVersion = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return isVersion ? text.substr(0, text.size() - kSuffix) : text;
}

/// Adds a line for each different text among the events of these lanes that have a duration.
void addLines(const Trace& trace, Lanes lanes, TextOf textOf, std::vector<Line>& lines, std::string_view prefix = {},
              std::string_view style = {}) {
  std::unordered_map<std::string_view, std::uint32_t> groupOf;
  std::vector<std::string_view> texts;
  Grouping grouping(trace, kAlways, Clip::kWholeEvents, Job());
  const std::vector<Group> groups = grouping.of(lanes, [&](NameId name) {
    const std::string_view text = textOf((*trace.names)[name]);
    const auto [found, isNew] = groupOf.try_emplace(text, static_cast<std::uint32_t>(texts.size()));
    if (isNew) texts.push_back(text);
    return found->second;
  });
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].time.count > 0)
      lines.push_back({groups[i].time, std::string(prefix) + std::string(texts[i]), std::string(style)});
}

void sortLines(std::vector<Line>& lines) {
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    if (a.figures.total != b.figures.total) return a.figures.total > b.figures.total;
    return std::tie(a.name, a.style) < std::tie(b.name, b.style);
  });
}

Cell whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// Share, total, count, average, median, least, greatest, deviation, and the words.
Table timeTable(std::vector<Line> lines, const char* count, std::vector<std::string> words) {
  sortLines(lines);
  Table table;
  table.columns = {{"Time", ColumnKind::kShare}, {"Total Time", ColumnKind::kTime}, {count, ColumnKind::kCount},
                   {"Avg", ColumnKind::kTime},   {"Med", ColumnKind::kTime},        {"Min", ColumnKind::kTime},
                   {"Max", ColumnKind::kTime},   {"StdDev", ColumnKind::kTime}};
  for (std::string& word : words) table.columns.push_back({std::move(word), ColumnKind::kText});
  long double all = 0;
  for (const Line& line : lines) all += static_cast<long double>(line.figures.total);
  for (Line& line : lines) {
    const Statistics& s = line.figures;
    const auto share = all > 0 ? static_cast<double>(100 * static_cast<long double>(s.total) / all) : 0.0;
    std::vector<Cell> row{share, s.total, whole(s.count), s.mean, s.median, s.min, s.max, s.deviation};
    if (!line.style.empty()) row.emplace_back(std::move(line.style));
    row.emplace_back(std::move(line.name));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table kernels(const Trace& trace, Lanes lanes, bool shortNames) {
  std::vector<Line> lines;
  addLines(trace, lanes, shortNames ? label : wholeText, lines);
  return timeTable(std::move(lines), "Instances", {"Name"});
}

Table apiCalls(const Trace& trace, Lanes lanes, bool) {
  std::vector<Line> lines;
  addLines(trace, lanes, withoutApiVersion, lines);
  return timeTable(std::move(lines), "Num Calls", {"Name"});
}

Table osRuntime(const Trace& trace, Lanes lanes, bool) {
  std::vector<LaneId> calls;  // system calls have a report of their own
  std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(calls),
               [&](LaneId lane) { return trace.tables[trace.laneInfo[lane].table] == "OSRT_API"; });
  std::vector<Line> lines;
  addLines(trace, calls, wholeText, lines);
  return timeTable(std::move(lines), "Num Calls", {"Name"});
}

Table memoryTime(const Trace& trace, Lanes lanes, bool) {
  std::vector<Line> lines;
  addLines(trace, lanes, wholeText, lines);
  return timeTable(std::move(lines), "Count", {"Operation"});
}

Table memorySize(const Trace& trace, Lanes lanes, bool) {
  std::map<std::string_view, std::vector<std::int64_t>> sizes;
  for (const LaneId id : lanes) {
    const trace::Lane& lane = *trace.lanes[id];
    for (std::size_t i = 0; i < lane.size(); ++i)
      sizes[(*trace.names)[lane.name(i)].text].push_back(static_cast<std::int64_t>(lane.amount(i)));
  }
  std::vector<Line> lines;
  lines.reserve(sizes.size());
  for (auto& [name, values] : sizes) lines.push_back({statisticsOf(values), std::string(name), {}});
  sortLines(lines);

  Table table;
  table.columns = {{"Total", ColumnKind::kSize},  {"Count", ColumnKind::kCount},   {"Avg", ColumnKind::kSize},
                   {"Med", ColumnKind::kSize},    {"Min", ColumnKind::kSize},      {"Max", ColumnKind::kSize},
                   {"StdDev", ColumnKind::kSize}, {"Operation", ColumnKind::kText}};
  for (Line& line : lines) {
    const Statistics& s = line.figures;
    table.rows.push_back({s.total, whole(s.count), s.mean, s.median, s.min, s.max, s.deviation, std::move(line.name)});
  }
  return table;
}

Table ranges(const Trace& trace, Lanes lanes, bool) {
  // Domains of several processes are one if they have one name.
  std::map<std::pair<std::string, EventKind>, std::vector<LaneId>> parts;
  for (const LaneId lane : lanes) {
    const trace::LaneInfo& info = trace.laneInfo[lane];
    if (info.kind != EventKind::kNvtxMark) parts[{trace.domains[info.domain].name, info.kind}].push_back(lane);
  }
  std::vector<Line> lines;
  for (const auto& [part, each] : parts)
    addLines(trace, each, wholeText, lines, part.first + ":",
             part.second == EventKind::kNvtxRange ? "PushPop" : "StartEnd");
  return timeTable(std::move(lines), "Instances", {"Style", "Range"});
}

}  // namespace

const std::vector<StatsReport>& statsReports() {
  using enum EventKind;
  static const std::vector<StatsReport> kReports = {
      {"nvtx_sum",
       "NVTX Range Summary",
       "NV Tools Extension (NVTX) data",
       "NVTX ranges by domain and text",
       {kNvtxRange, kNvtxStartEnd, kNvtxMark},
       ranges},
      {"osrt_sum", "OS Runtime Summary", "OS Runtime trace data", "calls into the OS runtime", {kOsRuntime}, osRuntime},
      {"cuda_api_sum",
       "CUDA API Summary",
       "CUDA trace data",
       "calls of the CUDA runtime and driver",
       {kCudaApi},
       apiCalls},
      {"cuda_gpu_kern_sum",
       "CUDA GPU Kernel Summary",
       "CUDA kernel data",
       "kernels; with :base by their names without parameters",
       {kKernel},
       kernels},
      {"cuda_gpu_mem_time_sum",
       "CUDA GPU MemOps Summary (by Time)",
       "GPU memory data",
       "durations of copies and memsets",
       {kCopy, kMemset},
       memoryTime},
      {"cuda_gpu_mem_size_sum",
       "CUDA GPU MemOps Summary (by Size)",
       "GPU memory data",
       "bytes of copies and memsets",
       {kCopy, kMemset},
       memorySize},
  };
  return kReports;
}

std::optional<ReportCall> findReport(std::string_view asked) {
  const std::string_view name = asked.substr(0, asked.find(':'));
  const std::string_view argument = name.size() < asked.size() ? asked.substr(name.size() + 1) : std::string_view();
  for (const StatsReport& report : statsReports()) {
    if (report.name != name) continue;
    if (name.size() == asked.size()) return ReportCall{&report, false};
    if (argument == "base" && report.name == "cuda_gpu_kern_sum") return ReportCall{&report, true};
  }
  return std::nullopt;
}

std::optional<Table> makeReport(const ReportCall& call, const Trace& trace) {
  const StatsReport& report = *call.report;
  std::vector<LaneId> lanes;
  for (LaneId lane = 0; lane < trace.laneInfo.size(); ++lane)
    if (std::find(report.kinds.begin(), report.kinds.end(), trace.laneInfo[lane].kind) != report.kinds.end())
      lanes.push_back(lane);
  if (lanes.empty()) return std::nullopt;
  Table table = report.rows(trace, lanes, call.shortNames);
  table.name = report.name;
  table.title = report.title;
  return table;
}

}  // namespace lanescope::analysis
