// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "model/report/loading.h"
#include "model/report/memory_kinds.h"

namespace lanescope::report {

using trace::Counter;
using trace::Event;
using trace::EventKind;
using trace::LaneInfo;
using trace::Ns;

namespace {

void loadUsage(Loading& loading) {
  enum Column { kStart, kGlobalPid, kDevice, kBytes, kKind, kOperation };
  struct Change {
    Ns time;
    double bytes;
  };
  trace::TraceBuilder& builder = loading.builder;
  std::map<std::pair<std::uint32_t, std::string>, std::vector<Change>> curves;  // by GPU and name
  loading.forEach("CUDA_GPU_MEMORY_USAGE_EVENTS",
                  {"start", "globalPid", "deviceId", "bytes", "memKind", "memoryOperationType"},
                  [&](const TableRow& row) {
                    const char* curve = memoryCurve(row.integer(kKind));
                    if (!curve || !loading.hasTimes(row, kStart, kStart) || !loading.isSampleTime(row.integer(kStart)))
                      return;
                    const std::uint32_t process = loading.processOf(row, kGlobalPid);
                    const double bytes = row.real(kBytes);
                    curves[{builder.gpu(process, row.integer(kDevice)), curve}].push_back(
                        {row.integer(kStart), row.integer(kOperation) == 0 ? bytes : -bytes});
                  });
  for (auto& [which, changes] : curves) {
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
    auto times = std::make_shared<std::vector<Ns>>();
    std::vector<double> values;
    double inUse = 0;
    for (const Change& change : changes) {
      inUse = std::max(0.0, inUse + change.bytes);  // memory allocated before the recording may be freed in it
      times->push_back(change.time);
      values.push_back(inUse);
    }
    const std::uint32_t process = builder.draft().gpus[which.first].process;
    builder.addCounter(Counter(which.second, Counter::Unit::kBytes, std::move(times), std::move(values)),
                       {process, which.first, {}});
  }
}

}  // namespace

void loadPageFaults(Loading& loading) {
  enum Column { kStart, kEnd, kGlobalPid, kDevice };
  trace::TraceBuilder& builder = loading.builder;
  const auto load = [&](const char* table, EventKind kind, const char* name) {
    if (!loading.wants(kind)) return;
    const trace::NameId id = builder.names().intern(name);
    const bool instant = kind == EventKind::kCpuPageFault;
    loading.forEach(table, {"start", instant ? "start" : "end", "globalPid", "deviceId"}, [&](const TableRow& row) {
      if (!loading.hasTimes(row, kStart, kEnd)) return;
      const Event event{.start = row.integer(kStart),
                        .end = row.integer(kEnd),
                        .name = id,
                        .sourceRow = static_cast<std::uint64_t>(row.rowid())};
      if (!(instant ? builder.acceptInstant(event.start, kind) : builder.accept(event.start, event.end, kind))) return;
      LaneInfo info;
      info.kind = kind;
      info.table = builder.table(table);
      info.process = loading.processOf(row, kGlobalPid);
      if (!instant) info.gpu = builder.gpu(info.process, row.integer(kDevice));
      builder.sequence(info).add(event);
    });
    builder.finish();
  };
  load("CUDA_UM_CPU_PAGE_FAULT_EVENTS", EventKind::kCpuPageFault, "CPU page fault");
  load("CUDA_UM_GPU_PAGE_FAULT_EVENTS", EventKind::kGpuPageFault, "GPU page fault");
}

void loadMemory(Loading& loading) {
  loadUsage(loading);
  loadPageFaults(loading);
}

}  // namespace lanescope::report
