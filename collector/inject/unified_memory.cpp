// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/unified_memory.h"

#include <atomic>

#include "collector/inject/cupti_trouble.h"

namespace lanescope::inject {

void startUnifiedMemory(const CuptiLibrary& library, const Options& options) {
  static std::atomic<bool> begun{false};
  if ((options.kinds & (kKindCpuFaults | kKindGpuFaults)) == 0 || begun.load(std::memory_order_relaxed)) return;
  if (begun.exchange(true)) return;
  if (library.cuptiActivityConfigureUnifiedMemoryCounter == nullptr) return;
  using Kind = CUpti_ActivityUnifiedMemoryCounterKind;
  constexpr struct {
    Kind kind;
    std::uint32_t bits;
  } kCounters[] = {{CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD, kKindCpuFaults | kKindGpuFaults},
                   {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH, kKindCpuFaults | kKindGpuFaults},
                   {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD, kKindCpuFaults | kKindGpuFaults},
                   {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT, kKindCpuFaults},
                   {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT, kKindGpuFaults}};
  CUpti_ActivityUnifiedMemoryCounterConfig configs[5];
  std::uint32_t count = 0;
  for (const auto& counter : kCounters) {
    if ((options.kinds & counter.bits) == 0) continue;
    configs[count++] = {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES, counter.kind, 0, 1};
  }
  CUptiResult result = library.cuptiActivityConfigureUnifiedMemoryCounter(configs, count);
  if (result == CUPTI_SUCCESS) result = library.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  if (result != CUPTI_SUCCESS) tellKindRefused(library, "unified memory", result);
}

}  // namespace lanescope::inject
