// SPDX-License-Identifier: Apache-2.0
// The functions behind ours, found once at the start. What is called before that, by constructors and allocators, finds
// its own; what finding it calls itself goes straight to the kernel or the C library, because looking up allocates, and
// allocators lock. One load a call afterwards. Any thread.
#pragma once

#include <cstdint>

#include "collector/preload/door.h"
#include "collector/preload/os_table.h"

namespace lanescope::preload {

using Function = Word (*)(Word, Word, Word, Word, Word, Word);

enum class Os : std::uint32_t {
#define LANESCOPE_INDEX(symbol, name, object, result) k_##symbol,
  LANESCOPE_OS_CALLS(LANESCOPE_INDEX)
#undef LANESCOPE_INDEX
#define LANESCOPE_INDEX(symbol) k_##symbol,
      LANESCOPE_SIGNAL_CALLS(LANESCOPE_INDEX)
#undef LANESCOPE_INDEX
  // Not led through us, but needed.
  kTryLock,
  kTryReadLock,
  kTryWriteLock,
  kSemaphoreTry,
  kTestCancel,
  kSyscall,
  kExit,
  kCount,
};

/// By Os; null before it was looked up, or where this C library has none.
extern Function found[];

/// Looks it up.
Function find(Os call);
void findAll();

inline Function real(Os call) {
  const Function function = __atomic_load_n(&found[static_cast<std::uint32_t>(call)], __ATOMIC_RELAXED);
  return __builtin_expect(function != nullptr, 1) ? function : find(call);
}

}  // namespace lanescope::preload
