// SPDX-License-Identifier: Apache-2.0
// The library in this process: started once, at the first event, and once more in a forked child. Whether a fork lies
// between is read from a page that the kernel wipes in children, so that it works where fork handlers do not run.
// threadRing is two loads and a comparison; everything here may be called by any thread at any time.
#pragma once

#include <cstdint>

#include "collector/inject/futex.h"
#include "collector/inject/session.h"

namespace lanescope::inject {

/// All zero in a forked child.
struct ForkPage {
  std::uint32_t epoch;  ///< of the session that is alive here, 0 none
  Lock starting;
  Session* session;
};
extern std::atomic<ForkPage*> forkPagePointer;  // NOLINT(bugprone-dynamic-static-initializers): it is constant
inline ForkPage& forkPage() { return *forkPagePointer.load(std::memory_order_acquire); }

struct ThisThread {
  ThreadRing* ring;
  std::uint32_t epoch;      ///< of the session that the ring belongs to
  std::uint32_t callDepth;  ///< CUDA calls under way
  std::uint32_t own;        ///< it works for us: what it asks of the system is not the program's doing
  std::uint32_t starting;   ///< it opens a session right now, and must not come here again
};
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers): it is zero
extern __thread ThisThread thisThread __attribute__((tls_model("initial-exec")));

ThreadRing* threadRingSlow();

/// The ring of the calling thread; null if there is none to be had, which is counted.
inline ThreadRing* threadRing() {
  const std::uint32_t epoch = __atomic_load_n(&forkPage().epoch, __ATOMIC_RELAXED);
  if (__builtin_expect(thisThread.ring != nullptr && thisThread.epoch == epoch, 1)) return thisThread.ring;
  return threadRingSlow();
}

/// For events that may come from anywhere, also from within the program's allocator: opens the session without threads,
/// which come later (startThreadsIfDue). A child has none before it is 10 ms old, so that what is between fork and exec
/// leaves nothing.
ThreadRing* hostRingSlow();
inline ThreadRing* hostRing() {
  const std::uint32_t epoch = __atomic_load_n(&forkPage().epoch, __ATOMIC_RELAXED);
  if (__builtin_expect(thisThread.ring != nullptr && thisThread.epoch == epoch, 1)) return thisThread.ring;
  return hostRingSlow();
}

/// While it lives, the calling thread works for us.
class OwnCalls {
 public:
  OwnCalls() { ++thisThread.own; }
  ~OwnCalls() { --thisThread.own; }
  OwnCalls(const OwnCalls&) = delete;
  OwnCalls& operator=(const OwnCalls&) = delete;
};

/// The recording of this process, started if need be; null when there is none.
Session* startedSession();
/// The same, but without threads: rings are emptied when they are full, and at the end.
Session* openedSession();
/// Where memory may be allocated: starts the threads of a session that has none, at once or when it has lived a while,
/// because some short programs must stay single-threaded.
void startThreadsIfDue(bool now);
/// The recording if it is under way.
inline Session* session() {
  ForkPage& page = forkPage();
  return __atomic_load_n(&page.epoch, __ATOMIC_ACQUIRE) != 0 ? page.session : nullptr;
}

/// Asks for `finishProcess` at exit once more. What asks last goes first, so this is called whenever something else has
/// come that takes itself down at exit: CUPTI when it was loaded, the driver when it made its first context.
void finishAtExit();
/// Everything to disk, and the mark that the process ended in order. Later events stay in the rings.
void finishProcess();

void wakeWriter();
/// Session::makeRoom of the session that the ring belongs to.
bool makeRingRoom(ThreadRing& ring);
/// Something to tell the user: 0 information, 1 warning, 2 error.
void tellUser(std::uint32_t severity, const char* text);

std::uint32_t threadId();

}  // namespace lanescope::inject
