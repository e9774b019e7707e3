// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cpu_timers.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "collector/inject/clock.h"
#include "collector/inject/memory.h"
#include "collector/inject/process.h"
#include "collector/inject/stack_copy.h"

namespace lanescope::inject {
namespace {

constexpr std::uint32_t kStackBytes = 8192;
constexpr std::uint32_t kSlots = 512, kThreads = 4096;

/// A sample on its way. `state`: 0 free, 1 being filled, 2 full.
struct Slot {
  std::atomic<std::uint32_t> state;
  wire::CpuSample record;
  char stack[kStackBytes];
};

struct ArmedThread {
  std::uint32_t tid = 0;
  int timer = 0;  ///< of the kernel
  bool isThere = false;
};

}  // namespace

struct CpuTimers {
  Session* session = nullptr;
  int signal = 0;
  std::atomic<std::uint32_t> next{0};
  std::uint32_t threads = 0;
  ArmedThread armed[kThreads];
  Slot slots[kSlots];
};

namespace {

std::atomic<CpuTimers*> current{nullptr};

#if defined(__x86_64__)
void readRegisters(const void* context, wire::CpuSample& to) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const auto of = [&](int number) { return static_cast<std::uint64_t>(registers[number]); };
  to.ip = of(REG_RIP), to.sp = of(REG_RSP), to.bp = of(REG_RBP), to.bx = of(REG_RBX);
  to.r12 = of(REG_R12), to.r13 = of(REG_R13), to.r14 = of(REG_R14), to.r15 = of(REG_R15);
}
#else
void readRegisters(const void*, wire::CpuSample&) {}
#endif

void takeSample(int, siginfo_t*, void* context) {
  constexpr int kTries = 8;
  CpuTimers* timers = current.load(std::memory_order_acquire);
  if (timers == nullptr || session() != timers->session || thisThread.own != 0 || !timers->session->capturing()) return;
  const int before = errno;
  for (int i = 0; i < kTries; ++i) {
    Slot& slot = timers->slots[timers->next.fetch_add(1, std::memory_order_relaxed) % kSlots];
    std::uint32_t free = 0;
    if (!slot.state.compare_exchange_strong(free, 1, std::memory_order_acquire)) continue;
    wire::CpuSample& record = slot.record;
    record.time = now();
    record.thread = threadId();
    const int cpu = sched_getcpu();
    record.cpu = cpu < 0 ? 0 : static_cast<std::uint32_t>(cpu);
    readRegisters(context, record);
    record.header.aux = readMemory(record.sp, slot.stack, kStackBytes) & ~7u;
    slot.state.store(2, std::memory_order_release);
    errno = before;
    return;
  }
  timers->session->losses.count(wire::LossKind::kRingFull);
  errno = before;
}

/// A real-time signal that nobody else has; 0 if there is none.
int freeSignal() {
  for (int number = SIGRTMAX - 1; number > SIGRTMIN; --number) {
    struct sigaction found{};
    if (sigaction(number, nullptr, &found) == 0 && found.sa_handler == SIG_DFL) return number;
  }
  return 0;
}

CpuTimers* prepare(Session& session) {
  auto* timers = static_cast<CpuTimers*>(mapPages(sizeof(CpuTimers)));  // zeroed, which all of it may be
  if (timers == nullptr) return nullptr;
  timers->session = &session;
  // A forked child has its parent's handler.
  const CpuTimers* parents = current.load(std::memory_order_acquire);
  timers->signal = parents != nullptr ? parents->signal : freeSignal();
  struct sigaction action{};
  action.sa_sigaction = takeSample;
  action.sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  if (timers->signal == 0 || sigaction(timers->signal, &action, nullptr) != 0) {
    unmapPages(timers, sizeof(CpuTimers));
    tellUser(1, "no CPU samples: the program uses all real-time signals itself");
    return nullptr;
  }
  current.store(timers, std::memory_order_release);
  return timers;
}

void arm(CpuTimers& timers, std::uint32_t tid, std::uint32_t hertz) {
  if (timers.threads == kThreads) return;
  constexpr std::uint32_t kOfThread = 6;  // CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED of the kernel
  constexpr long kNanoseconds = 1000000000;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = timers.signal;
  event._sigev_un._tid = static_cast<pid_t>(tid);
  ArmedThread thread{tid, 0, true};
  const auto clock = static_cast<clockid_t>(~tid << 3 | kOfThread);
  if (syscall(SYS_timer_create, clock, &event, &thread.timer) != 0) return;
  itimerspec times{};
  times.it_interval.tv_nsec = kNanoseconds / static_cast<long>(std::clamp<std::uint32_t>(hertz, 2, 10000));
  times.it_value = times.it_interval;
  syscall(SYS_timer_settime, thread.timer, 0, &times, nullptr);
  timers.armed[timers.threads++] = thread;
}

void look(CpuTimers& timers, std::uint32_t tid, std::uint32_t hertz) {
  for (std::uint32_t i = 0; i < timers.threads; ++i) {
    if (timers.armed[i].tid != tid) continue;
    timers.armed[i].isThere = true;
    return;
  }
  arm(timers, tid, hertz);
}

void forgetTheGone(CpuTimers& timers) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < timers.threads; ++i) {
    ArmedThread& thread = timers.armed[i];
    if (thread.isThere) timers.armed[kept++] = thread;
    else syscall(SYS_timer_delete, thread.timer);
  }
  timers.threads = kept;
}

}  // namespace

void armCpuTimers(Session& session) {
  if (session.options.cpuTimerHertz == 0) return;
  if (session.cpuTimers == nullptr) session.cpuTimers = prepare(session);
  if (session.cpuTimers == nullptr) {
    session.options.cpuTimerHertz = 0;
    return;
  }
  CpuTimers& timers = *session.cpuTimers;
  const int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  for (std::uint32_t i = 0; i < timers.threads; ++i) timers.armed[i].isThere = false;
  // As getdents64 lays them: the length of an entry stands at 16, its name at 19. The C library's reading allocates.
  constexpr std::size_t kLength = 16, kName = 19;
  char entries[4096];
  for (long got = 0; (got = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
    for (long at = 0; at < got;) {
      std::uint16_t length = 0;
      std::memcpy(&length, entries + at + kLength, sizeof length);
      const int tid = std::atoi(entries + at + kName);
      if (tid > 0) look(timers, static_cast<std::uint32_t>(tid), session.options.cpuTimerHertz);
      if (length == 0) break;
      at += length;
    }
  }
  close(folder);
  forgetTheGone(timers);
}

void writeCpuSamples(Session& session) {
  if (session.cpuTimers == nullptr) return;
  for (Slot& slot : session.cpuTimers->slots) {
    if (slot.state.load(std::memory_order_acquire) != 2) continue;
    wire::CpuSample& record = slot.record;
    const auto size = static_cast<std::uint32_t>(sizeof record + record.header.aux);
    record.header.type = wire::RecordType::kCpuSample;
    record.header.size = static_cast<std::uint16_t>(size);
    static_assert(offsetof(Slot, stack) == offsetof(Slot, record) + sizeof(wire::CpuSample));
    session.stream.append(wire::ChunkType::kCupti, &record, size);
    slot.state.store(0, std::memory_order_release);
  }
}

}  // namespace lanescope::inject
