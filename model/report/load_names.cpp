// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <tuple>

#include "model/report/loading.h"
#include "model/report/run_processes.h"
#include "model/trace/ids.h"

namespace lanescope::report {

namespace {

struct GpuFacts {
  std::string name, bus;
};

/// Streams, devices and contexts give their process as a small pid, not as a packed id.
struct DeviceNames {
  std::map<std::int64_t, GpuFacts> byId;                             // TARGET_INFO_GPU.id
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> idOf;  // pid, CUDA ordinal
};

DeviceNames readDeviceNames(Loading& loading) {
  DeviceNames devices;
  loading.forEach("TARGET_INFO_GPU", {"id", "name", "busLocation"}, [&](const TableRow& row) {
    std::string name = repairUtf8(row.text(1));
    while (!name.empty() && name.back() == ' ') name.pop_back();
    devices.byId[row.integer(0)] = {std::move(name), repairUtf8(row.text(2))};
  });
  loading.forEach("TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"},
                  [&](const TableRow& row) { devices.idOf[{row.integer(2), row.integer(1)}] = row.integer(0); });
  return devices;
}

}  // namespace

void loadNames(Loading& loading) {
  trace::TraceBuilder& builder = loading.builder;
  loading.forEach("PROCESSES", {"globalPid", "name"}, [&](const TableRow& row) {
    if (!row.isNull(0)) builder.draft().processes[builder.process(row.integer(0))].name = repairUtf8(row.text(1));
  });
  std::map<std::int64_t, std::string> ranks;
  for (const RunProcess& process : runProcesses(loading.database)) ranks[process.pid & 0xFFFFFF] = process.rank;
  for (trace::Process& process : builder.draft().processes) {
    if (const auto rank = ranks.find(process.pid & 0xFFFFFF); rank != ranks.end()) process.rank = rank->second;
  }
  loading.forEach("MPI_RANKS", {"globalTid", "rank"}, [&](const TableRow& row) {  // where no launcher said it
    if (!row.isInteger(0) || !row.isInteger(1)) return;
    if (std::string& rank = builder.draft().processes[builder.process(row.integer(0))].rank; rank.empty())
      rank = std::to_string(row.integer(1));
  });
  loading.forEach("ThreadNames", {"globalTid", "nameId"}, [&](const TableRow& row) {
    if (!row.isNull(0))
      builder.draft().threads[builder.thread(row.integer(0))].name = repairUtf8(loading.strings.text(row.integer(1)));
  });
}

void nameGpus(Loading& loading) {
  trace::Trace& trace = loading.builder.draft();
  const DeviceNames devices = readDeviceNames(loading);
  for (trace::Gpu& gpu : trace.gpus) {
    const auto mapped = devices.idOf.find({trace::pidOf(trace.processes[gpu.process].globalPid), gpu.device});
    const auto facts = devices.byId.find(mapped == devices.idOf.end() ? gpu.device : mapped->second);
    if (facts == devices.byId.end()) continue;
    gpu.name = facts->second.name;
    gpu.bus = facts->second.bus;
  }

  // A stream is found by (pid, context, stream); the default one by its context.
  std::multimap<std::tuple<std::int64_t, std::int64_t, std::int64_t>, trace::Stream*> streams;
  for (trace::Stream& each : trace.streams)
    streams.emplace(
        std::tuple(trace::pidOf(trace.processes[trace.gpus[each.gpu].process].globalPid), each.context, each.stream),
        &each);
  // Other tools number contexts, where they do, on each GPU anew.
  const bool byDevice = loading.database.has("LANESCOPE_SOURCE");
  const auto forStreams = [&](const TableRow& row, auto apply) {  // columns: process, context, stream, device
    const auto [first, last] = streams.equal_range({row.integer(0), row.integer(1), row.integer(2)});
    for (auto each = first; each != last; ++each)
      if (!byDevice || trace.gpus[each->second->gpu].device == row.integer(3)) apply(*each->second);
  };
  const auto markDefault = [](trace::Stream& stream) { stream.isDefault = true; };
  for (const char* table : {"TARGET_INFO_CUDA_CONTEXT_INFO", "TARGET_INFO_CUDA_NULL_STREAM"}) {
    const bool old = std::string_view(table).ends_with("NULL_STREAM");
    loading.forEach(table, {"processId", "contextId", old ? "streamId" : "nullStreamId", "deviceId"},
                    [&](const TableRow& row) { forStreams(row, markDefault); });
  }
  loading.forEach("TARGET_INFO_NVTX_CUDA_STREAM", {"processId", "contextId", "streamId", "deviceId", "name"},
                  [&](const TableRow& row) {
                    const std::string name = repairUtf8(row.text(4));
                    forStreams(row, [&](trace::Stream& stream) { stream.name = name; });
                  });
}

}  // namespace lanescope::report
