// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/process.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <new>

#include "collector/inject/capture.h"
#include "collector/inject/clock.h"
#include "collector/inject/cupti_session.h"
#include "collector/inject/definitions.h"
#include "collector/inject/memory.h"
#include "collector/inject/python_here.h"
#include "collector/inject/text.h"
#include "collector/inject/thread_names.h"
#include "collector/inject/threads.h"

namespace lanescope::inject {
namespace {

ForkPage beforeStart;              // epoch 0: whoever asks goes the slow way
std::atomic<bool> disabled{false};  // no recording asked for, or none possible
std::atomic<std::uint32_t> lastEpoch{0};
pthread_key_t threadGoneKey;
std::atomic<std::uint32_t> onceDone{0};

/// Of the process that called fork; private memory, so that the child still sees it.
Session* lastSession = nullptr;
/// Of the last session that was opened here or in the process that called fork: shared with everybody.
std::atomic<wire::ControlPage*> control{nullptr};
/// When this process was forked; 0 if it was not.
std::uint64_t forkedAt = 0;

/// A range that is left open ends with its thread, which only the thread can tell.
void tellOfOpenRanges(ThreadRing& ring) {
  const auto isOpen = [](std::uint32_t depth) { return depth != 0; };
  if (std::none_of(std::begin(ring.depth), std::end(ring.depth), isOpen)) return;
  ring.append(wire::ThreadEnd{{}, now()}, wire::RecordType::kThreadEnd, ring.header->tid);
}

void threadGone(void* ring) {
  ForkPage& page = forkPage();
  const bool alive = thisThread.ring == ring && thisThread.epoch == __atomic_load_n(&page.epoch, __ATOMIC_ACQUIRE);
  if (alive && ring != nullptr) tellOfOpenRanges(*static_cast<ThreadRing*>(ring));
  thisThread.ring = nullptr;
  if (alive && ring != nullptr) page.session->rings.leave(static_cast<ThreadRing*>(ring));
}

/// Async-signal-safe work only. Where it does not run (_Fork), the wiped page alone tells.
void inForkedChild() {
  ForkPage& page = forkPage();
  if (&page == &beforeStart) return;
  page.epoch = 0;
  page.session = nullptr;
  new (&page.starting) Lock;
  thisThread = {};
  forkedAt = now();
  if (lastSession != nullptr) lastSession->abandon();
  lastSession = nullptr;
}

bool makeForkPage() {
  if (&forkPage() != &beforeStart) return true;
  void* page = mapPages(sizeof(ForkPage));
  if (page == nullptr) return false;
  madvise(page, 4096, MADV_WIPEONFORK);  // on kernels before 4.14 the handler must do
  forkPagePointer.store(static_cast<ForkPage*>(page), std::memory_order_release);
  return true;
}

/// What is asked for once in the life of a process image, forks included.
void onceOnly() {
  if (onceDone.exchange(1) != 0) return;
  pthread_key_create(&threadGoneKey, threadGone);
  pthread_atfork(nullptr, nullptr, inForkedChild);
  finishAtExit();
  at_quick_exit(finishProcess);
}

/// The session, and whether it was this call that made it.
Session* start(bool& fresh) {
  // Before the page there is one lock for all threads; a fork at this very moment is the one that could find it taken.
  static Lock first;
  if (&forkPage() == &beforeStart) {
    const Hold hold(first);
    if (!makeForkPage()) return nullptr;
  }
  ForkPage& page = forkPage();
  const Hold hold(page.starting);
  if (page.epoch != 0) return page.session;
  if (disabled.load(std::memory_order_relaxed)) return nullptr;
  if (lastSession != nullptr) lastSession->abandon();
  thisThread = {nullptr, 0, 0, thisThread.own, thisThread.starting};
  errno = 0;
  Session* opened = Session::open();
  if (opened == nullptr) {
    wire::ControlPage* const shared = control.load(std::memory_order_relaxed);
    if (errno == EACCES && shared != nullptr) __atomic_fetch_add(&shared->refused, 1, __ATOMIC_RELAXED);
    disabled.store(true, std::memory_order_relaxed);
    return nullptr;
  }
  onceOnly();
  prepareCapture(*opened);
  lastSession = opened;
  control.store(opened->control, std::memory_order_relaxed);
  page.session = opened;
  __atomic_store_n(&page.epoch, lastEpoch.fetch_add(1) + 1, __ATOMIC_RELEASE);
  fresh = true;
  return opened;
}

}  // namespace

std::atomic<ForkPage*> forkPagePointer{&beforeStart};
__thread ThisThread thisThread = {};

std::uint32_t threadId() { return static_cast<std::uint32_t>(syscall(SYS_gettid)); }

Session* openedSession() {
  if (Session* alive = session()) return alive;
  if (thisThread.starting != 0) return nullptr;
  const int before = errno;
  thisThread.starting = 1;
  bool fresh = false;
  Session* opened = start(fresh);
  if (fresh) {
    repeatDefinitions();
    noteCapture(*opened);
  }
  thisThread.starting = 0;
  errno = before;
  return opened;
}

Session* startedSession() {
  Session* opened = openedSession();
  if (opened == nullptr || opened->threaded.load(std::memory_order_relaxed)) return opened;
  const int before = errno;
  if (!opened->threaded.exchange(true)) startThreads(*opened);
  errno = before;
  return opened;
}

void startThreadsIfDue(bool now) {
  constexpr std::uint64_t kWhile = 100000000;
  const Session* alive = session();
  if (alive == nullptr || alive->threaded.load(std::memory_order_relaxed)) return;
  if (now || inject::now() - alive->started > kWhile) startedSession();
}

namespace {

ThreadRing* claimRing(Session* alive) {
  if (alive == nullptr) return nullptr;
  const OwnCalls own;
  const std::uint32_t epoch = __atomic_load_n(&forkPage().epoch, __ATOMIC_ACQUIRE);
  if (thisThread.ring != nullptr && thisThread.epoch == epoch) return thisThread.ring;
  const int before = errno;
  thisThread.ring = nullptr;
  ThreadRing* ring = alive->rings.claim(threadId());
  if (ring == nullptr) {
    alive->losses.count(wire::LossKind::kNoRing);
  } else {
    thisThread.epoch = epoch;
    thisThread.ring = ring;
    pthread_setspecific(threadGoneKey, ring);
    tellThreadName(*ring);
  }
  errno = before;
  return ring;
}

}  // namespace

ThreadRing* threadRingSlow() {
  return disabled.load(std::memory_order_relaxed) ? nullptr : claimRing(startedSession());
}

ThreadRing* hostRingSlow() {
  constexpr std::uint64_t kYoung = 10000000;
  if (disabled.load(std::memory_order_relaxed)) return nullptr;
  if (session() == nullptr && forkedAt != 0 && now() - forkedAt < kYoung) {
    wire::ControlPage* const shared = control.load(std::memory_order_relaxed);
    if (shared != nullptr) __atomic_fetch_add(&shared->youngCalls, 1, __ATOMIC_RELAXED);
    return nullptr;
  }
  return claimRing(openedSession());
}

void finishAtExit() { std::atexit(finishProcess); }

void finishProcess() {
  Session* alive = session();
  if (alive == nullptr || alive->pid != getpid()) return;
  const int before = errno;
  const OwnCalls own;
  keepFlusherOut();
  flushCupti(Flush::kForced);
  stopCupti();
  noteCapture(*alive);
  lookForPython(*alive);
  const bool all = alive->drain();
  // Without a file of rings, what the disk refused goes with the process.
  if (!all && alive->ringsPath[0] == 0) alive->losses.count(wire::LossKind::kWriteFailed, alive->rings.waiting());
  alive->writeLosses();
  writeThreadNames(*alive);
  alive->writeClock();
  alive->stream.append(wire::ChunkType::kEnd, nullptr, 0);
  errno = before;
}

void wakeWriter() {
  Session* alive = session();
  if (alive == nullptr || alive->writerWoken.exchange(true, std::memory_order_relaxed)) return;
  alive->wakeWriter.fetch_add(1, std::memory_order_release);
  wakeAll(&alive->wakeWriter, Sharing::kProcess);
}

bool makeRingRoom(ThreadRing& ring) {
  const OwnCalls own;
  Session* alive = session();
  return alive != nullptr && alive->makeRoom(ring);
}

void tellUser(std::uint32_t severity, const char* text) {
  ThreadRing* ring = hostRing();
  if (ring == nullptr) return;
  wire::Message message;
  message.time = now();
  message.text = define(*ring, textOf(text));
  ring->append(message, wire::RecordType::kMessage, severity);
  wakeWriter();
}

}  // namespace lanescope::inject
