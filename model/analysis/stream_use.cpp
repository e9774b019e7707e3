// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/stream_use.h"

#include <algorithm>

#include "model/analysis/grouping.h"
#include "model/analysis/intervals.h"

namespace lanescope::analysis {

using trace::Ns;
using trace::TimeRange;

namespace {

struct Edge {
  Ns time;
  std::int32_t change;  // of how many streams are busy
};

/// How many streams are busy, as steps with the integral before each.
class Depth {
 public:
  explicit Depth(std::vector<Edge> edges) {
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.time < b.time; });
    std::uint32_t depth = 0;
    double integral = 0;
    for (std::size_t i = 0; i < edges.size();) {
      const Ns time = edges[i].time;
      if (!steps_.empty()) integral += static_cast<double>(time - steps_.back().time) * depth;
      for (; i < edges.size() && edges[i].time == time; ++i) depth += static_cast<std::uint32_t>(edges[i].change);
      steps_.push_back({time, depth, integral});
    }
  }

  /// Visits the steps of a range one after the other: `next` remembers where, for ranges that ascend.
  void add(TimeRange range, std::size_t& next, double& integral, std::uint32_t& most) const {
    while (next + 1 < steps_.size() && steps_[next + 1].time <= range.begin) ++next;
    for (std::size_t i = next; i < steps_.size() && steps_[i].time < range.end; ++i) {
      const Ns end = i + 1 < steps_.size() ? std::min(range.end, steps_[i + 1].time) : range.end;
      integral += static_cast<double>(end - std::max(range.begin, steps_[i].time)) * steps_[i].depth;
      most = std::max(most, steps_[i].depth);
    }
  }
  double whole() const { return steps_.empty() ? 0 : steps_.back().integral; }
  std::uint32_t most() const {
    std::uint32_t most = 0;
    for (const Step& step : steps_) most = std::max(most, step.depth);
    return most;
  }

 private:
  struct Step {
    Ns time;
    std::uint32_t depth;
    double integral;
  };
  std::vector<Step> steps_;
};

}  // namespace

std::vector<GpuUse> streamUse(const trace::Trace& trace, const Scope& scope) {
  std::vector<std::vector<trace::LaneId>> lanesOf(trace.streams.size());
  for (trace::LaneId id = 0; id < trace.laneInfo.size(); ++id) {
    const trace::LaneInfo& info = trace.laneInfo[id];
    if (isGpuWork(info.kind) && info.stream != trace::kNone && (!scope.process || info.process == *scope.process))
      lanesOf[info.stream].push_back(id);
  }
  struct Working {
    GpuUse use;
    std::vector<Intervals> busy;
  };
  std::vector<Working> gpus(trace.gpus.size());
  for (std::uint32_t stream = 0; stream < lanesOf.size(); ++stream) {
    StreamUse use;
    use.stream = stream;
    Intervals busy;
    for (const trace::LaneId id : lanesOf[stream]) {
      const trace::Lane& lane = *trace.lanes[id];
      const auto [first, last] = touching(lane, scope.range);
      const bool kernel = trace.laneInfo[id].kind == trace::EventKind::kKernel;
      (kernel ? use.kernels : use.memory) +=
          trace.laneInfo[id].kind == trace::EventKind::kGraphLaunch ? 0 : last - first;
      for (std::size_t i = first; i < last; ++i)
        busy.add({std::max(lane.start(i), scope.range.begin), std::min(lane.end(i), scope.range.end)});
    }
    busy.finish();
    if (busy.merged().empty()) continue;
    Working& gpu = gpus[trace.streams[stream].gpu];
    use.busy = busy.total();
    gpu.use.span = hull(gpu.use.span, {busy.merged().front().begin, busy.merged().back().end});
    gpu.use.all.kernels += use.kernels;
    gpu.use.all.memory += use.memory;
    gpu.use.streams.push_back(use);
    gpu.busy.push_back(std::move(busy));
  }

  std::vector<GpuUse> found;
  for (std::uint32_t index = 0; index < gpus.size(); ++index) {
    Working& gpu = gpus[index];
    if (gpu.busy.empty()) continue;
    gpu.use.gpu = index;
    std::vector<Edge> edges;
    Intervals any;
    for (const Intervals& busy : gpu.busy)
      for (const TimeRange each : busy.merged()) {
        edges.push_back({each.begin, 1});
        edges.push_back({each.end, -1});
        any.add(each);
      }
    any.finish();
    const Depth depth(std::move(edges));
    for (std::size_t i = 0; i < gpu.busy.size(); ++i) {
      double integral = 0;
      std::size_t next = 0;
      for (const TimeRange each : gpu.busy[i].merged()) depth.add(each, next, integral, gpu.use.streams[i].mostAtOnce);
      gpu.use.streams[i].concurrency = integral / static_cast<double>(gpu.use.streams[i].busy);
    }
    gpu.use.all.busy = any.total();
    gpu.use.all.concurrency = depth.whole() / static_cast<double>(any.total());
    gpu.use.all.mostAtOnce = depth.most();
    found.push_back(std::move(gpu.use));
  }
  return found;
}

}  // namespace lanescope::analysis
