// SPDX-License-Identifier: Apache-2.0
// NVTX ranges and the GPU work that was launched inside them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "model/analysis/nvtx_ranges.h"
#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"

namespace lanescope::analysis {

using trace::EventRef;
using trace::LaneId;
using trace::Ns;

namespace {

constexpr std::size_t kOrigStart = 3;  // the column of nvtxProjectionTrace

/// The ranges of a thread with what was launched in each.
struct ProjectedThread {
  std::vector<RangeNode> ranges;
  std::vector<Launches::Work> work;        // by range
  std::vector<std::uint32_t> children;     // with work
};

ProjectedThread projected(const ReportInput& input, const ThreadEvents& thread) {
  ProjectedThread result;
  if (thread.calls.empty()) return result;
  result.ranges = nestedRanges(input, thread);
  result.work.resize(result.ranges.size());
  result.children.resize(result.ranges.size());
  for (const LaneId lane : thread.calls) {
    Launches launches(input, lane);
    for (std::size_t i = 0; i < result.ranges.size() && !input.job.cancelled(); ++i)
      result.work[i].add(launches.within(result.ranges[i].start, result.ranges[i].end));
  }
  for (std::size_t i = 0; i < result.ranges.size(); ++i)
    if (const std::uint32_t parent = result.ranges[i].parent; parent != trace::kNone && result.work[i].calls > 0)
      ++result.children[parent];
  return result;
}

/// Numbers for texts of ranges: domain, text and style.
class RangeGroups {
 public:
  explicit RangeGroups(const trace::Trace& trace) : trace_(trace) {}

  std::uint32_t of(EventRef range) {
    const trace::LaneInfo& info = trace_.info(range);
    const std::string& domain = trace_.domains[info.domain].name;
    if (range.lane != lane_) {  // a lane is of one domain and style
      lane_ = range.lane;
      const auto part = parts_.try_emplace({domain, info.kind}, parts_.size()).first;
      part_ = part->second << 32;
    }
    const std::uint64_t key = part_ | (*trace_.names)[trace_.name(range)].same;
    const auto [found, isNew] = groups_.try_emplace(key, static_cast<std::uint32_t>(names_.size()));
    if (isNew) names_.emplace_back(rangeName(trace_, range), std::string(styleOf(info.kind)));
    return found->second;
  }
  const std::vector<std::pair<std::string, std::string>>& names() const { return names_; }  ///< and styles

 private:
  const trace::Trace& trace_;
  LaneId lane_ = trace::kNone;
  std::uint64_t part_ = 0;
  std::map<std::pair<std::string, trace::EventKind>, std::uint64_t> parts_;
  std::unordered_map<std::uint64_t, std::uint32_t> groups_;
  std::vector<std::pair<std::string, std::string>> names_;
};

}  // namespace

MadeTable nvtxProjectionTrace(const ReportInput& input) {
  Table table;
  table.columns = {{"Name", ColumnKind::kText},
                   {"Projected Start", ColumnKind::kTime},
                   {"Projected Duration", ColumnKind::kTime},
                   {"Orig Start", ColumnKind::kTime},
                   {"Orig Duration", ColumnKind::kTime},
                   {"Style", ColumnKind::kText},
                   {"PID", ColumnKind::kId},
                   {"TID", ColumnKind::kId},
                   {"NumGPUOps", ColumnKind::kCount},
                   {"Lvl", ColumnKind::kCount},
                   {"NumChild", ColumnKind::kCount},
                   {"RangeId", ColumnKind::kId},
                   {"ParentId", ColumnKind::kId},
                   {"RangeStack", ColumnKind::kText}};
  for (const ThreadEvents& each : threadEvents(input, true)) {
    const ProjectedThread thread = projected(input, each);
    const RangeStacks stacks(input, thread.ranges);
    for (std::size_t i = 0; i < thread.ranges.size(); ++i) {
      const RangeNode& range = thread.ranges[i];
      const Launches::Work& work = thread.work[i];
      if (work.calls == 0) continue;
      table.rows.push_back({rangeName(input.trace, range.event), work.first, work.last - work.first, range.start,
                            range.end - range.start, KeptText(styleOf(input.trace.info(range.event).kind)),
                            input.pidOf(range.event), input.trace.threads[each.thread].tid, whole(work.calls),
                            std::int64_t{range.level}, std::int64_t{thread.children[i]}, stacks.id(i), stacks.parent(i),
                            stacks.text(i)});
    }
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
    return std::get<Ns>(a[kOrigStart]) < std::get<Ns>(b[kOrigStart]);
  });
  if (table.rows.empty()) return std::nullopt;
  return table;
}

MadeTable nvtxProjectionSum(const ReportInput& input) {
  struct Sums {
    std::vector<std::int64_t> times;
    Ns ranges = 0;
    std::uint64_t calls = 0, level = 0, children = 0;
  };
  std::vector<Sums> sums;
  RangeGroups groups(input.trace);
  for (const ThreadEvents& each : threadEvents(input, true)) {
    const ProjectedThread thread = projected(input, each);
    for (std::size_t i = 0; i < thread.ranges.size(); ++i) {
      const RangeNode& range = thread.ranges[i];
      const Launches::Work& work = thread.work[i];
      if (work.calls == 0) continue;
      const std::uint32_t group = groups.of(range.event);
      if (group >= sums.size()) sums.resize(group + 1);
      Sums& sum = sums[group];
      sum.times.push_back(work.last - work.first);
      if (__builtin_add_overflow(sum.ranges, range.end - range.start, &sum.ranges)) sum.ranges = trace::kMaxTime * 4;
      sum.calls += work.calls;
      sum.level += range.level;
      sum.children += thread.children[i];
    }
  }
  if (sums.empty()) return std::nullopt;

  Table table;
  table.columns = {{"Range", ColumnKind::kText},
                   {"Style", ColumnKind::kText},
                   {"Total Proj Time", ColumnKind::kTime},
                   {"Total Range Time", ColumnKind::kTime},
                   {"Range Instances", ColumnKind::kCount},
                   {"Proj Avg", ColumnKind::kTime},
                   {"Proj Med", ColumnKind::kTime},
                   {"Proj Min", ColumnKind::kTime},
                   {"Proj Max", ColumnKind::kTime},
                   {"Proj StdDev", ColumnKind::kTime},
                   {"Total GPU Ops", ColumnKind::kCount},
                   {"Avg GPU Ops", ColumnKind::kMean},
                   {"Avg Range Lvl", ColumnKind::kMean},
                   {"Avg Num Child", ColumnKind::kMean}};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    Sums& sum = sums[i];
    const Statistics figures = statisticsOf(sum.times);
    const auto mean = [&](std::uint64_t total) {
      return static_cast<double>(total) / static_cast<double>(figures.count);
    };
    std::vector<Cell> row{groups.names()[i].first, groups.names()[i].second, figures.total, sum.ranges,
                          whole(figures.count)};
    addSpread(row, figures);
    row.insert(row.end(), {whole(sum.calls), mean(sum.calls), mean(sum.level), mean(sum.children)});
    table.rows.push_back(std::move(row));
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
    const Ns totalA = std::get<Ns>(a[2]), totalB = std::get<Ns>(b[2]);
    return totalA != totalB ? totalA > totalB : *textOf(a[0]) < *textOf(b[0]);
  });
  return table;
}

MadeTable nvtxKernelSum(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  RangeGroups groups(trace);
  KernelNames names(input);
  std::unordered_map<std::string_view, std::uint32_t> kernelOf;
  std::vector<std::string_view> kernels;
  struct Sum {
    std::vector<std::int64_t> times;
    std::vector<std::uint32_t> instances;  // of ranges, again and again
  };
  struct Row {
    std::string_view range, style;
    std::int64_t pid, tid;
    std::uint64_t instances;
    Statistics figures;
    std::string_view kernel;
    auto key() const { return std::tuple(range, style, pid, tid, -figures.total, kernel); }
  };
  std::vector<Row> rows;
  std::uint64_t cut = 0;
  constexpr std::uint32_t kNoRange = trace::kNone;
  std::vector<std::tuple<std::size_t, std::uint32_t>> rangeOfRow;
  for (const ThreadEvents& thread : threadEvents(input, true)) {
    const std::vector<RangeNode> ranges = nestedRanges(input, thread);
    std::unordered_map<std::uint64_t, Sum> sums;  // by range's group and kernel
    trace::NearbyRefs refs(trace);
    cut += forEachCallInRanges(input, thread, ranges, [&](EventRef call, std::span<const std::uint32_t> open) {
      for (const trace::EventId id : trace.partners(call)) {
        const EventRef work = refs.of(id);
        if (trace.info(work).kind != trace::EventKind::kKernel || !input.holds(work)) continue;
        const std::string_view text = names.of(work);
        const auto [kernel, isNew] = kernelOf.try_emplace(text, static_cast<std::uint32_t>(kernels.size()));
        if (isNew) kernels.push_back(text);
        const Ns time = trace.lanes[work.lane]->duration(work.index);
        const auto add = [&](std::uint32_t group) -> Sum& {
          Sum& sum = sums[std::uint64_t{group} << 32 | kernel->second];
          sum.times.push_back(time);
          return sum;
        };
        if (open.empty()) add(kNoRange);
        for (const std::uint32_t range : open) add(groups.of(ranges[range].event)).instances.push_back(range);
      }
    });
    const trace::Thread& of = trace.threads[thread.thread];
    for (auto& [key, sum] : sums) {
      std::sort(sum.instances.begin(), sum.instances.end());
      const auto distinct = std::unique(sum.instances.begin(), sum.instances.end()) - sum.instances.begin();
      rangeOfRow.emplace_back(rows.size(), static_cast<std::uint32_t>(key >> 32));
      rows.push_back({{},
                      {},
                      trace.processes[of.process].pid,
                      of.tid,
                      static_cast<std::uint64_t>(distinct),
                      statisticsOf(sum.times),
                      kernels[key & 0xFFFFFFFF]});
    }
  }
  for (const auto& [row, group] : rangeOfRow)  // only now do the names stay where they are
    if (group != kNoRange)
      rows[row].range = groups.names()[group].first, rows[row].style = groups.names()[group].second;
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.key() < b.key(); });
  if (rows.empty()) return std::nullopt;

  Table table;
  table.columns = {
      {"NVTX Range", ColumnKind::kText}, {"Style", ColumnKind::kText},      {"PID", ColumnKind::kId},
      {"TID", ColumnKind::kId},          {"NVTX Inst", ColumnKind::kCount}, {"Kern Inst", ColumnKind::kCount},
      {"Total Time", ColumnKind::kTime}, {"Avg", ColumnKind::kTime},        {"Med", ColumnKind::kTime},
      {"Min", ColumnKind::kTime},        {"Max", ColumnKind::kTime},        {"StdDev", ColumnKind::kTime},
      {"Kernel Name", ColumnKind::kText}};
  for (const Row& each : rows) {
    std::vector<Cell> row{std::string(each.range), std::string(each.style),   each.pid,          each.tid,
                          whole(each.instances),   whole(each.figures.count), each.figures.total};
    addSpread(row, each.figures);
    row.emplace_back(std::string(each.kernel));
    table.rows.push_back(std::move(row));
  }
  if (cut > 0)
    table.caveats.assign(table.rows.size(), fmt::format("{} calls are in more than {} ranges; only the innermost count",
                                                        cut, kMostAround));
  return table;
}

}  // namespace lanescope::analysis
