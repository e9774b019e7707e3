// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/device_window.h"

#include <algorithm>

namespace lanescope::analysis {

using trace::LaneId;
using trace::TimeRange;

namespace {

bool hasBegin(TimeRange scope) { return scope.begin > trace::kMinTime; }
bool hasEnd(TimeRange scope) { return scope.end < trace::kMaxTime; }

}  // namespace

TimeRange windowOf(const trace::Trace& trace, std::span<const LaneId> lanes, TimeRange scope) {
  TimeRange work{trace::kMaxTime, trace::kMinTime};
  for (const LaneId id : lanes) {
    const trace::Lane& lane = *trace.lanes[id];
    if (lane.empty()) continue;
    const TimeRange span = lane.span();
    work = {std::min(work.begin, span.begin), std::max(work.end, span.end)};
  }
  if (work.begin > work.end) return {};
  // An edge beyond what was recorded says nothing of the time between.
  if (hasBegin(scope)) work.begin = std::max(scope.begin, trace.range.begin);
  if (hasEnd(scope)) work.end = std::min(scope.end, trace.range.end);
  return work.empty() ? TimeRange{} : work;
}

std::vector<DeviceWindow> deviceWindows(const trace::Trace& trace, const Scope& scope, const Job& job) {
  std::vector<DeviceWindow> windows;
  for (const GpuDevice& device : gpuDevices(trace)) {
    if (job.cancelled()) break;
    const TimeRange window = windowOf(trace, device.lanes, scope.range);
    if (!window.empty()) windows.push_back({device.label, device.gpus, device.lanes, window});
  }
  return windows;
}

std::string_view windowName(const Scope& scope) {
  return hasBegin(scope.range) || hasEnd(scope.range) ? "asked for" : "from first to last GPU work";
}

}  // namespace lanescope::analysis
