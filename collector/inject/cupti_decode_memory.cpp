// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_decode_memory.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

namespace lanescope::inject {

using wire::RecordType;

// What older versions lack stands at the end: the source of an allocation, and the processors of a fault.
static_assert(sizeof(CUpti_ActivityMemory4) == 128 && offsetof(CUpti_ActivityMemory4, memoryPoolConfig) == 80);
static_assert(sizeof(CUpti_ActivityUnifiedMemoryCounter3) == 104 &&
              offsetof(CUpti_ActivityUnifiedMemoryCounter3, flags) == 56);

void decodeMemory(const CUpti_ActivityMemory4& from, DecodeContext& context, Chunk& chunk) {
  if (outside(from.timestamp, context)) return;
  wire::Memory to;
  to.time = from.timestamp;
  to.address = from.address;
  to.bytes = from.bytes;
  to.pc = from.PC;
  to.device = from.deviceId;
  to.context = from.contextId;
  to.stream = from.streamId;
  to.operation = static_cast<std::uint8_t>(from.memoryOperationType);
  to.memoryKind = static_cast<std::uint8_t>(from.memoryKind);
  to.isAsync = from.isAsync != 0;
  const auto& pool = from.memoryPoolConfig;
  to.poolType = static_cast<std::uint8_t>(pool.memoryPoolType);
  if (to.poolType != CUPTI_ACTIVITY_MEMORY_POOL_TYPE_INVALID) {
    to.poolAddress = pool.address;
    to.poolReleaseThreshold = pool.releaseThreshold;
    to.poolSize = pool.pool.size;
    to.poolUtilized = pool.utilizedSize;
  }
  chunk.append(to, RecordType::kMemory, from.correlationId);
}

void decodeUnifiedMemory(const CUpti_ActivityUnifiedMemoryCounter3& from, DecodeContext& context, Chunk& chunk) {
  if (outside(from.start, context)) return;
  wire::UnifiedMemory to;
  chunk.makeRoom(sizeof to + 2 * Chunk::kMostOfText);
  to.start = from.start;
  to.end = from.end;
  to.value = from.value;
  to.address = from.address;
  to.kind = static_cast<std::uint32_t>(from.counterKind);
  to.source = from.srcId;
  to.target = from.dstId;
  to.flags = from.flags;
  Dl_info place = {};
  if (to.kind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT &&
      dladdr(reinterpret_cast<const void*>(from.value), &place) != 0) {
    to.function = chunk.text(place.dli_sname);
    to.module = chunk.text(place.dli_fname);
    to.moduleBase = reinterpret_cast<std::uintptr_t>(place.dli_fbase);
  }
  chunk.append(to, RecordType::kUnifiedMemory, 0);
}

}  // namespace lanescope::inject
