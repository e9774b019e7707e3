// SPDX-License-Identifier: Apache-2.0
// The calls that the preloaded library stands in for, linked in under names of their own, so that thread sanitizers see all
// of what lies between a program and its C library: threads that lock, wait, sleep, read and write at once, a storm of
// children meanwhile. Prints nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <thread>
#include <vector>

#include "collector/inject/clock.h"
#include "collector/preload/door.h"

using lanescope::preload::Word;

#define CALLED(symbol) extern "C" Word lanescope_##symbol(Word, Word, Word, Word, Word, Word)
CALLED(pthread_mutex_lock);
CALLED(pthread_cond_signal);
CALLED(pthread_cond_timedwait);
CALLED(usleep);
CALLED(read);
CALLED(write);
#undef CALLED
extern "C" void lanescope__exit(Word);

namespace lanescope::preload {

const Recorder* recorder = nullptr;
__thread std::uintptr_t outermost = 0;

/// All of this program is beside the recorder's code, but not of it.
const Recorder* openRecorder() {
  const Recorder* opened = inject::openRecorder();
  if (opened == nullptr) return nullptr;
  static Recorder mine = *opened;
  mine.codeStart = mine.codeEnd = 0;
  return &mine;
}

std::uint64_t now() { return inject::now(); }

}  // namespace lanescope::preload

namespace {

constexpr int kThreads = 16, kRounds = 100, kChildren = 40;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
long sum = 0;

template <typename T>
Word word(T* address) {
  return reinterpret_cast<Word>(address);
}

void work() {
  int both[2];
  if (pipe(both) != 0) _exit(5);
  for (int i = 0; i < kRounds; ++i) {
    lanescope_pthread_mutex_lock(word(&mutex), 0, 0, 0, 0, 0);
    ++sum;
    if (i % 10 == 0) {
      timespec soon{};
      clock_gettime(CLOCK_REALTIME, &soon);
      lanescope_pthread_cond_timedwait(word(&changed), word(&mutex), word(&soon), 0, 0, 0);
    }
    pthread_mutex_unlock(&mutex);
    lanescope_pthread_cond_signal(word(&changed), 0, 0, 0, 0, 0);
    char byte = 0;
    errno = 7;
    if (lanescope_write(static_cast<Word>(both[1]), word(&byte), 1, 0, 0, 0) != 1 ||
        lanescope_read(static_cast<Word>(both[0]), word(&byte), 1, 0, 0, 0) != 1 || errno != 7)
      _exit(6);
    if (i % 10 == 0) lanescope_usleep(100, 0, 0, 0, 0, 0);
  }
  close(both[0]);
  close(both[1]);
}

/// True if each of many children did what it should.
bool storm() {
  for (int i = 0; i < kChildren; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (const std::uint64_t until = lanescope::inject::now() + 11000000; lanescope::inject::now() < until;) {
      }
      lanescope_usleep(2000, 0, 0, 0, 0, 0);
      lanescope__exit(0);
    }
    int status = -1;
    if (waitpid(child, &status, 0) != child || status != 0) return false;
  }
  return true;
}

}  // namespace

int main() {
#ifdef __SANITIZE_THREAD__
  constexpr bool kMeanwhile = false;  // it takes a child for a thread beside those of its parent, which it has not
#else
  constexpr bool kMeanwhile = true;
#endif
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work);
  bool isWell = !kMeanwhile || storm();
  for (std::thread& thread : threads) thread.join();
  isWell = isWell && (kMeanwhile || storm());
  return !isWell ? 4 : sum == kThreads * kRounds ? 0 : 3;
}
