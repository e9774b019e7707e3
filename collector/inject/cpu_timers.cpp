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
  std::atomic<std::uint32_t> next{0};
  std::uint32_t threads = 0;
  ArmedThread armed[kThreads];
  Slot slots[kSlots];
};

namespace {

std::atomic<CpuTimers*> current{nullptr};

constexpr int kNotGuarded = -1;
/// 0: none was free.
std::atomic<int> timerSignal{kNotGuarded};
/// What the program has asked for this signal to do: it is its own affair when others send it.
std::atomic<std::uintptr_t> programsHandler{0};
std::atomic<int> programsFlags{0};
std::atomic<std::uint64_t> programsMask{0};

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

void takeSample(void* context) {
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

/// What others send goes to the program's handler; where it has none, a signal that it never heard of does not end it.
void passOn(int number, siginfo_t* info, void* context) {
  const std::uintptr_t handler = (programsFlags.load(std::memory_order_relaxed) & static_cast<int>(SA_RESETHAND)) != 0
                                     ? programsHandler.exchange(0)
                                     : programsHandler.load(std::memory_order_acquire);
  const auto isFunction =
      handler != reinterpret_cast<std::uintptr_t>(SIG_DFL) && handler != reinterpret_cast<std::uintptr_t>(SIG_IGN);
  if (isFunction) reinterpret_cast<void (*)(int, siginfo_t*, void*)>(handler)(number, info, context);
}

void onSignal(int number, siginfo_t* info, void* context) {
  if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &current) takeSample(context);
  else passOn(number, info, context);
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
  const int number = timerSignal.load(std::memory_order_acquire);
  if (number <= 0) {
    const char* const preload = getenv("LD_PRELOAD");
    if (number != 0 && preload != nullptr && strstr(preload, "liblanescope-preload") != nullptr)
      return nullptr;  // it said why
    tellUser(1, number == 0
                    ? "no CPU samples: the program uses all real-time signals itself"
                    : "no CPU samples of a process without liblanescope-preload.so, which keeps the program from "
                      "the signal of the timers: leave LD_PRELOAD in its environment");
    return nullptr;
  }
  auto* timers = static_cast<CpuTimers*>(mapPages(sizeof(CpuTimers)));  // zeroed, which all of it may be
  if (timers == nullptr) return nullptr;
  timers->session = &session;
  current.store(timers, std::memory_order_release);
  return timers;
}

void arm(CpuTimers& timers, std::uint32_t tid, std::uint32_t hertz) {
  if (timers.threads == kThreads) return;
  constexpr std::uint32_t kOfThread = 6;  // CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED of the kernel
  constexpr long kNanoseconds = 1000000000;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = timerSignal.load(std::memory_order_relaxed);
  event.sigev_value.sival_ptr = &current;
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

void guardCpuTimers(int* number) {
  int taken = freeSignal();
  struct sigaction action{};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  if (taken != 0 && sigaction(taken, &action, nullptr) != 0) taken = 0;
  sigset_t only;
  sigemptyset(&only);
  if (taken != 0) sigaddset(&only, taken);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);  // who started this may have left all of them blocked
  __atomic_store_n(number, taken, __ATOMIC_RELEASE);
  timerSignal.store(taken, std::memory_order_release);
}

void timerAction(const struct sigaction* action, struct sigaction* before) {
  if (before != nullptr) {
    std::memset(before, 0, sizeof *before);
    before->sa_handler = reinterpret_cast<void (*)(int)>(programsHandler.load(std::memory_order_acquire));
    before->sa_flags = programsFlags.load(std::memory_order_relaxed);
    const std::uint64_t mask = programsMask.load(std::memory_order_relaxed);
    std::memcpy(&before->sa_mask, &mask, sizeof mask);
  }
  if (action == nullptr) return;
  std::uint64_t mask = 0;
  std::memcpy(&mask, &action->sa_mask, sizeof mask);
  programsMask.store(mask, std::memory_order_relaxed);
  programsFlags.store(action->sa_flags, std::memory_order_relaxed);
  programsHandler.store(reinterpret_cast<std::uintptr_t>(action->sa_handler), std::memory_order_release);
}

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
