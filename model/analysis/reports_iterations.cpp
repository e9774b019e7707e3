// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/analysis/iterations.h"
#include "model/analysis/nvtx_ranges.h"
#include "model/analysis/percentile.h"
#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"

namespace lanescope::analysis {

using trace::EventRef;
using trace::Ns;

namespace {

constexpr std::size_t kUsualSlowest = 5;

/// What one iteration took, on the host and on the GPU, and in each range right inside it.
struct Iteration {
  EventRef range;
  Ns host = 0;
  std::optional<Ns> gpu;
};

struct Breakdown {
  std::vector<Iteration> iterations;
  std::map<std::string, std::vector<std::int64_t>> children;  // by name the time of each instance
  std::vector<std::int64_t> rest;  // of each iteration what no child took
};

Breakdown breakDown(const ReportInput& input, const Iterations& found) {
  Breakdown result;
  std::unordered_map<trace::EventId, bool> isIteration;
  for (const EventRef range : found.ranges) isIteration[input.trace.id(range)] = true;
  for (const ThreadEvents& thread : threadEvents(input, false)) {
    const std::vector<RangeNode> ranges = nestedRanges(input, thread);
    std::vector<Launches> launches;
    launches.reserve(thread.calls.size());
    for (const trace::LaneId lane : thread.calls) launches.emplace_back(input, lane);
    std::unordered_map<std::uint32_t, Ns> rest;  // by index of the iteration
    for (std::uint32_t i = 0; i < ranges.size(); ++i) {
      const RangeNode& range = ranges[i];
      const Ns duration = range.end - range.start;
      if (const auto parent = rest.find(range.parent); parent != rest.end()) {
        result.children[rangeName(input.trace, range.event)].push_back(duration);
        parent->second -= duration;
      }
      if (!isIteration.contains(input.trace.id(range.event))) continue;
      Launches::Work work;
      for (Launches& each : launches) work.add(each.within(range.start, range.end));
      result.iterations.push_back(
          {range.event, duration, work.calls > 0 ? std::optional(work.last - work.first) : std::nullopt});
      rest[i] = duration;
    }
    for (const auto& [index, time] : rest) result.rest.push_back(std::max<Ns>(time, 0));
  }
  return result;
}

class IterationTable {
 public:
  IterationTable() {
    table.columns = {{"Part", ColumnKind::kText},       {"Count", ColumnKind::kCount}, {"Share", ColumnKind::kShare},
                     {"Total Time", ColumnKind::kTime}, {"Avg", ColumnKind::kTime},    {"Med", ColumnKind::kTime},
                     {"p90", ColumnKind::kTime},        {"p95", ColumnKind::kTime},    {"p99", ColumnKind::kTime},
                     {"Min", ColumnKind::kTime},        {"Max", ColumnKind::kTime},    {"StdDev", ColumnKind::kTime},
                     {"Rate (1/s)", ColumnKind::kMean}, {"Start", ColumnKind::kTime},  {"PID", ColumnKind::kId},
                     {"TID", ColumnKind::kId},          {"Name", ColumnKind::kText}};
  }

  void add(std::string_view part, std::vector<std::int64_t> times, double rate, Ns whole_, std::string name) {
    if (times.empty()) return;
    const Statistics figures = statisticsOf(times);
    std::sort(times.begin(), times.end());
    const Cell share =
        whole_ > 0 ? Cell(100.0 * static_cast<double>(figures.total) / static_cast<double>(whole_)) : Cell();
    table.rows.push_back({KeptText(part), whole(figures.count), share, figures.total, figures.mean, figures.median,
                          percentile(times, 90), percentile(times, 95), percentile(times, 99), figures.min, figures.max,
                          figures.deviation, rate > 0 ? Cell(rate) : Cell(), Cell(), Cell(), Cell(), std::move(name)});
  }

  Table table;
};

}  // namespace

MadeTable iterations(const ReportInput& input) {
  auto found = findIterations(input.trace, input.arguments.iteration);
  if (found) std::erase_if(found->ranges, [&](EventRef range) { return !input.holds(range); });
  IterationTable result;
  if (!found || found->ranges.empty()) {
    std::vector<Cell> row(result.table.columns.size());
    row.front() = KeptText("no marker found");
    row.back() = input.arguments.iteration.empty()
                     ? "no NVTX range of the program repeats; push one around each iteration"
                     : "“" + input.arguments.iteration + "” is no NVTX range that repeats";
    result.table.rows.push_back(std::move(row));
    return std::move(result.table);
  }
  Breakdown parts = breakDown(input, *found);
  std::vector<std::int64_t> host, gpu;
  Ns begin = trace::kMaxTime, end = trace::kMinTime, total = 0;
  for (const Iteration& each : parts.iterations) {
    host.push_back(each.host);
    if (each.gpu) gpu.push_back(*each.gpu);
    const trace::TimeRange time = input.trace.time(each.range);
    begin = std::min(begin, time.begin);
    end = std::max(end, time.end);
    total += each.host;
  }
  const double rate = end > begin ? static_cast<double>(host.size()) / (static_cast<double>(end - begin) / 1e9) : 0;
  result.add("iteration on the host", std::move(host), rate, total, found->name);
  result.add("iteration on the GPU", std::move(gpu), rate, 0, found->name);

  std::vector<std::pair<Statistics, const std::string*>> order;
  order.reserve(parts.children.size());
  for (auto& [name, times] : parts.children) order.emplace_back(statisticsOf(times), &name);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first.total > b.first.total; });
  for (const auto& [figures, name] : order) result.add("range in it", parts.children[*name], 0, total, *name);
  if (!order.empty()) result.add("rest of it", std::move(parts.rest), 0, total, found->name);

  std::stable_sort(parts.iterations.begin(), parts.iterations.end(),
                   [](const Iteration& a, const Iteration& b) { return a.host > b.host; });
  const std::size_t slowest = std::min(parts.iterations.size(), input.arguments.rows.value_or(kUsualSlowest));
  for (std::size_t i = 0; i < slowest; ++i) {
    const Iteration& each = parts.iterations[i];
    std::vector<Cell> row(result.table.columns.size());
    enum { kTotalTime = 3, kStart = 13, kPid, kTid };
    row.front() = KeptText("slowest");
    row[kTotalTime] = each.host;
    row[kStart] = input.trace.time(each.range).begin;
    row[kPid] = input.pidOf(each.range);
    row[kTid] = input.tidOf(each.range);
    row.back() = rangeName(input.trace, each.range);
    result.table.rows.push_back(std::move(row));
  }
  return std::move(result.table);
}

}  // namespace lanescope::analysis
