// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_gpu.h"

namespace lanescope::launch {

using report::Id;
using report::OptionalId;
using wire::RecordType;

namespace {

OptionalId unlessZero(std::uint64_t value) {
  return value != 0 ? OptionalId(static_cast<std::int64_t>(value)) : std::nullopt;
}

report::Size3 size3(const std::int32_t (&xyz)[3]) { return {xyz[0], xyz[1], xyz[2]}; }

}  // namespace

Id memoryKind(std::uint32_t cupti) { return cupti == 0 ? 7 : static_cast<Id>(cupti) - 1; }

Id GpuRows::deviceOf(std::uint32_t context) const {
  const auto found = process_.contexts.find(context);
  return found != process_.contexts.end() ? found->second.device : 0;
}

std::optional<report::GpuSpan> GpuRows::at(const Chunk& chunk, std::uint32_t aux, std::uint64_t start,
                                           std::uint64_t end, std::uint32_t device, std::uint32_t context,
                                           std::uint32_t stream) {
  const Span span = process_.span(chunk, start, end);
  const bool timed = start != 0 || end != 0;
  if (timed && !process_.windows.keeps(span.start, span.end)) return std::nullopt;
  process_.untimed += !timed;
  ++process_.events;
  return report::GpuSpan{.start = span.start,
                         .end = span.end,
                         .device = device,
                         .context = context,
                         .stream = stream,
                         .greenContext = {},
                         .correlation = process_.correlation(aux, span.start),
                         .globalPid = process_.globalPid()};
}

bool GpuRows::take(const Chunk& chunk, const Record& record) {
  switch (record.type) {
    case RecordType::kKernel:
      return kernel(chunk, record), true;
    case RecordType::kCopy:
      return copy(chunk, record), true;
    case RecordType::kMemset:
      return memset(chunk, record), true;
    case RecordType::kGraph:
      return graph(chunk, record), true;
    case RecordType::kSync:
      return sync(chunk, record), true;
    case RecordType::kCudaEvent:
      return cudaEvent(chunk, record), true;
    default:
      return false;
  }
}

void GpuRows::kernel(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::Kernel>();
  const auto where = at(chunk, record.aux, from.start, from.end, from.device, from.context, from.stream);
  if (!where) return;
  const Process::KernelNames& name = process_.kernel(from.name, writer_);
  writer_.add(report::KernelRow{
      .at = *where,
      .demangledName = name.demangled,
      .shortName = name.shortName,
      .mangledName = name.mangled,
      .launchType = from.launchType + 1,
      .cacheConfig = from.cacheConfig,
      .registersPerThread = from.registers,
      .grid = size3(from.grid),
      .block = size3(from.block),
      .staticSharedMemory = from.staticShared,
      .dynamicSharedMemory = from.dynamicShared,
      .localMemoryPerThread = from.localPerThread,
      .localMemoryTotal = static_cast<std::int64_t>(from.localTotal),
      .gridId = from.gridId,
      .sharedMemoryExecuted = from.executedShared,
      .sharedMemoryLimit = from.sharedLimit,
      .graphNode = unlessZero(from.graphNode),
      .graph = unlessZero(from.graph),
      .cluster = from.cluster[0] != 0 ? std::optional(size3(from.cluster)) : std::nullopt,
  });
}

void GpuRows::copy(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::Copy>();
  const auto where = at(chunk, record.aux, from.start, from.end, from.device, from.context, from.stream);
  if (!where) return;
  const auto ofPeer = [&](std::uint32_t id) { return from.isPeer ? OptionalId(id) : std::nullopt; };
  writer_.add(report::CopyRow{.at = *where,
                              .bytes = static_cast<std::int64_t>(from.bytes),
                              .copyKind = from.copyKind,
                              .sourceKind = memoryKind(from.sourceKind),
                              .destinationKind = memoryKind(from.targetKind),
                              .sourceDevice = ofPeer(from.sourceDevice),
                              .sourceContext = ofPeer(from.sourceContext),
                              .destinationDevice = ofPeer(from.targetDevice),
                              .destinationContext = ofPeer(from.targetContext),
                              .migrationCause = {},
                              .graphNode = unlessZero(from.graphNode),
                              .virtualAddress = {},
                              .copyCount = unlessZero(from.count)});
}

void GpuRows::memset(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::Memset>();
  const auto where = at(chunk, record.aux, from.start, from.end, from.device, from.context, from.stream);
  if (!where) return;
  writer_.add(report::MemsetRow{.at = *where,
                                .value = from.value,
                                .bytes = static_cast<std::int64_t>(from.bytes),
                                .graphNode = unlessZero(from.graphNode),
                                .memoryKind = memoryKind(from.memoryKind)});
}

void GpuRows::graph(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::Graph>();
  const auto where = at(chunk, record.aux, from.start, from.end, from.device, from.context, from.stream);
  if (where) writer_.add(report::GraphTraceRow{.at = *where, .graph = from.graph, .exec = from.graphExec});
}

void GpuRows::sync(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::Sync>();
  const auto where = at(chunk, record.aux, from.start, from.end, static_cast<std::uint32_t>(deviceOf(from.context)),
                        from.context, from.stream);
  if (!where) return;
  writer_.add(report::SynchronizationRow{
      .at = *where, .type = from.type, .event = from.event, .eventSync = static_cast<std::int64_t>(from.eventSync)});
}

void GpuRows::cudaEvent(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::CudaEvent>();
  const std::uint64_t known = from.deviceTime != 0 ? from.deviceTime : from.hostTime;
  const trace::Ns time = process_.span(chunk, known, known).start;
  if (known != 0 && !process_.windows.keeps(time, time)) return;
  ++process_.events;
  writer_.add(report::CudaEventRow{.time = from.deviceTime != 0 ? OptionalId(time) : std::nullopt,
                                   .device = deviceOf(from.context),
                                   .context = from.context,
                                   .stream = from.stream,
                                   .correlation = process_.correlation(record.aux, time),
                                   .globalPid = process_.globalPid(),
                                   .event = from.event,
                                   .eventSync = static_cast<std::int64_t>(from.eventSync)});
}

}  // namespace lanescope::launch
