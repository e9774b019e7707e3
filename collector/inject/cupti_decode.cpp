// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_decode.h"

#include <cstddef>
#include <cstdlib>

#include "collector/inject/cupti_decode_memory.h"
#include "collector/inject/pci.h"

namespace lanescope::inject {
namespace {

using wire::RecordType;

// The kinds as of which versions of CUPTI their later fields exist.
constexpr std::uint32_t kHasContextParent = 23;   // 12.5
constexpr std::uint32_t kHasCopyCount = 26;       // 12.8
constexpr std::uint32_t kHasEventSync = 26;       // 12.8
constexpr std::uint32_t kHasJitThread = 26;       // 12.8
constexpr std::uint32_t kHasOverheadData = 130000;
constexpr std::uint32_t kHasDeviceLaunched = 130000;

// Offsets that older versions share; CUPTI promises that structures only grow.
static_assert(sizeof(CUpti_ActivityKernel10) == 216 && offsetof(CUpti_ActivityKernel10, clusterX) == 176 &&
              offsetof(CUpti_ActivityKernel10, isDeviceLaunched) == 208);
static_assert(sizeof(CUpti_ActivityMemcpy6) == 96 && offsetof(CUpti_ActivityMemcpy6, copyCount) == 88);
static_assert(sizeof(CUpti_ActivityMemcpyPtoP4) == 96 && sizeof(CUpti_ActivityMemset4) == 88);
static_assert(sizeof(CUpti_ActivityAPI) == 40 && sizeof(CUpti_ActivityStream) == 24);
static_assert(sizeof(CUpti_ActivitySynchronization2) == 56 &&
              offsetof(CUpti_ActivitySynchronization2, cudaEventSyncId) == 40);
static_assert(sizeof(CUpti_ActivityCudaEvent2) == 56 && offsetof(CUpti_ActivityCudaEvent2, pad) == 20);
static_assert(sizeof(CUpti_ActivityOverhead3) == 56 && sizeof(CUpti_ActivityGraphTrace2) == 56);
static_assert(sizeof(CUpti_ActivityDevice5) == 184 && sizeof(CUpti_ActivityJit2) == 72);

/// Work without a time, or that ended before it began, is kept and counted.
void checkTimes(std::uint64_t start, std::uint64_t end, DecodeContext& context) {
  if (start == 0 || end == 0 || end < start) context.losses->count(wire::LossKind::kUntimed);
}

/// What kernels, copies and memsets have in common.
template <class From, class To>
void takeWork(const From& from, To& to) {
  to.start = from.start;
  to.end = from.end;
  to.graphNode = from.graphNodeId;
  to.device = from.deviceId;
  to.context = from.contextId;
  to.stream = from.streamId;
  to.graph = from.graphId;
}

/// What both kinds of copies have in common.
template <class From>
void takeCopy(const From& from, wire::Copy& to) {
  takeWork(from, to);
  to.bytes = from.bytes;
  to.copyKind = from.copyKind;
  to.sourceKind = from.srcKind;
  to.targetKind = from.dstKind;
  to.flags = from.flags;
}

void decodeKernel(const CUpti_ActivityKernel10& from, DecodeContext& context, Chunk& chunk) {
  if (outside(from.start, context)) return;
  checkTimes(from.start, from.end, context);
  wire::Kernel to;
  chunk.makeRoom(sizeof to + Chunk::kMostOfText);
  takeWork(from, to);
  to.name = chunk.text(from.name);
  to.queued = from.queued;
  to.submitted = from.submitted;
  to.gridId = from.gridId;
  const std::int32_t grid[] = {from.gridX, from.gridY, from.gridZ}, block[] = {from.blockX, from.blockY, from.blockZ};
  const std::uint32_t cluster[] = {from.clusterX, from.clusterY, from.clusterZ};
  for (int i = 0; i < 3; ++i) {
    to.grid[i] = grid[i];
    to.block[i] = block[i];
    to.cluster[i] = static_cast<std::int32_t>(cluster[i]);
  }
  to.registers = from.registersPerThread;
  to.staticShared = static_cast<std::uint32_t>(from.staticSharedMemory);
  to.dynamicShared = static_cast<std::uint32_t>(from.dynamicSharedMemory);
  to.executedShared = from.sharedMemoryExecuted;
  to.localPerThread = from.localMemoryPerThread;
  to.localTotal = from.localMemoryTotal_v2 != 0 ? from.localMemoryTotal_v2 : from.localMemoryTotal;
  to.launchType = from.launchType;
  to.cacheConfig = from.cacheConfig.both;
  to.sharedLimit = static_cast<std::uint8_t>(from.shmemLimitConfig);
  if (context.version >= kHasDeviceLaunched) to.deviceLaunched = from.isDeviceLaunched;
  to.channel = from.channelID;
  chunk.append(to, RecordType::kKernel, from.correlationId);
}

void decodeCopy(const CUpti_ActivityMemcpy6& from, DecodeContext& context, Chunk& chunk) {
  if (outside(from.start, context)) return;
  checkTimes(from.start, from.end, context);
  wire::Copy to;
  takeCopy(from, to);
  to.count = context.version >= kHasCopyCount ? from.copyCount : 1;
  chunk.append(to, RecordType::kCopy, from.correlationId);
}

void decodePeerCopy(const CUpti_ActivityMemcpyPtoP4& from, DecodeContext& context, Chunk& chunk) {
  if (outside(from.start, context)) return;
  checkTimes(from.start, from.end, context);
  wire::Copy to;
  takeCopy(from, to);
  to.count = 1;
  to.sourceDevice = from.srcDeviceId;
  to.sourceContext = from.srcContextId;
  to.targetDevice = from.dstDeviceId;
  to.targetContext = from.dstContextId;
  to.isPeer = 1;
  chunk.append(to, RecordType::kCopy, from.correlationId);
}

void decodeMemset(const CUpti_ActivityMemset4& from, DecodeContext& context, Chunk& chunk) {
  if (outside(from.start, context)) return;
  checkTimes(from.start, from.end, context);
  wire::Memset to;
  takeWork(from, to);
  to.bytes = from.bytes;
  to.value = from.value;
  to.memoryKind = from.memoryKind;
  to.flags = from.flags;
  chunk.append(to, RecordType::kMemset, from.correlationId);
}

void decodeApi(const CUpti_ActivityAPI& from, DecodeContext& context, Chunk& chunk) {
  if (outside(from.start, context)) return;
  const bool runtime = from.kind == CUPTI_ACTIVITY_KIND_RUNTIME;
  if (context.apiLeftOut != nullptr && context.apiLeftOut(runtime, from.cbid)) return;
  wire::Api to;
  chunk.makeRoom(sizeof to + Chunk::kMostOfText);
  to.start = from.start;
  to.end = from.end;
  to.tid = from.threadId;
  to.result = from.returnValue;
  to.callback = from.cbid;
  to.domain = runtime ? 1 : 0;
  to.name = context.apiName != nullptr ? chunk.text(context.apiName(runtime, from.cbid)) : 0;
  chunk.append(to, RecordType::kApi, from.correlationId);
}

void decodeSync(const CUpti_ActivitySynchronization2& from, DecodeContext& context, Chunk& chunk) {
  if (outside(from.start, context)) return;
  wire::Sync to;
  to.start = from.start;
  to.end = from.end;
  to.context = from.contextId;
  to.stream = from.streamId;
  to.type = static_cast<std::uint32_t>(from.type);
  to.event = from.cudaEventId;
  if (context.version >= kHasEventSync) to.eventSync = from.cudaEventSyncId;
  chunk.append(to, RecordType::kSync, from.correlationId);
}

void decodeOverhead(const CUpti_ActivityOverhead3& from, DecodeContext& context, Chunk& chunk) {
  if (context.version >= kHasOverheadData) std::free(from.overheadData);
  if (outside(from.start, context)) return;
  wire::Overhead to;
  to.start = from.start;
  to.end = from.end;
  to.kind = static_cast<std::uint32_t>(from.overheadKind);
  if (from.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD) to.tid = from.objectId.pt.threadId;
  chunk.append(to, RecordType::kOverhead, 0);
}

void decodeGraph(const CUpti_ActivityGraphTrace2& from, DecodeContext& context, Chunk& chunk) {
  if (outside(from.start, context)) return;
  checkTimes(from.start, from.end, context);
  wire::Graph to;
  to.start = from.start;
  to.end = from.end;
  to.device = from.deviceId;
  to.context = from.contextId;
  to.stream = from.streamId;
  to.graph = from.graphId;
  chunk.append(to, RecordType::kGraph, from.correlationId);
}

void decodeContext(const CUpti_ActivityContext3& from, DecodeContext& context, Chunk& chunk) {
  wire::Context to;
  to.device = from.deviceId;
  to.nullStream = from.nullStreamId;
  if (context.version >= kHasContextParent) {
    to.parent = from.parentContextId;
    to.isGreen = from.isGreenContext;
  }
  chunk.append(to, RecordType::kContext, from.contextId);
}

void decodeStream(const CUpti_ActivityStream& from, Chunk& chunk) {
  wire::Stream to;
  to.context = from.contextId;
  to.flags = static_cast<std::uint32_t>(from.flag);
  to.priority = static_cast<std::int32_t>(from.priority);
  chunk.append(to, RecordType::kStream, from.streamId);
}

void decodeDevice(const CUpti_ActivityDevice5& from, DecodeContext& context, Chunk& chunk) {
  context.sawDevice = true;
  wire::Device to;
  chunk.makeRoom(sizeof to + Chunk::kMostOfText);
  to.name = chunk.text(from.name);
  std::free(const_cast<char*>(from.name));
  static_assert(sizeof to.uuid == sizeof from.uuid);
  std::memcpy(to.uuid, &from.uuid, sizeof to.uuid);
  to.memoryBytes = from.globalMemorySize;
  to.memoryBandwidth = from.globalMemoryBandwidth * 1000;
  to.constantMemory = from.constantMemorySize;
  to.computeMajor = from.computeCapabilityMajor;
  to.computeMinor = from.computeCapabilityMinor;
  to.multiprocessors = from.numMultiprocessors;
  to.coreClockKHz = from.coreClockRate;
  to.l2Bytes = from.l2CacheSize;
  to.threadsPerWarp = from.numThreadsPerWarp;
  to.maxThreadsPerBlock = from.maxThreadsPerBlock;
  to.maxWarpsPerSm = from.maxWarpsPerMultiprocessor;
  to.maxBlocksPerSm = from.maxBlocksPerMultiprocessor;
  to.maxSharedPerSm = from.maxSharedMemoryPerMultiprocessor;
  to.maxSharedPerBlock = from.maxSharedMemoryPerBlock;
  to.maxRegistersPerSm = from.maxRegistersPerMultiprocessor;
  to.maxRegistersPerBlock = from.maxRegistersPerBlock;
  const PciAddress pci = pciOf(to.uuid);
  to.pciDomain = pci.domain;
  to.pciBus = pci.bus;
  to.pciDevice = pci.device;
  const std::uint32_t block[] = {from.maxBlockDimX, from.maxBlockDimY, from.maxBlockDimZ};
  const std::uint32_t grid[] = {from.maxGridDimX, from.maxGridDimY, from.maxGridDimZ};
  std::memcpy(to.maxBlock, block, sizeof block);
  std::memcpy(to.maxGrid, grid, sizeof grid);
  chunk.append(to, RecordType::kDevice, from.id);
}

void decodeEvent(const CUpti_ActivityCudaEvent2& from, DecodeContext& context, Chunk& chunk) {
  if (context.window.nothingYet) return;
  wire::CudaEvent to;
  to.context = from.contextId;
  to.stream = from.streamId;
  to.event = from.eventId;
  if (context.version >= kHasEventSync) {
    to.eventSync = from.cudaEventSyncId;
    to.deviceTime = from.deviceTimestamp;
  }
  chunk.append(to, RecordType::kCudaEvent, from.correlationId);
}

void decodeJit(const CUpti_ActivityJit2& from, DecodeContext& context, Chunk& chunk) {
  if (outside(from.start, context)) return;
  wire::Jit to;
  to.start = from.start;
  to.end = from.end;
  if (context.version >= kHasJitThread) to.tid = from.threadId;
  to.operation = static_cast<std::uint32_t>(from.jitOperationType);
  to.entryType = static_cast<std::uint32_t>(from.jitEntryType);
  chunk.append(to, RecordType::kJit, from.correlationId);
}

template <class Activity>
const Activity& as(const CUpti_Activity* activity) {
  return *reinterpret_cast<const Activity*>(activity);
}

}  // namespace

bool outside(std::uint64_t start, const DecodeContext& context) {
  constexpr std::uint64_t kGrace = 1000000000;
  if (context.window.nothingYet) return true;
  return context.window.endedAt != ~0ull && start > context.window.endedAt + kGrace;
}

void decode(const CUpti_Activity* activity, DecodeContext& context, Chunk& chunk) {
  switch (activity->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return decodeKernel(as<CUpti_ActivityKernel10>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return decodeCopy(as<CUpti_ActivityMemcpy6>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return decodePeerCopy(as<CUpti_ActivityMemcpyPtoP4>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return decodeMemset(as<CUpti_ActivityMemset4>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return decodeApi(as<CUpti_ActivityAPI>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return decodeSync(as<CUpti_ActivitySynchronization2>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return decodeOverhead(as<CUpti_ActivityOverhead3>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
      return decodeGraph(as<CUpti_ActivityGraphTrace2>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_CONTEXT:
      return decodeContext(as<CUpti_ActivityContext3>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_STREAM:
      return decodeStream(as<CUpti_ActivityStream>(activity), chunk);
    case CUPTI_ACTIVITY_KIND_DEVICE:
      return decodeDevice(as<CUpti_ActivityDevice5>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
      return decodeEvent(as<CUpti_ActivityCudaEvent2>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_JIT:
      return decodeJit(as<CUpti_ActivityJit2>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      return decodeMemory(as<CUpti_ActivityMemory4>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
      return decodeUnifiedMemory(as<CUpti_ActivityUnifiedMemoryCounter3>(activity), context, chunk);
    case CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE:
      return;  // comes unasked with devices
    default:
      context.losses->count(wire::LossKind::kUnknownKind);
  }
}

}  // namespace lanescope::inject
