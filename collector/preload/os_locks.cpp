// SPDX-License-Identifier: Apache-2.0
// Locks, conditions and semaphores. The quick path of locks is to take what is free: no clock is read for that, 5 ns over the bare call.
// Trying does what locking does where it succeeds; where it says anything else, locking is asked, and has its own answer
// to a lock that is held by oneself or past its limit. Not so with robust mutexes: glibc's attempt at one that cannot be
// recovered leaves it locked for good.
#include <pthread.h>

#include <cerrno>
#include <ctime>

#include "collector/preload/os_recorder.h"

namespace lanescope::preload {
namespace {

Word tried(Os call, Word object) { return real(call)(object, 0, 0, 0, 0, 0); }
bool isRobust(Word mutex) {
  constexpr int kRobust = 16;  // in the kinds of every glibc
  return (reinterpret_cast<const pthread_mutex_t*>(mutex)->__data.__kind & kRobust) != 0;
}
/// As glibc itself looks before it does anything, but for before 2.25, where another number stands there that says little.
bool hasWaiters(Word condition) {
  return __atomic_load_n(&reinterpret_cast<const pthread_cond_t*>(condition)->__data.__wrefs, __ATOMIC_RELAXED) != 0;
}
bool isKnown(Word clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

}  // namespace

#define LANESCOPE_DEFINE(symbol, attempt, mayTry)                                     \
  LANESCOPE_INTERPOSE(symbol, Word, Word a, Word b, Word c, Word d, Word e, Word f) { \
    if (!recordsOs()) return real(Os::k_##symbol)(a, b, c, d, e, f);                  \
    if ((mayTry) && static_cast<std::int32_t>(tried(attempt, a)) == 0) return 0;      \
    return timed(Os::k_##symbol, a, b, c, d, e, f, __builtin_return_address(0));      \
  }
LANESCOPE_DEFINE(pthread_mutex_lock, Os::kTryLock, !isRobust(a))
LANESCOPE_DEFINE(pthread_mutex_timedlock, Os::kTryLock, !isRobust(a))
LANESCOPE_DEFINE(pthread_mutex_clocklock, Os::kTryLock, isKnown(b) && !isRobust(a))
LANESCOPE_DEFINE(pthread_rwlock_rdlock, Os::kTryReadLock, true)
LANESCOPE_DEFINE(pthread_rwlock_wrlock, Os::kTryWriteLock, true)
#undef LANESCOPE_DEFINE

#define LANESCOPE_DEFINE(symbol, isRecorded)                                          \
  LANESCOPE_INTERPOSE(symbol, Word, Word a, Word b, Word c, Word d, Word e, Word f) { \
    if (!(isRecorded)) return real(Os::k_##symbol)(a, b, c, d, e, f);                 \
    return timed(Os::k_##symbol, a, b, c, d, e, f, __builtin_return_address(0));      \
  }
LANESCOPE_DEFINE(pthread_cond_wait, recordsWait(a))
LANESCOPE_DEFINE(pthread_cond_timedwait, recordsWait(a))
LANESCOPE_DEFINE(pthread_cond_clockwait, recordsWait(a))
LANESCOPE_DEFINE(pthread_cond_signal, hasWaiters(a) && recordsOs())
LANESCOPE_DEFINE(pthread_cond_broadcast, hasWaiters(a) && recordsOs())
#undef LANESCOPE_DEFINE

/// Cancelled where the bare call is; what the attempt leaves in errno is not the program's business.
LANESCOPE_INTERPOSE(sem_wait, Word, Word a) {
  if (!recordsOs()) return real(Os::k_sem_wait)(a, 0, 0, 0, 0, 0);
  tried(Os::kTestCancel, 0);
  const int before = errno;
  if (static_cast<std::int32_t>(tried(Os::kSemaphoreTry, a)) == 0) return 0;
  errno = before;
  return timed(Os::k_sem_wait, a, 0, 0, 0, 0, 0, __builtin_return_address(0));
}

}  // namespace lanescope::preload
