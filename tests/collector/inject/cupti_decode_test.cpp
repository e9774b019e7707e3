// SPDX-License-Identifier: Apache-2.0
// Hand-filled records of CUPTI, every kind, through the decoder: each field lands where the stream has its place.
#include "collector/inject/cupti_decode.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "tests/collector/inject/recorded.h"

namespace lanescope::inject {
namespace {

using test::Recorded;
using wire::LossKind;
using wire::RecordType;

/// Fields that no activity of a test names hold a pattern, so that a field taken from elsewhere is seen.
template <class Activity>
Activity filled(CUpti_ActivityKind kind) {
  Activity activity;
  std::memset(static_cast<void*>(&activity), 0x6E, sizeof activity);
  activity.kind = kind;
  return activity;
}

struct Decoder {
  Losses losses;
  DecodeContext context;
  std::unique_ptr<Chunk> chunk = std::make_unique<Chunk>();
  std::vector<std::string> chunks;

  Decoder() {
    context.losses = &losses;
    chunk->begin([](void* to, const char* bytes,
                    std::uint32_t count) { static_cast<Decoder*>(to)->chunks.emplace_back(bytes, count); },
                 this);
  }
  template <class Activity>
  Decoder& operator<<(const Activity& activity) {
    decode(reinterpret_cast<const CUpti_Activity*>(&activity), context, *chunk);
    return *this;
  }
  std::vector<Recorded> all() {
    chunk->finish();
    std::vector<Recorded> found;
    for (const std::string& bytes : chunks) {
      for (std::size_t at = 0; at < bytes.size();) {
        Recorded record;
        std::memcpy(&record.header, bytes.data() + at, sizeof record.header);
        record.bytes = bytes.substr(at, record.header.size);
        at += record.header.size;
        found.push_back(record);
      }
    }
    return found;
  }
  /// The last record as what it must be.
  template <class Record>
  Record last(RecordType type, std::uint32_t aux) {
    const std::vector<Recorded> found = all();
    if (found.empty()) {
      ADD_FAILURE() << "nothing was decoded";
      return {};
    }
    EXPECT_EQ(found.back().header.type, type);
    EXPECT_EQ(found.back().header.aux, aux);
    EXPECT_EQ(found.back().header.size, sizeof(Record));
    return found.back().as<Record>();
  }
};

CUpti_ActivityKernel10 kernelOf(std::uint64_t start, std::uint64_t end, const char* name = "_Z1kv") {
  auto kernel = filled<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  kernel.start = start;
  kernel.end = end;
  kernel.name = name;
  return kernel;
}

TEST(Decode, AKernelKeepsEveryFieldOfItsLaunch) {
  auto kernel = kernelOf(1000, 2000);
  kernel.correlationId = 77;
  kernel.deviceId = 1;
  kernel.contextId = 2;
  kernel.streamId = 3;
  kernel.graphId = 4;
  kernel.graphNodeId = 5;
  kernel.queued = 6;
  kernel.submitted = 7;
  kernel.gridId = -8;
  kernel.gridX = 9, kernel.gridY = 10, kernel.gridZ = 11;
  kernel.blockX = 12, kernel.blockY = 13, kernel.blockZ = 14;
  kernel.clusterX = 15, kernel.clusterY = 16, kernel.clusterZ = 17;
  kernel.registersPerThread = 18;
  kernel.staticSharedMemory = 19;
  kernel.dynamicSharedMemory = 20;
  kernel.sharedMemoryExecuted = 21;
  kernel.localMemoryPerThread = 22;
  kernel.localMemoryTotal_v2 = 1ull << 33;
  kernel.launchType = 1;
  kernel.cacheConfig.both = 0x21;
  kernel.shmemLimitConfig = CUPTI_FUNC_SHMEM_LIMIT_OPTIN;
  kernel.isDeviceLaunched = 1;
  kernel.channelID = 23;
  Decoder decoder;
  decoder << kernel;
  const auto all = decoder.all();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].bytes.substr(sizeof(wire::String), all[0].header.aux), "_Z1kv");
  const auto to = decoder.last<wire::Kernel>(RecordType::kKernel, 77);
  EXPECT_EQ(to.name, all[0].as<wire::String>().id);
  EXPECT_EQ(to.start, 1000u);
  EXPECT_EQ(to.end, 2000u);
  EXPECT_EQ(to.device, 1u);
  EXPECT_EQ(to.context, 2u);
  EXPECT_EQ(to.stream, 3u);
  EXPECT_EQ(to.graph, 4u);
  EXPECT_EQ(to.graphNode, 5u);
  EXPECT_EQ(to.queued, 6u);
  EXPECT_EQ(to.submitted, 7u);
  EXPECT_EQ(to.gridId, -8);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(to.grid[i], 9 + i);
    EXPECT_EQ(to.block[i], 12 + i);
    EXPECT_EQ(to.cluster[i], 15 + i);
  }
  EXPECT_EQ(to.registers, 18u);
  EXPECT_EQ(to.staticShared, 19u);
  EXPECT_EQ(to.dynamicShared, 20u);
  EXPECT_EQ(to.executedShared, 21u);
  EXPECT_EQ(to.localPerThread, 22u);
  EXPECT_EQ(to.localTotal, 1ull << 33);
  EXPECT_EQ(to.launchType, 1);
  EXPECT_EQ(to.cacheConfig, 0x21);
  EXPECT_EQ(to.sharedLimit, 1);
  EXPECT_EQ(to.deviceLaunched, 1);
  EXPECT_EQ(to.channel, 23u);
}

TEST(Decode, CopiesMemsetsAndPeerCopiesKeepWhereFromAndWhereTo) {
  auto copy = filled<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
  copy.start = 1, copy.end = 2, copy.bytes = 3;
  copy.copyKind = 1, copy.srcKind = 2, copy.dstKind = 3, copy.flags = 1;
  copy.deviceId = 4, copy.contextId = 5, copy.streamId = 6, copy.graphId = 7, copy.graphNodeId = 8;
  copy.copyCount = 9, copy.correlationId = 10;
  Decoder decoder;
  auto to = (decoder << copy).last<wire::Copy>(RecordType::kCopy, 10);
  EXPECT_EQ(std::tuple(to.start, to.end, to.bytes, to.count, to.graphNode), std::tuple(1u, 2u, 3u, 9u, 8u));
  EXPECT_EQ(std::tuple(to.device, to.context, to.stream, to.graph), std::tuple(4u, 5u, 6u, 7u));
  EXPECT_EQ(std::tuple(to.copyKind, to.sourceKind, to.targetKind, to.flags, to.isPeer), std::tuple(1, 2, 3, 1, 0));

  auto peer = filled<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2);
  peer.start = 1, peer.end = 2, peer.bytes = 3, peer.correlationId = 11;
  peer.srcDeviceId = 4, peer.srcContextId = 5, peer.dstDeviceId = 6, peer.dstContextId = 7;
  to = (decoder << peer).last<wire::Copy>(RecordType::kCopy, 11);
  EXPECT_EQ(std::tuple(to.sourceDevice, to.sourceContext, to.targetDevice, to.targetContext),
            std::tuple(4u, 5u, 6u, 7u));
  EXPECT_EQ(to.isPeer, 1);

  auto set = filled<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
  set.start = 1, set.end = 2, set.bytes = 3, set.value = 4, set.memoryKind = 5, set.flags = 6, set.correlationId = 12;
  const auto toSet = (decoder << set).last<wire::Memset>(RecordType::kMemset, 12);
  EXPECT_EQ(std::tuple(toSet.bytes, toSet.value, toSet.memoryKind, toSet.flags), std::tuple(3u, 4u, 5, 6));
  EXPECT_EQ(decoder.losses.of(LossKind::kUntimed), 0u);
}

TEST(Decode, CallsAreNamedAndTheNoisyLeftOut) {
  Decoder decoder;
  decoder.context.apiName = [](bool runtime, std::uint32_t) { return runtime ? "cudaCall_v1" : "cuCall"; };
  decoder.context.apiLeftOut = [](bool, std::uint32_t callback) { return callback == 5; };
  auto call = filled<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
  call.start = 1, call.end = 2, call.threadId = 3, call.returnValue = 4, call.cbid = 6, call.correlationId = 7;
  auto to = (decoder << call).last<wire::Api>(RecordType::kApi, 7);
  EXPECT_EQ(std::tuple(to.start, to.end, to.tid, to.result, to.callback, to.domain),
            std::tuple(1u, 2u, 3u, 4u, 6u, 1u));
  EXPECT_NE(to.name, 0u);
  call.kind = CUPTI_ACTIVITY_KIND_DRIVER;
  EXPECT_EQ((decoder << call).last<wire::Api>(RecordType::kApi, 7).domain, 0u);
  const std::size_t before = decoder.all().size();
  call.cbid = 5;
  EXPECT_EQ((decoder << call).all().size(), before);
}

TEST(Decode, AllocationsAreKeptWithTheirPool) {
  Decoder decoder;
  auto memory = filled<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2);
  memory.timestamp = 1, memory.address = 2, memory.bytes = 3, memory.PC = 4, memory.deviceId = 5, memory.contextId = 6;
  memory.streamId = 7, memory.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
  memory.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, memory.isAsync = 1, memory.correlationId = 8;
  memory.memoryPoolConfig.memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL;
  memory.memoryPoolConfig.address = 9, memory.memoryPoolConfig.releaseThreshold = 10;
  memory.memoryPoolConfig.pool.size = 11, memory.memoryPoolConfig.utilizedSize = 12;
  const auto to = (decoder << memory).last<wire::Memory>(RecordType::kMemory, 8);
  EXPECT_EQ(std::tuple(to.time, to.address, to.bytes, to.pc, to.device, to.context, to.stream),
            std::tuple(1u, 2u, 3u, 4u, 5u, 6u, 7u));
  EXPECT_EQ(std::tuple(to.operation, to.memoryKind, to.isAsync, to.poolType), std::tuple(2, 3, 1, 1));
  EXPECT_EQ(std::tuple(to.poolAddress, to.poolReleaseThreshold, to.poolSize, to.poolUtilized),
            std::tuple(9u, 10u, 11u, 12u));
}

TEST(Decode, APageFaultOfTheCpuSaysWhereInTheProgram) {
  Decoder decoder;
  auto fault = filled<CUpti_ActivityUnifiedMemoryCounter3>(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  fault.counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT;
  fault.value = reinterpret_cast<std::uint64_t>(&std::fwrite), fault.start = 2, fault.address = 3;
  auto to = (decoder << fault).last<wire::UnifiedMemory>(RecordType::kUnifiedMemory, 0);
  EXPECT_EQ(std::tuple(to.kind, to.start, to.address), std::tuple(3u, 2u, 3u));
  EXPECT_NE(to.function, 0u);
  EXPECT_NE(to.module, 0u);
  EXPECT_EQ(*reinterpret_cast<const char*>(to.moduleBase), '\x7f') << "an ELF file begins there";

  auto moved = filled<CUpti_ActivityUnifiedMemoryCounter3>(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  moved.counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
  moved.value = 4096, moved.start = 2, moved.end = 5, moved.srcId = 6, moved.dstId = 7, moved.flags = 1;
  to = (decoder << moved).last<wire::UnifiedMemory>(RecordType::kUnifiedMemory, 0);
  EXPECT_EQ(std::tuple(to.start, to.end, to.value, to.source, to.target, to.flags, to.function),
            std::tuple(2u, 5u, 4096u, 6u, 7u, 1u, 0u));
}

TEST(Decode, SynchronisationsGraphsEventsOverheadsAndCompilationsAreKept) {
  Decoder decoder;
  auto sync = filled<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  sync.start = 1, sync.end = 2, sync.contextId = 3, sync.streamId = 4, sync.cudaEventId = 5, sync.cudaEventSyncId = 6;
  sync.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT, sync.correlationId = 7;
  const auto toSync = (decoder << sync).last<wire::Sync>(RecordType::kSync, 7);
  EXPECT_EQ(std::tuple(toSync.context, toSync.stream, toSync.event, toSync.eventSync, toSync.type),
            std::tuple(3u, 4u, 5u, 6u, 2u));

  auto graph = filled<CUpti_ActivityGraphTrace2>(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  graph.start = 1, graph.end = 2, graph.graphId = 3, graph.deviceId = 4, graph.contextId = 5, graph.streamId = 6;
  graph.correlationId = 8;
  const auto toGraph = (decoder << graph).last<wire::Graph>(RecordType::kGraph, 8);
  EXPECT_EQ(std::tuple(toGraph.graph, toGraph.device, toGraph.context, toGraph.stream), std::tuple(3u, 4u, 5u, 6u));

  auto event = filled<CUpti_ActivityCudaEvent2>(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
  event.contextId = 1, event.streamId = 2, event.eventId = 3, event.cudaEventSyncId = 4, event.deviceTimestamp = 5;
  event.correlationId = 9;
  const auto toEvent = (decoder << event).last<wire::CudaEvent>(RecordType::kCudaEvent, 9);
  EXPECT_EQ(std::tuple(toEvent.context, toEvent.stream, toEvent.event, toEvent.eventSync, toEvent.deviceTime),
            std::tuple(1u, 2u, 3u, 4u, 5u));

  auto overhead = filled<CUpti_ActivityOverhead3>(CUPTI_ACTIVITY_KIND_OVERHEAD);
  overhead.start = 1, overhead.end = 2, overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH;
  overhead.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD, overhead.objectId.pt.threadId = 3;
  overhead.overheadData = std::malloc(8);  // ours to free: the address sanitizer would tell
  const auto toOverhead = (decoder << overhead).last<wire::Overhead>(RecordType::kOverhead, 0);
  EXPECT_EQ(std::tuple(toOverhead.kind, toOverhead.tid), std::tuple(1u << 16, 3u));

  auto jit = filled<CUpti_ActivityJit2>(CUPTI_ACTIVITY_KIND_JIT);
  jit.start = 1, jit.end = 2, jit.threadId = 3, jit.correlationId = 10;
  jit.jitOperationType = CUPTI_ACTIVITY_JIT_OPERATION_COMPILE, jit.jitEntryType = CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN;
  const auto toJit = (decoder << jit).last<wire::Jit>(RecordType::kJit, 10);
  EXPECT_EQ(std::tuple(toJit.tid, toJit.operation, toJit.entryType), std::tuple(3u, 3u, 1u));
}

TEST(Decode, DevicesContextsAndStreamsAreDescribed) {
  Decoder decoder;
  auto context = filled<CUpti_ActivityContext3>(CUPTI_ACTIVITY_KIND_CONTEXT);
  context.contextId = 1, context.deviceId = 2, context.nullStreamId = 7, context.parentContextId = 3;
  context.isGreenContext = 1;
  const auto toContext = (decoder << context).last<wire::Context>(RecordType::kContext, 1);
  EXPECT_EQ(std::tuple(toContext.device, toContext.nullStream, toContext.parent, toContext.isGreen),
            std::tuple(2u, 7u, 3u, 1u));

  auto stream = filled<CUpti_ActivityStream>(CUPTI_ACTIVITY_KIND_STREAM);
  stream.contextId = 1, stream.streamId = 13, stream.priority = static_cast<std::uint32_t>(-5);
  stream.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
  const auto toStream = (decoder << stream).last<wire::Stream>(RecordType::kStream, 13);
  EXPECT_EQ(std::tuple(toStream.context, toStream.priority), std::tuple(1u, -5));

  auto device = filled<CUpti_ActivityDevice5>(CUPTI_ACTIVITY_KIND_DEVICE);
  device.id = 4;
  device.name = strdup("GPU of the test");
  device.globalMemoryBandwidth = 3352320000;
  device.globalMemorySize = 80ull << 30;
  device.numMultiprocessors = 132;
  device.computeCapabilityMajor = 9, device.computeCapabilityMinor = 0;
  device.maxBlockDimX = 1024, device.maxGridDimZ = 65535;
  std::memset(&device.uuid, 5, sizeof device.uuid);
  const auto toDevice = (decoder << device).last<wire::Device>(RecordType::kDevice, 4);
  EXPECT_EQ(toDevice.memoryBandwidth, 3352320000000ull);
  EXPECT_EQ(toDevice.memoryBytes, 80ull << 30);
  EXPECT_EQ(std::tuple(toDevice.multiprocessors, toDevice.computeMajor, toDevice.computeMinor),
            std::tuple(132u, 9u, 0u));
  EXPECT_EQ(std::tuple(toDevice.maxBlock[0], toDevice.maxGrid[2]), std::tuple(1024u, 65535u));
  EXPECT_EQ(toDevice.uuid[15], 5);
  EXPECT_TRUE(decoder.context.sawDevice);
}

TEST(Decode, WorkWithoutATimeIsKeptAndCounted) {
  Decoder decoder;
  decoder << kernelOf(0, 0) << kernelOf(20, 10) << kernelOf(10, 20);
  EXPECT_EQ(decoder.losses.of(LossKind::kUntimed), 2u);
  EXPECT_EQ(decoder.all().size(), 4u);  // with the name
}

TEST(Decode, AnUnknownKindIsCountedAndNotGuessed) {
  Decoder decoder;
  auto strange = filled<CUpti_ActivityAPI>(static_cast<CUpti_ActivityKind>(99));
  decoder << strange;
  EXPECT_EQ(decoder.losses.of(LossKind::kUnknownKind), 1u);
  EXPECT_TRUE(decoder.all().empty());
}

TEST(Decode, FieldsThatAnOlderLibraryDoesNotWriteAreNotRead) {
  Decoder decoder;
  decoder.context.version = 20;
  auto copy = filled<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
  copy.start = 1, copy.end = 2, copy.correlationId = 3;
  EXPECT_EQ((decoder << copy).last<wire::Copy>(RecordType::kCopy, 3).count, 1u);
  auto sync = filled<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  sync.start = 1, sync.correlationId = 4;
  EXPECT_EQ((decoder << sync).last<wire::Sync>(RecordType::kSync, 4).eventSync, 0u);
  auto overhead = filled<CUpti_ActivityOverhead3>(CUPTI_ACTIVITY_KIND_OVERHEAD);
  overhead.start = 1;
  decoder << overhead;  // its data is no pointer, and is not freed
  auto context = filled<CUpti_ActivityContext3>(CUPTI_ACTIVITY_KIND_CONTEXT);
  context.contextId = 1;
  EXPECT_EQ((decoder << context).last<wire::Context>(RecordType::kContext, 1).parent, 0u);
  auto kernel = kernelOf(1, 2);
  kernel.correlationId = 5;
  EXPECT_EQ((decoder << kernel).last<wire::Kernel>(RecordType::kKernel, 5).deviceLaunched, 0u);
}

TEST(Decode, EveryChunkHasTheNamesOfItsOwnRecords) {
  Decoder decoder;
  const std::string first(3000, 'a'), second(16000, 'b');
  for (int i = 0; i < 4000; ++i) decoder << kernelOf(1, 2, i % 2 == 0 ? first.c_str() : second.c_str());
  decoder.all();
  ASSERT_GT(decoder.chunks.size(), 2u);
  for (const std::string& bytes : decoder.chunks) {
    EXPECT_LE(bytes.size(), Chunk::kBytes);
    std::size_t strings = 0;
    for (std::size_t at = 0; at < bytes.size();) {
      wire::RecordHeader header;
      std::memcpy(&header, bytes.data() + at, sizeof header);
      strings += header.type == RecordType::kString ? 1 : 0;
      at += header.size;
    }
    EXPECT_EQ(strings, 2u);
  }
}

TEST(Decode, WhatIsOutsideOfEveryCaptureIsLeftOutButDescriptions) {
  Decoder decoder;
  decoder.context.window.nothingYet = true;
  auto context = filled<CUpti_ActivityContext3>(CUPTI_ACTIVITY_KIND_CONTEXT);
  context.contextId = 1;
  decoder << kernelOf(10, 20) << context;
  EXPECT_EQ(decoder.all().size(), 1u);
  decoder.context.window = {false, 5000000000};
  decoder << kernelOf(5900000000, 5900000001) << kernelOf(6100000000, 6100000001);
  EXPECT_EQ(decoder.all().size(), 3u);  // the description, a name and one kernel
}

}  // namespace
}  // namespace lanescope::inject
