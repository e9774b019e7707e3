// SPDX-License-Identifier: Apache-2.0
// libcupti, found at run time and never linked: the copy that the process already has comes before all others, because
// two of them in one process is undefined. What an older copy lacks is null in the table.
#pragma once

#include <cupti.h>

#include <cstdint>

namespace lanescope::inject {

#define LANESCOPE_CUPTI_NEEDED(X)   \
  X(cuptiGetVersion)                \
  X(cuptiGetResultString)           \
  X(cuptiSubscribe)                 \
  X(cuptiEnableCallback)            \
  X(cuptiEnableDomain)              \
  X(cuptiActivityRegisterCallbacks) \
  X(cuptiActivityEnable)            \
  X(cuptiActivityFlushAll)          \
  X(cuptiActivityGetNextRecord) X(cuptiActivityGetNumDroppedRecords) X(cuptiActivitySetAttribute)
#define LANESCOPE_CUPTI_OPTIONAL(X)               \
  X(cuptiSubscribe_v2)                            \
  X(cuptiSetThreadIdType)                         \
  X(cuptiActivityEnableRuntimeApi)                \
  X(cuptiActivityEnableDriverApi)                 \
  X(cuptiActivityEnableLatencyTimestamps)         \
  X(cuptiActivityEnableAndDump)                   \
  X(cuptiActivityConfigureUnifiedMemoryCounter)   \
  X(cuptiActivityEnableCudaEventDeviceTimestamps) \
  X(cuptiActivityEnableAllSyncRecords) X(cuptiGetCallbackName) X(cuptiGetStreamIdEx) X(cuptiGetContextId)

struct CuptiLibrary {
// NOLINTNEXTLINE(bugprone-macro-parentheses): it is a name
#define LANESCOPE_MEMBER(function) decltype(&::function) function = nullptr;
  LANESCOPE_CUPTI_NEEDED(LANESCOPE_MEMBER)
  LANESCOPE_CUPTI_OPTIONAL(LANESCOPE_MEMBER)
#undef LANESCOPE_MEMBER
  void* handle = nullptr;
  bool wasLoaded = false;  ///< by the program
  std::uint32_t version = 0;
  char path[1024] = {};
};

/// Calls `use` with one candidate after the other until it returns true. `chosen` is the launcher's choice or empty.
bool findCupti(const char* chosen, CuptiLibrary& library, bool (*use)(CuptiLibrary& library));

/// How many copies the process has, and their paths, comma-separated.
int countCuptiCopies(char* paths, std::size_t size);

}  // namespace lanescope::inject
