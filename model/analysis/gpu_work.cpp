// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/gpu_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace lanescope::analysis {

using trace::EventKind;
using trace::TimeRange;

namespace {

std::string labelOf(const trace::Gpu& gpu) {
  constexpr std::string_view kMaker = "NVIDIA ";
  std::string_view name = gpu.name;
  if (name.starts_with(kMaker)) name.remove_prefix(kMaker.size());
  return name.empty() ? fmt::format("GPU {}", gpu.device) : fmt::format("GPU {} · {}", gpu.device, name);
}

}  // namespace

std::vector<GpuDevice> gpuDevices(const trace::Trace& trace) {
  // A bus location says which of a machine's GPUs it is; ordinals serve where no report has one.
  std::map<std::pair<std::string, std::int64_t>, GpuDevice> byGpu;
  for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane) {
    const trace::LaneInfo& info = trace.laneInfo[lane];
    if (!trace::isGpuWork(info.kind)) continue;
    const trace::Gpu gpu = info.gpu == trace::kNone ? trace::Gpu{} : trace.gpus[info.gpu];
    GpuDevice& device = byGpu[{gpu.bus, gpu.bus.empty() ? gpu.device : 0}];
    if (info.gpu != trace::kNone && std::find(device.gpus.begin(), device.gpus.end(), info.gpu) == device.gpus.end())
      device.gpus.push_back(info.gpu);
    device.lanes.push_back(lane);
  }
  std::vector<GpuDevice> devices;
  for (auto& [key, device] : byGpu) {
    device.label = device.gpus.empty() ? "GPU" : labelOf(trace.gpus[device.gpus.front()]);
    devices.push_back(std::move(device));
  }
  const auto ordinal = [&](const GpuDevice& device) {
    return device.gpus.empty() ? 0 : trace.gpus[device.gpus.front()].device;
  };
  std::stable_sort(devices.begin(), devices.end(),
                   [&](const GpuDevice& a, const GpuDevice& b) { return ordinal(a) < ordinal(b); });
  return devices;
}

GpuWork::GpuWork(const trace::Trace& trace, const Job& job, const Passing* passing) {
  for (GpuDevice& device : gpuDevices(trace)) {
    if (job.cancelled()) break;
    std::vector<trace::KeptLane> work, compute, copies, computeOrCopies;
    bool wholeGraphs = false;
    for (const trace::LaneId id : device.lanes) {
      const EventKind kind = trace.laneInfo[id].kind;
      const trace::KeptLane lane = keptLane(trace, id, passing);
      if (lane.view().empty()) continue;
      const bool computes = kind == EventKind::kKernel || kind == EventKind::kGraphLaunch;
      work.push_back(lane);
      if (computes) compute.push_back(lane);
      if (kind == EventKind::kCopy) copies.push_back(lane);
      if (computes || kind == EventKind::kCopy) computeOrCopies.push_back(lane);
      wholeGraphs |= kind == EventKind::kGraphLaunch;
    }
    devices_.push_back({{std::move(device)},
                        trace::BusyUnion(std::move(work), job),
                        trace::BusyUnion(std::move(compute), job),
                        trace::BusyUnion(std::move(copies), job),
                        trace::BusyUnion(std::move(computeOrCopies), job),
                        wholeGraphs});
  }
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
