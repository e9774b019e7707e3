// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "model/analysis/device_window.h"
#include "model/analysis/intervals.h"
#include "model/analysis/rule_list.h"
#include "model/wide.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::LaneId;
using trace::Ns;
using trace::TimeRange;

namespace {

/// A GPU as one process sees it.
struct ProcessGpu {
  std::int64_t pid = 0, device = 0;
  std::int64_t context = std::numeric_limits<std::int64_t>::max();  ///< the smallest that had work
  std::vector<LaneId> lanes;
  std::vector<LaneId> overhead;  ///< of the process
  TimeRange window;
};

std::vector<ProcessGpu> processGpus(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  std::map<std::uint32_t, ProcessGpu> byGpu;
  using enum EventKind;
  for (const LaneId id : input.lanes(std::array{kKernel, kCopy, kMemset, kGraphLaunch})) {
    const trace::LaneInfo& info = trace.laneInfo[id];
    if (trace.lanes[id]->empty()) continue;
    ProcessGpu& gpu = byGpu[info.gpu];
    gpu.pid = trace.processes[info.process].pid;
    gpu.device = trace.gpus[info.gpu].device;
    gpu.context = std::min(gpu.context, trace.streams[info.stream].context);
    gpu.lanes.push_back(id);
  }
  std::vector<ProcessGpu> found;
  for (auto& [index, gpu] : byGpu) {
    gpu.window = windowOf(trace, gpu.lanes, input.scope.range);
    if (gpu.window.empty()) continue;
    for (const LaneId id : input.lanes(std::array{kOverhead}))
      if (trace.laneInfo[id].process == trace.gpus[index].process) gpu.overhead.push_back(id);
    found.push_back(std::move(gpu));
  }
  return found;
}

Intervals unionOf(const trace::Trace& trace, const std::vector<LaneId>& lanes, TimeRange window) {
  Intervals all;
  for (const LaneId id : lanes) {
    const trace::Lane& lane = *trace.lanes[id];
    const auto [first, last] = touching(lane, window);
    for (std::size_t i = first; i < last; ++i) all.add(common({lane.start(i), lane.end(i)}, window));
  }
  all.finish();
  return all;
}

/// One finding of either rule.
struct Stretch {
  const ProcessGpu* gpu;
  TimeRange time;
  double inUse = 0;
};

/// Rows with the number of each before them.
RuleResult numbered(const RuleInput& input, const std::vector<Stretch>& stretches, bool withUse) {
  RuleResult result;
  result.found = stretches.size();
  result.figure = static_cast<double>(stretches.size());
  result.table.columns = {{"Row#", ColumnKind::kCount}};
  if (withUse) result.table.columns.push_back({"In-Use", ColumnKind::kShare});
  for (const char* title : {"Duration", "Start"}) result.table.columns.push_back({title, ColumnKind::kTime});
  for (const char* title : {"PID", "Device ID", "Context ID"}) result.table.columns.push_back({title, ColumnKind::kId});
  for (const Stretch& each : stretches) {
    if (result.table.rows.size() == input.arguments.rows) break;
    std::vector<Cell> row{static_cast<std::int64_t>(result.table.rows.size() + 1)};
    if (withUse) row.emplace_back(each.inUse);
    row.insert(row.end(), {each.time.length(), each.time.begin, each.gpu->pid, each.gpu->device, each.gpu->context});
    result.table.rows.push_back(std::move(row));
    result.evidence.push_back({each.time, {}});
  }
  return result;
}

/// Time that work takes in each of equal parts of a window.
class Chunks {
 public:
  Chunks(TimeRange window, std::size_t count)
      : window_(window),
        length_((window.length() - 1) / static_cast<Ns>(count) + 1),
        parts_(static_cast<std::size_t>((window.length() - 1) / length_ + 1)),
        whole_(parts_.size() + 1) {}

  void add(TimeRange event) {
    const TimeRange part = common(event, window_);
    if (part.empty()) return;
    const std::size_t first = at(part.begin), last = at(part.end - 1);
    if (first == last) {
      parts_[first] += part.length();
      return;
    }
    parts_[first] += timeOf(first).end - part.begin;
    parts_[last] += part.end - timeOf(last).begin;
    ++whole_[first + 1];
    --whole_[last];
  }

  /// Sums up what was added. Before busy().
  void finish() {
    std::int64_t depth = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      depth += whole_[i];
      parts_[i] += Wide{depth} * timeOf(i).length();
    }
  }

  std::size_t size() const { return parts_.size(); }
  TimeRange timeOf(std::size_t chunk) const {
    const Ns begin = window_.begin + static_cast<Ns>(chunk) * length_;
    return {begin, std::min(begin + length_, window_.end)};
  }
  Wide busy(std::size_t chunk) const { return parts_[chunk]; }

 private:
  std::size_t at(Ns time) const { return static_cast<std::size_t>((time - window_.begin) / length_); }

  TimeRange window_;
  Ns length_;
  std::vector<Wide> parts_;
  std::vector<std::int64_t> whole_;  // by how much the number of events that cover the whole chunk changes
};

double percent(Wide busy, Ns time) { return 100.0 * static_cast<double>(busy) / static_cast<double>(time); }

}  // namespace

RuleResult gpuGaps(const RuleInput& input) {
  const trace::Trace& trace = input.events.trace;
  const std::vector<ProcessGpu> gpus = processGpus(input.events);
  std::vector<Stretch> gaps;
  for (const ProcessGpu& gpu : gpus) {
    const Intervals busy = unionOf(trace, gpu.lanes, gpu.window);
    const Intervals overhead = unionOf(trace, gpu.overhead, gpu.window);
    Ns covered = gpu.window.begin;
    const auto add = [&](Ns until) {
      const TimeRange gap{covered, until};
      // One that the profiler filled is none of the program's.
      if (gap.length() > input.arguments.gap && overhead.covered(gap) < gap.length()) gaps.push_back({&gpu, gap});
    };
    for (const TimeRange work : busy.merged()) {
      add(work.begin);
      covered = work.end;
    }
    add(gpu.window.end);
  }
  std::stable_sort(gaps.begin(), gaps.end(), [](const Stretch& a, const Stretch& b) {
    return a.time.length() != b.time.length() ? a.time.length() > b.time.length() : a.time.begin < b.time.begin;
  });
  return numbered(input, gaps, false);
}

RuleResult gpuTimeUtilization(const RuleInput& input) {
  const trace::Trace& trace = input.events.trace;
  const std::vector<ProcessGpu> gpus = processGpus(input.events);
  std::vector<Stretch> low;
  for (const ProcessGpu& gpu : gpus) {
    Chunks chunks(gpu.window, input.arguments.chunks);
    for (const LaneId id : gpu.lanes) {
      const trace::Lane& lane = *trace.lanes[id];
      const auto [first, last] = touching(lane, gpu.window);
      for (std::size_t i = first; i < last; ++i) chunks.add({lane.start(i), lane.end(i)});
    }
    chunks.finish();
    for (std::size_t i = 0; i < chunks.size();) {
      Wide busy = 0;
      const Ns begin = chunks.timeOf(i).begin;
      Ns end = begin;
      for (; i < chunks.size() && percent(chunks.busy(i), chunks.timeOf(i).length()) < input.arguments.threshold; ++i) {
        busy += chunks.busy(i);
        end = chunks.timeOf(i).end;
      }
      // Rounded before they are put in order, so that rows of the same figure are by time.
      if (end > begin) low.push_back({&gpu, {begin, end}, std::round(percent(busy, end - begin) * 10) / 10});
      else ++i;
    }
  }
  std::stable_sort(low.begin(), low.end(), [](const Stretch& a, const Stretch& b) {
    return a.inUse != b.inUse ? a.inUse < b.inUse : a.time.begin < b.time.begin;
  });
  return numbered(input, low, true);
}

}  // namespace lanescope::analysis
