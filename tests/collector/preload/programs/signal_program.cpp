// SPDX-License-Identifier: Apache-2.0
// A program that does with all signals what it would not do with one that others use, and uses its CPU meanwhile. What it
// prints must be the same with CPU samples by timers and without.
//   signal_program reset|own|wait|read
#include <sys/signalfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "tests/collector/preload/programs/os_waits.h"

namespace {

sigset_t allSignals() {
  sigset_t all;
  sigfillset(&all);
  return all;
}

/// Whether each thread but one or two of the recorder's own has a timer.
bool hasTimers() {
  std::ifstream file("/proc/self/timers");
  if (!file) return true;  // this kernel does not tell
  int timers = 0;
  for (std::string line; std::getline(file, line);) timers += line.starts_with("ID:") ? 1 : 0;
  using Tasks = std::filesystem::directory_iterator;
  return timers > 0 && timers >= std::distance(Tasks("/proc/self/task"), Tasks());
}

long cpuTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

/// Until a timer is likely to have run out. That it does is up to the kernel, which on a busy machine may look at timers only
/// while others run; that there are timers is certain. Without the recorder's library there is nothing to wait for.
void useCpu() {
  constexpr long kSecond = 1'000'000'000, kLongest = 10 * kSecond, kEnough = kSecond / 20;
  if (std::getenv("LD_PRELOAD") == nullptr) return;
  const long start = cpuTime();
  while (!hasTimers())
    if (cpuTime() - start > kLongest) std::exit(4);
  for (const long armed = cpuTime(); cpuTime() - armed < kEnough;) {
  }
}

void reset() {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int number = 1; number <= SIGRTMAX; ++number) sigaction(number, &action, nullptr);
  useCpu();
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) std::signal(number, SIG_DFL);
  useCpu();
  std::printf("alive\n");
}

std::atomic<int> handled{0};
void onSignal(int) { ++handled; }

/// Its own handlers of all signals get what it sends.
void own() {
  struct sigaction action{}, before{};
  action.sa_handler = onSignal;
  int strange = 0;
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) {
    strange += sigaction(number, &action, &before) != 0 || before.sa_handler != SIG_DFL ? 1 : 0;
    strange += sigaction(number, nullptr, &before) != 0 || before.sa_handler != onSignal ? 1 : 0;
  }
  useCpu();
  std::printf("strange %d, of itself %d\n", strange, handled.load());
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) raise(number);
  std::printf("sent %d\n", handled.load() - (SIGRTMAX - SIGRTMIN + 1));
}

/// A thread that waits for all signals, which all are blocked, as daemons have one.
void wait() {
  const sigset_t all = allSignals();
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  useCpu();
  std::atomic<int> tid{0};
  std::thread waiter([&] {
    useCpu();
    tid = gettid();
    int number = 0;
    const int result = sigwait(&all, &number);
    std::printf("sigwait %d %d\n", result, number);
  });
  while (tid == 0 || !sleeps(tid)) {
  }
  kill(getpid(), SIGTERM);
  waiter.join();
}

/// Nothing was sent: there is nothing to read in any way.
void read() {
  const sigset_t all = allSignals();
  sigprocmask(SIG_BLOCK, &all, nullptr);
  useCpu();
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  std::printf("pending %d\n", sigisemptyset(&pending));
  const timespec soon{0, 50'000'000};
  const int waited = sigtimedwait(&all, nullptr, &soon);
  std::printf("sigtimedwait %d %s\n", waited, waited < 0 && errno == EAGAIN ? "nothing" : "");
  const int file = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);
  useCpu();
  signalfd_siginfo info{};
  std::printf("signalfd %d\n", static_cast<int>(::read(file, &info, sizeof info)));
}

}  // namespace

int main(int count, char** words) {
  const std::string mode = count > 1 ? words[1] : "";
  if (mode == "reset") reset();
  else if (mode == "own") own();
  else if (mode == "wait") wait();
  else if (mode == "read") read();
  else return 2;
}
