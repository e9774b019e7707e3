// SPDX-License-Identifier: Apache-2.0
// What a CUDA call does to the thread that makes it, by its name (with or without CUPTI's version, runtime and driver
// alike), and by the memory that an asynchronous copy of it touches. Pure but for HostCalls, which remembers names.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "model/analysis/report_input.h"

namespace lanescope::analysis {

enum class CallKind : std::uint8_t {
  kSynchronization,  ///< waits for work that was issued before: cudaStreamSynchronize and its like
  kCopy,             ///< a copy that blocks: no "Async" in the name
  kMemset,           ///< likewise a memset, which blocks only if it is not of the device's own memory
  kLoading,          ///< brings code to the GPU: cuModuleLoadData, cuLibraryLoadData and their like
  kStreamWait,       ///< lets a stream wait for an event; the host goes on
  kOther,
};

CallKind callKindOf(std::string_view name);

/// The calls of a trace. One thread.
class HostCalls {
 public:
  explicit HostCalls(const ReportInput& input);

  CallKind kindOf(trace::EventRef call);

  /// True for a call that held its thread until memory was copied: a synchronous one, or an asynchronous one from or
  /// to pageable memory.
  bool blocksForMemory(trace::EventRef call);

 private:
  const trace::Trace& trace_;
  std::unordered_map<trace::NameId, CallKind> kinds_;
  std::unordered_set<trace::EventId> pageable_;  // calls
};

/// Values of ENUM_CUDA_MEM_KIND (facts 4.5).
inline constexpr std::int64_t kPageableMemory = 0;
inline constexpr std::string_view kCopyTable = "CUPTI_ACTIVITY_KIND_MEMCPY";

/// True for the lane of a migration of unified memory, which no call asked for (copyKind 11 to 13, facts 4.5).
constexpr bool isMigration(const trace::LaneInfo& info) {
  return info.kind == trace::EventKind::kCopy && info.copyKind >= 11 && info.copyKind <= 13;
}

}  // namespace lanescope::analysis
