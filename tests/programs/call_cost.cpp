// SPDX-License-Identifier: Apache-2.0
// What calls cost that need not wait: run it alone, and once more under `lanescope profile -t osrt`. Prints ns a call, the
// best of many rounds, which is what a busy machine leaves alone.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <thread>

namespace {

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <class Body>
void measure(const char* name, Body body) {
  constexpr int kRounds = 400, kCalls = 2000;
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const double before = now();
    for (int i = 0; i < kCalls; ++i) body();
    best = std::min(best, (now() - before) / kCalls);
  }
  std::printf("%-34s %7.1f ns\n", name, best);
}

}  // namespace

int main() {
  std::thread([] {}).join();  // as any program that locks
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  static sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  const int null = open("/dev/null", O_WRONLY);
  measure("pthread_mutex_lock and unlock", [] { pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex); });
  measure("pthread_rwlock_rdlock and unlock", [] { pthread_rwlock_rdlock(&shared), pthread_rwlock_unlock(&shared); });
  measure("pthread_rwlock_wrlock and unlock", [] { pthread_rwlock_wrlock(&shared), pthread_rwlock_unlock(&shared); });
  measure("sem_wait and sem_post", [] { sem_wait(&semaphore), sem_post(&semaphore); });
  measure("pthread_cond_broadcast, no waiter", [] {
    static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_cond_broadcast(&condition);
  });
  measure("write to /dev/null", [=] { (void)!write(null, "x", 1); });
  measure("poll of nothing", [] { poll(nullptr, 0, 0); });
}
