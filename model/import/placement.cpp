// SPDX-License-Identifier: Apache-2.0
#include "model/import/placement.h"

#include <algorithm>

namespace lanescope::imported {

using trace::EventKind;

namespace {

template <EventKind... kinds>
bool isOneOf(EventKind kind) {
  return ((kind == kinds) || ...);
}

bool isOfGpu(EventKind kind) {
  return trace::isGpuWork(kind) || kind == EventKind::kSync || kind == EventKind::kGpuPageFault;
}

constexpr Destination kDestinations[] = {
    {"CUPTI_ACTIVITY_KIND_KERNEL", isOneOf<EventKind::kKernel>},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", isOneOf<EventKind::kCopy>},
    {"CUPTI_ACTIVITY_KIND_MEMSET", isOneOf<EventKind::kMemset>},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", isOneOf<EventKind::kGraphLaunch>},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", isOneOf<EventKind::kCudaApi>},
    {"OSRT_API", isOneOf<EventKind::kOsRuntime>},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", isOneOf<EventKind::kOverhead>},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", isOneOf<EventKind::kSync>},
    {"COMPOSITE_EVENTS", isOneOf<EventKind::kCpuSample>},
    {"LANESCOPE_PYTHON_SAMPLES", isOneOf<EventKind::kPythonSample>},
    {"CUDA_UM_CPU_PAGE_FAULT_EVENTS", isOneOf<EventKind::kCpuPageFault>},
    {"CUDA_UM_GPU_PAGE_FAULT_EVENTS", isOneOf<EventKind::kGpuPageFault>},
    {"NVTX_EVENTS", isOneOf<EventKind::kNvtxRange, EventKind::kNvtxStartEnd, EventKind::kNvtxMark>},
};

}  // namespace

std::span<const Destination> destinations() { return kDestinations; }

std::int64_t domainId(const Recording& recording, std::uint32_t domain) {
  if (domain == trace::kNone) return 0;
  const Domain& who = recording.domains[domain];
  return who.isNvtx && who.name.empty() ? 0 : std::int64_t{domain} + 1;
}

Placed placed(const Recording& recording, const GlobalIds& ids, const Track& track) {
  Placed at{.kind = track.kind};
  at.hasThread = track.thread != trace::kNone && !isOfGpu(at.kind);
  const Stream* stream = track.stream == trace::kNone ? nullptr : &recording.streams[track.stream];
  const std::uint32_t gpu = stream ? stream->gpu : track.gpu;
  at.process = track.process != trace::kNone ? track.process
               : at.hasThread                ? recording.threads[track.thread].process
               : gpu != trace::kNone         ? recording.gpus[gpu].process
                                             : 0;
  if (at.process < ids.processes.size()) at.globalPid = ids.processes[at.process];
  at.globalTid = at.hasThread ? ids.threads[track.thread] : at.globalPid;
  if (gpu != trace::kNone) at.device = recording.gpus[gpu].device;
  if (stream) at.context = stream->context, at.stream = stream->stream;
  at.domain = domainId(recording, track.domain);
  const bool isOfThread = at.kind == EventKind::kNvtxRange || at.kind == EventKind::kNvtxMark;
  if (isOfThread && !at.hasThread) at.kind = EventKind::kNvtxStartEnd;
  return at;
}

std::pair<std::string, std::string_view> fixedName(EventKind kind, std::uint8_t copyKind) {
  switch (kind) {
    case EventKind::kCopy:
      return {"[CUDA memcpy " + std::string(trace::copyKindName(copyKind)) + "]", trace::copyKindName(copyKind, true)};
    case EventKind::kMemset:
      return {"[CUDA memset]", "memset"};
    case EventKind::kSync:
      return {"Synchronization", "sync"};
    case EventKind::kCpuSample:
      return {"CPU sample", {}};
    case EventKind::kPythonSample:
      return {"Python sample", {}};
    case EventKind::kCpuPageFault:
      return {"CPU page fault", {}};
    case EventKind::kGpuPageFault:
      return {"GPU page fault", {}};
    default:
      return {};
  }
}

RowOf placeOf(const Recording& recording, EventAt event) {
  const Track& track = recording.tracks[event.track];
  const auto* of = std::ranges::find_if(kDestinations, [&](const Destination& d) { return d.holds(track.kind); });
  return {of == std::end(kDestinations) ? "" : of->table, track.events[event.index].sourceRow};
}

std::vector<RowAt> byRow(const Recording& recording, std::span<const std::uint32_t> tracks) {
  std::vector<RowAt> rows;
  for (const std::uint32_t track : tracks) {
    const trace::EventList& events = recording.tracks[track].events;
    for (std::uint32_t i = 0; i < events.size(); ++i) rows.push_back({events[i].sourceRow, {track, i}});
  }
  if (!std::ranges::is_sorted(rows, {}, &RowAt::row)) std::ranges::stable_sort(rows, {}, &RowAt::row);
  return rows;
}

}  // namespace lanescope::imported
