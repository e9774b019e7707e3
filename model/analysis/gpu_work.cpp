// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/gpu_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace lanescope::analysis {

using trace::EventKind;
using trace::LanePtr;
using trace::TimeRange;

namespace {

std::string labelOf(const trace::Gpu& gpu) {
  constexpr std::string_view kMaker = "NVIDIA ";
  std::string_view name = gpu.name;
  if (name.starts_with(kMaker)) name.remove_prefix(kMaker.size());
  return name.empty() ? fmt::format("GPU {}", gpu.device) : fmt::format("GPU {} · {}", gpu.device, name);
}

struct Lanes {
  std::vector<std::uint32_t> gpus;
  std::vector<LanePtr> work, compute, copies, computeOrCopies;
  bool wholeGraphs = false;

  void add(EventKind kind, const LanePtr& lane) {
    const bool computes = kind == EventKind::kKernel || kind == EventKind::kGraphLaunch;
    const bool copies_ = kind == EventKind::kCopy;
    work.push_back(lane);
    if (computes) compute.push_back(lane);
    if (copies_) copies.push_back(lane);
    if (computes || copies_) computeOrCopies.push_back(lane);
    wholeGraphs |= kind == EventKind::kGraphLaunch;
  }
};

}  // namespace

GpuWork::GpuWork(const trace::Trace& trace, const Job& job) {
  // A bus location says which of a machine's GPUs it is; ordinals serve where no report has one.
  std::map<std::pair<std::string, std::int64_t>, Lanes> byGpu;
  for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) {
    const trace::LaneInfo& info = trace.laneInfo[lane];
    if (!trace::isGpuWork(info.kind)) continue;
    const trace::Gpu gpu = info.gpu == trace::kNone ? trace::Gpu{} : trace.gpus[info.gpu];
    Lanes& lanes = byGpu[{gpu.bus, gpu.bus.empty() ? gpu.device : 0}];
    if (info.gpu != trace::kNone && std::find(lanes.gpus.begin(), lanes.gpus.end(), info.gpu) == lanes.gpus.end())
      lanes.gpus.push_back(info.gpu);
    lanes.add(info.kind, trace.lanes[lane]);
  }
  for (auto& [key, lanes] : byGpu) {
    if (job.cancelled()) break;
    devices_.push_back({lanes.gpus.empty() ? "GPU" : labelOf(trace.gpus[lanes.gpus.front()]), std::move(lanes.gpus),
                        trace::BusyUnion(std::move(lanes.work), job), trace::BusyUnion(std::move(lanes.compute), job),
                        trace::BusyUnion(std::move(lanes.copies), job),
                        trace::BusyUnion(std::move(lanes.computeOrCopies), job), lanes.wholeGraphs});
  }
  const auto ordinal = [&](const Device& device) {
    return device.gpus.empty() ? 0 : trace.gpus[device.gpus.front()].device;
  };
  std::stable_sort(devices_.begin(), devices_.end(),
                   [&](const Device& a, const Device& b) { return ordinal(a) < ordinal(b); });
}

GpuFigures GpuWork::figures(const Device& device, TimeRange range) {
  GpuFigures figures;
  figures.gpus = 1;
  if (range.empty()) return figures;
  figures.available = range.length();
  figures.busy = device.work.busy(range);
  figures.compute = device.compute.busy(range);
  figures.copying = device.copies.busy(range);
  const trace::Ns exposed = device.computeOrCopies.busy(range) - figures.compute;  // copying without compute
  figures.hidden = figures.copying - exposed;
  return figures;
}

GpuFigures GpuWork::figures(TimeRange range) const {
  GpuFigures sum;
  const auto add = [](trace::Ns& a, trace::Ns b) {
    if (__builtin_add_overflow(a, b, &a)) a = std::numeric_limits<trace::Ns>::max();
  };
  for (const Device& device : devices_) {
    const GpuFigures one = figures(device, range);
    sum.gpus += 1;
    add(sum.available, one.available);
    add(sum.busy, one.busy);
    add(sum.compute, one.compute);
    add(sum.copying, one.copying);
    add(sum.hidden, one.hidden);
  }
  return sum;
}

}  // namespace lanescope::analysis
