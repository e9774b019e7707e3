// SPDX-License-Identifier: Apache-2.0
// A program whose CPU time and context switches are known: cpu_known [SECONDS] [SLEEPS] [THREADS] [STEPS]
// spends 40, 30, 20 and 10 % of its work in four functions, then sleeps so often in each of so many threads, and says
//   known TID BEGIN END SWITCHES
// of each thread: CLOCK_MONOTONIC in ns and the context switches between the two, as the kernel counted them. Of so many
// more steps of work it says what time of the CPU they took: steps SECONDS
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

namespace {

thread_local volatile std::uint64_t sink;

std::uint64_t now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

long switches() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_nvcsw + used.ru_nivcsw;
}

}  // namespace

#if defined(__clang__)
#define NOT_COPIED __attribute__((noinline))
#else
#define NOT_COPIED __attribute__((noinline, noclone))
#endif

// The same work each, so that shares of rounds are shares of time.
#define WORKS(name, salt)                                                           \
  extern "C" NOT_COPIED void name(int rounds) {                                     \
    std::uint64_t value = salt;                                                     \
    for (int i = 0; i < rounds; ++i) value = value * 6364136223846793005ull + salt; \
    sink = value;                                                                   \
  }
WORKS(work_forty, 40)
WORKS(work_thirty, 30)
WORKS(work_twenty, 20)
WORKS(work_ten, 10)

extern "C" NOT_COPIED void one_step() {
  constexpr int kRounds = 10'000;
  work_forty(4 * kRounds);
  work_thirty(3 * kRounds);
  work_twenty(2 * kRounds);
  work_ten(kRounds);
  sink = sink + 1;  // no call is the last, which would leave no frame
}

extern "C" NOT_COPIED void work_for(double seconds) {
  const std::uint64_t until = now() + static_cast<std::uint64_t>(seconds * 1e9);
  while (now() < until) {
    for (int i = 0; i < 20; ++i) one_step();
  }
  sink = sink + 1;
}

extern "C" NOT_COPIED void sleep_often(int times) {
  const std::uint64_t begin = now();
  const long before = switches();
  for (int i = 0; i < times; ++i) {
    const timespec time{0, 200'000};
    nanosleep(&time, nullptr);
    one_step();
  }
  const long after = switches();
  const std::uint64_t end = now();
  std::printf("known %ld %llu %llu %ld\n", static_cast<long>(syscall(SYS_gettid)),
              static_cast<unsigned long long>(begin), static_cast<unsigned long long>(end), after - before);
}

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 2;
  const int sleeps = count > 2 ? std::atoi(arguments[2]) : 200;
  const int threads = count > 3 ? std::atoi(arguments[3]) : 2;
  work_for(seconds);
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(sleep_often, sleeps);
  sleep_often(sleeps);
  for (std::thread& other : others) other.join();
  if (count > 4) {
    const std::uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID);
    for (int i = std::atoi(arguments[4]); i > 0; --i) one_step();
    std::printf("steps %.6f\n", static_cast<double>(now(CLOCK_THREAD_CPUTIME_ID) - begin) / 1e9);
  }
  return std::fflush(stdout);
}
