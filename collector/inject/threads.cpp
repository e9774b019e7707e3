// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/threads.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "collector/inject/capture.h"
#include "collector/inject/clock.h"
#include "collector/inject/cpu_timers.h"
#include "collector/inject/cupti_session.h"
#include "collector/inject/modules.h"
#include "collector/inject/process.h"
#include "collector/inject/thread_names.h"

namespace lanescope::inject {
namespace {

constexpr std::uint64_t kMillisecond = 1000000;

std::atomic<bool> flusherOut{false};
std::atomic<std::uint32_t> flushing{0};
std::atomic<std::uint32_t> exitAsked{0}, exitAnswered{0};

void* write(void* argument) {
  const OwnCalls own;
  Session& session = *static_cast<Session*>(argument);
  pthread_setname_np(pthread_self(), kWriterName);
  std::uint64_t nextClock = now() + 1000 * kMillisecond;
  for (;;) {
    const std::uint32_t seen = session.wakeWriter.load(std::memory_order_acquire);
    if (!session.writerWoken.load(std::memory_order_relaxed)) {
      waitOn(&session.wakeWriter, seen, session.options.writeMs * kMillisecond, Sharing::kProcess);
    }
    session.writerWoken.store(false, std::memory_order_relaxed);
    noteModules(session);
    armCpuTimers(session);
    lookForPython(session);
    const bool all = session.drain();
    session.writeLosses();
    if (now() >= nextClock) {
      session.writeClock();
      writeThreadNames(session);
      nextClock = now() + 1000 * kMillisecond;
    }
    if (!all) waitOn(&session.wakeWriter, session.wakeWriter.load(), 200 * kMillisecond, Sharing::kProcess);
  }
  return nullptr;
}

void flushOnce() {
  flushing.store(1);
  if (!flusherOut.load()) flushCupti(Flush::kCompleted);
  flushing.store(0);
  wakeAll(&flushing, Sharing::kProcess);
}

void wakeFlushers(Session& session) {
  __atomic_fetch_add(&session.control->wake, 1, __ATOMIC_RELEASE);
  wakeAll(&session.control->wake, Sharing::kEverybody);
}

void countAnswer(Session& session) {
  __atomic_fetch_add(&session.control->flushed, 1, __ATOMIC_RELEASE);
  wakeFlushers(session);
}

void answer(Session& session, std::uint32_t& answered) {
  const std::uint32_t asked = __atomic_load_n(&session.control->flushAsked, __ATOMIC_ACQUIRE);
  if (asked == answered) return;
  answered = asked;
  flushOnce();
  session.drain();
  session.writeLosses();
  writeThreadNames(session);
  countAnswer(session);
}

void answerExit(Session& session) {
  if (exitAsked.load(std::memory_order_acquire) == 0 || exitAnswered.load() != 0) return;
  flushOnce();
  session.drain();
  session.writeLosses();
  writeThreadNames(session);
  session.writeClock();
  session.stream.append(wire::ChunkType::kEnd, nullptr, 0);
  exitAnswered.store(1, std::memory_order_release);
  wakeAll(&exitAnswered, Sharing::kProcess);
}

void* flush(void* argument) {
  const OwnCalls own;
  Session& session = *static_cast<Session*>(argument);
  pthread_setname_np(pthread_self(), kFlusherName);
  const std::uint64_t interval = session.options.flushMs * kMillisecond;
  std::uint32_t answered = 0;
  std::uint64_t nextFlush = now() + interval;
  for (;;) {
    const std::uint32_t seen = __atomic_load_n(&session.control->wake, __ATOMIC_ACQUIRE);
    noteCapture(session);
    answer(session, answered);
    answerExit(session);
    if (interval != 0 && now() >= nextFlush) {
      flushOnce();
      nextFlush = now() + interval;
    }
    const std::uint64_t time = now();
    std::uint64_t pause = 1000 * kMillisecond;
    if (interval != 0 && cuptiActive()) pause = nextFlush > time ? nextFlush - time : 1;
    waitOn(&session.control->wake, seen, pause, Sharing::kEverybody);
  }
  return nullptr;
}

void startThread(Session& session, void* (*body)(void*)) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 512u << 10);
  pthread_t thread;
  // What cannot be started is done at the end of the process; until then the rings hold what fits.
  static_cast<void>(pthread_create(&thread, &attributes, body, &session));
  pthread_attr_destroy(&attributes);
}

}  // namespace

void startThreads(Session& session) {
  flusherOut.store(false);
  exitAsked.store(0);
  exitAnswered.store(0);
  // By the kernel itself: what the preloaded library keeps from being blocked is to be blocked here, too.
  constexpr std::size_t kKernelsSet = 8;
  sigset_t all, before;
  sigfillset(&all);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, kKernelsSet);
  startThread(session, write);
  startThread(session, flush);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, kKernelsSet);
}

void answerWithoutThreads(Session& session) {
  noteCapture(session);
  const std::uint32_t asked = __atomic_load_n(&session.control->flushAsked, __ATOMIC_ACQUIRE);
  if (session.answered.exchange(asked) == asked) return;
  session.drain();
  session.writeLosses();
  countAnswer(session);
}

void flushBeforeExit() {
  Session* alive = session();
  if (alive == nullptr || alive->pid != static_cast<int>(syscall(SYS_getpid)) || !cuptiActive()) return;
  exitAsked.store(1, std::memory_order_release);
  wakeFlushers(*alive);
  const std::uint64_t limit = now() + 1000 * kMillisecond;
  while (exitAnswered.load(std::memory_order_acquire) == 0 && now() < limit) {
    waitOn(&exitAnswered, 0, 10 * kMillisecond, Sharing::kProcess);
  }
}

void keepFlusherOut() {
  flusherOut.store(true);
  const std::uint64_t limit = now() + 1000 * kMillisecond;
  while (flushing.load() != 0 && now() < limit) waitOn(&flushing, 1, 10 * kMillisecond, Sharing::kProcess);
}

}  // namespace lanescope::inject
