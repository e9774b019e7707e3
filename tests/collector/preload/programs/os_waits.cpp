// SPDX-License-Identifier: Apache-2.0
#include "tests/collector/preload/programs/os_waits.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <thread>

std::uint64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u + static_cast<std::uint64_t>(time.tv_nsec);
}

bool sleeps(int thread) {
  char path[64], text[512] = {};
  std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  const char* name = got > 0 ? std::strrchr(text, ')') : nullptr;
  return name != nullptr && name[2] == 'S';
}

namespace {

timespec inAMinute(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  time.tv_sec += 60;
  return time;
}

/// Runs `wait` on a thread, and `release` when that sleeps.
void waited(const char* name, std::uint64_t object, const std::function<void()>& wait,
            const std::function<void()>& release) {
  std::atomic<int> tid{0};
  std::uint64_t before = 0, after = 0;
  std::thread waiter([&] {
    tid = static_cast<int>(syscall(SYS_gettid));
    before = now();
    wait();
    after = now();
  });
  while (tid == 0 || !sleeps(tid)) {
  }
  for (const std::uint64_t until = now() + 1000000; now() < until;) {
  }
  release();
  waiter.join();
  std::printf("%s %d %llu %llu %llu\n", name, tid.load(), static_cast<unsigned long long>(before),
              static_cast<unsigned long long>(after), static_cast<unsigned long long>(object));
}

void slept(const char* name, const std::function<void()>& wait) {
  const std::uint64_t before = now();
  wait();
  std::printf("%s %d %llu %llu 0\n", name, static_cast<int>(syscall(SYS_gettid)),
              static_cast<unsigned long long>(before), static_cast<unsigned long long>(now()));
}

template <class T>
std::uint64_t addressOf(const T& object) {
  return reinterpret_cast<std::uint64_t>(&object);
}

}  // namespace

void waitForLocks() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const auto give = [] { pthread_mutex_unlock(&mutex); };
  const timespec limit = inAMinute(CLOCK_REALTIME), steady = inAMinute(CLOCK_MONOTONIC);
  pthread_mutex_lock(&mutex);
  waited("pthread_mutex_lock", addressOf(mutex), [&] { pthread_mutex_lock(&mutex), give(); }, give);
  pthread_mutex_lock(&mutex);
  waited("pthread_mutex_timedlock", addressOf(mutex), [&] { pthread_mutex_timedlock(&mutex, &limit), give(); }, give);
  static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  const auto leave = [] { pthread_rwlock_unlock(&shared); };
  pthread_rwlock_wrlock(&shared);
  waited("pthread_rwlock_rdlock", addressOf(shared), [&] { pthread_rwlock_rdlock(&shared), leave(); }, leave);
  pthread_rwlock_rdlock(&shared);
  waited("pthread_rwlock_wrlock", addressOf(shared), [&] { pthread_rwlock_wrlock(&shared), leave(); }, leave);

  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static bool happened = false;
  const auto happen = [] {
    pthread_mutex_lock(&mutex);
    happened = true;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
  };
  const auto until = [](const std::function<void()>& wait) {
    pthread_mutex_lock(&mutex);
    while (!happened) wait();
    happened = false;
    pthread_mutex_unlock(&mutex);
  };
  waited(
      "pthread_cond_wait", addressOf(condition), [&] { until([] { pthread_cond_wait(&condition, &mutex); }); }, happen);
  waited(
      "pthread_cond_timedwait", addressOf(condition),
      [&] { until([&] { pthread_cond_timedwait(&condition, &mutex, &limit); }); }, happen);
  waited(
      "pthread_cond_clockwait", addressOf(condition),
      [&] { until([&] { pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &steady); }); }, happen);

  static sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  const auto post = [] { sem_post(&semaphore); };
  waited("sem_wait", addressOf(semaphore), [] { sem_wait(&semaphore); }, post);
  waited("sem_timedwait", addressOf(semaphore), [&] { sem_timedwait(&semaphore, &limit); }, post);
  static pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 2);
  waited(
      "pthread_barrier_wait", addressOf(barrier), [] { pthread_barrier_wait(&barrier); },
      [] { pthread_barrier_wait(&barrier); });
  static std::atomic<int> word{0};
  waited(
      "futex", addressOf(word),
      [] {
        while (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
      },
      [] {
        word = 1;
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
      });
  std::thread held([] { sem_wait(&semaphore); });
  waited("pthread_join", 0, [&] { held.join(); }, post);
}

void waitForFiles() {
  int ends[2];
  if (pipe(ends) != 0) _exit(3);
  const auto say = [&] {
    if (write(ends[1], "x", 1) != 1) _exit(3);
  };
  const auto take = [&] {
    char c = 0;
    if (read(ends[0], &c, 1) != 1) _exit(3);
  };
  const auto reader = static_cast<std::uint64_t>(ends[0]);
  waited("read", reader, take, say);
  waited(
      "readv", reader,
      [&] {
        char c = 0;
        iovec part{&c, 1};
        if (readv(ends[0], &part, 1) != 1) _exit(3);
      },
      say);
  waited(
      "poll", 0,
      [&] {
        pollfd one{ends[0], POLLIN, 0};
        poll(&one, 1, -1);
      },
      say);
  take();
  waited(
      "select", 0,
      [&] {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(ends[0], &set);
        select(ends[0] + 1, &set, nullptr, nullptr, nullptr);
      },
      say);
  take();
  const int events = epoll_create1(0);
  epoll_event event{EPOLLIN, {}};
  epoll_ctl(events, EPOLL_CTL_ADD, ends[0], &event);
  waited("epoll_wait", static_cast<std::uint64_t>(events), [&] { epoll_wait(events, &event, 1, -1); }, say);
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) _exit(3);
  waited(
      "recv", static_cast<std::uint64_t>(sockets[0]),
      [&] {
        char c = 0;
        recv(sockets[0], &c, 1, 0);
      },
      [&] { send(sockets[1], "x", 1, 0); });
  const pid_t child = fork();
  if (child == 0) {
    close(sockets[1]);
    char c = 0;
    while (recv(sockets[0], &c, 1, 0) > 0) {
    }
    _exit(0);
  }
  waited("waitpid", 0, [&] { waitpid(child, nullptr, 0); }, [&] { close(sockets[1]); });
  const timespec pause{0, 3000000};
  slept("nanosleep", [&] { nanosleep(&pause, nullptr); });
  slept("usleep", [] { usleep(3000); });
  slept("clock_nanosleep", [&] { clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr); });
}
