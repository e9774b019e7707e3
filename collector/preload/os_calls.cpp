// SPDX-License-Identifier: Apache-2.0
// What the program calls instead: every line of the table but those of os_locks.cpp, syscall() and _exit().
#include <linux/futex.h>
#include <sys/syscall.h>

#include <bit>

#include "collector/preload/os_recorder.h"

namespace lanescope::preload {
namespace {

using Syscall = Word (*)(Word, Word, Word, Word, Word, Word, Word);

/// Whether it is a wait on a futex, for a call that takes its number as the first argument.
bool waits(Word number, Word operation) {
  if (number != SYS_futex) return false;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
      return true;
    default:
      return false;
  }
}

}  // namespace

#define LANESCOPE_DEFINE(symbol, name, object, result)                                \
  LANESCOPE_INTERPOSE(symbol, Word, Word a, Word b, Word c, Word d, Word e, Word f) { \
    if (!recordsOs()) return real(Os::k_##symbol)(a, b, c, d, e, f);                  \
    return timed(Os::k_##symbol, a, b, c, d, e, f, __builtin_return_address(0));      \
  }
LANESCOPE_TIMED_OS_CALLS(LANESCOPE_DEFINE)
#undef LANESCOPE_DEFINE

namespace {

/// Python's workers end like this, all of them. Not if it is within a call that is recorded: who is in it may hold anything.
[[noreturn]] void end(Word status) {
  const Recorder* to = __atomic_load_n(&recorder, __ATOMIC_ACQUIRE);
  const Call mine;
  if (to != nullptr && mine.isOutermost()) to->ending();
  for (;;) real(Os::kExit)(status, 0, 0, 0, 0, 0);
}

}  // namespace

LANESCOPE_INTERPOSE(_exit, void, Word status) { end(status); }
LANESCOPE_INTERPOSE(_Exit, void, Word status) { end(status); }

/// Also where nothing is captured: a program with threads has ours.
LANESCOPE_INTERPOSE(pthread_create, Word, Word a, Word b, Word c, Word d) {
  const Word result = recordsOs() ? timed(Os::k_pthread_create, a, b, c, d, 0, 0, __builtin_return_address(0))
                                  : real(Os::k_pthread_create)(a, b, c, d, 0, 0);
  const Recorder* to = __atomic_load_n(&recorder, __ATOMIC_ACQUIRE);
  const auto from = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (to != nullptr && (from < to->codeStart || from >= to->codeEnd)) to->mayAllocate(true);
  return result;
}

/// Whoever waits on futexes by hand; all other numbers go straight through.
LANESCOPE_INTERPOSE(syscall, Word, Word number, Word a, Word b, Word c, Word d, Word e, Word f) {
  const auto function = std::bit_cast<Syscall>(real(Os::kSyscall));
  if (!waits(number, b) || !recordsOs()) return function(number, a, b, c, d, e, f);
  const Call mine;
  if (!mine.isOutermost()) return function(number, a, b, c, d, e, f);
  const std::uint64_t start = now();
  const Word result = function(number, a, b, c, d, e, f);
  note({"futex", start, now(), static_cast<std::int64_t>(result), a, nullptr,
        reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))});
  mine.end();
  return result;
}

}  // namespace lanescope::preload
