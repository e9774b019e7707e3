// SPDX-License-Identifier: Apache-2.0
// A program that waits for known things, and does what preloaded libraries break most easily.
//   os_program MODE
// waits: prints a line a wait, "NAME TID BEFORE AFTER OBJECT", by its own clock. What is waited for happens when the thread
// that waits is seen to sleep, and a millisecond later, so that nothing depends on how fast the machine is.
// Other modes print what they found; it must be the same without anything preloaded.
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

std::uint64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u + static_cast<std::uint64_t>(time.tv_nsec);
}

timespec inAMinute(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  time.tv_sec += 60;
  return time;
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

void locks() {
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

void files() {
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

pthread_mutex_t mutexOf(int kind, bool robust) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  if (robust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  return mutex;
}

/// What every kind of lock answers.
void semantics() {
  const auto say = [](const char* what, int result) { std::printf("%s %d %d\n", what, result, errno); };
  errno = 77;
  pthread_mutex_t checked = mutexOf(PTHREAD_MUTEX_ERRORCHECK, false);
  say("checked", pthread_mutex_lock(&checked));
  say("checked again", pthread_mutex_lock(&checked));
  std::thread([&] {
    errno = 78;
    const timespec past{1, 0}, wrong{1, -1};
    say("held by another, late", pthread_mutex_timedlock(&checked, &past));
    say("held by another, no time", pthread_mutex_timedlock(&checked, &wrong));
    say("held by another, other clock", pthread_mutex_clocklock(&checked, CLOCK_MONOTONIC, &past));
  }).join();
  say("checked, unlock", pthread_mutex_unlock(&checked));
  const timespec wrong{1, -1};
  say("free, no time", pthread_mutex_timedlock(&checked, &wrong));
  pthread_mutex_unlock(&checked);
  say("free, no clock", pthread_mutex_clocklock(&checked, 99, &wrong));
  pthread_mutex_t recursive = mutexOf(PTHREAD_MUTEX_RECURSIVE, false);
  say("recursive", pthread_mutex_lock(&recursive));
  say("recursive again", pthread_mutex_lock(&recursive));
  say("unlock", pthread_mutex_unlock(&recursive));
  say("unlock again", pthread_mutex_unlock(&recursive));
  pthread_mutex_t robust = mutexOf(PTHREAD_MUTEX_NORMAL, true);
  std::thread([&] { pthread_mutex_lock(&robust); }).join();
  say("its owner died", pthread_mutex_lock(&robust));
  say("unlock", pthread_mutex_unlock(&robust));
  say("not recoverable", pthread_mutex_lock(&robust));
  pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  say("write", pthread_rwlock_wrlock(&shared));
  say("write again", pthread_rwlock_wrlock(&shared));
  say("read while writing", pthread_rwlock_rdlock(&shared));
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  say("taken", sem_wait(&semaphore));
  say("late", sem_timedwait(&semaphore, &wrong));
  errno = 79;
  char c = 0;
  say("no such descriptor", static_cast<int>(read(1234, &c, 1)));
  errno = 80;
  say("no such file", open("/nonexistent/file", O_RDONLY));
  errno = 81;
  say("works", static_cast<int>(syscall(SYS_getppid) > 0));
  say("no mapping", mmap(nullptr, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
}

std::atomic<int> cleaned{0};
void cleanUp(void*) { ++cleaned; }

/// A thread that is cancelled where it waits, and one that is where it need not wait.
void cancelled(const char* what, const std::function<void()>& wait) {
  std::atomic<int> tid{0};
  std::function<void()> body = [&] {
    pthread_cleanup_push(cleanUp, nullptr);
    tid = static_cast<int>(syscall(SYS_gettid));
    wait();
    pthread_cleanup_pop(0);
  };
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_create(&thread, nullptr, run, &body);
  while (tid == 0 || !sleeps(tid)) {
  }
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  std::printf("%s %d %d\n", what, result == PTHREAD_CANCELED ? 1 : 0, cleaned.load());
}

void cancellation() {
  static int ends[2];
  if (pipe(ends) != 0) _exit(3);
  static sem_t empty, full;
  sem_init(&empty, 0, 0);
  sem_init(&full, 0, 1000000000);
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  cancelled("read", [] {
    char c = 0;
    if (read(ends[0], &c, 1) != 1) _exit(3);
  });
  cancelled("sem_wait", [] { sem_wait(&empty); });
  cancelled("pause", [] { pause(); });
  cancelled("pthread_cond_wait", [] {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(cleanUp, nullptr);
    pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(0);
  });
  std::printf("taken again %d\n", pthread_mutex_trylock(&mutex));  // by the one that was cancelled
  static std::atomic<bool> asked{false};
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        while (!asked) {
        }
        for (;;) sem_wait(&full);  // never waits, and is a place to be cancelled all the same
      },
      nullptr);
  pthread_cancel(thread);
  asked = true;
  void* result = nullptr;
  pthread_join(thread, &result);
  std::printf("full %d\n", result == PTHREAD_CANCELED ? 1 : 0);
}

std::atomic<long> handled{0};
int nowhere = -1;
void onSignal(int) {
  const int before = errno;
  char byte = 0;
  if (write(nowhere, &byte, 1) != 1 || read(1234, &byte, 1) != -1) _exit(4);
  ++handled;
  errno = before;
}

/// Signals all the time into threads that lock, write and leave calls by longjmp.
void signals() {
  nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  struct sigaction action{};
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      while (handled < 500) {
        pthread_mutex_lock(&mutex);
        if (write(nowhere, "x", 1) != 1) _exit(4);
        pthread_mutex_unlock(&mutex);
        void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED || munmap(page, 4096) != 0) _exit(4);
      }
    });
  }
  std::vector<pthread_t> targets;
  for (std::thread& thread : threads) targets.push_back(thread.native_handle());
  std::thread sender([&] {
    while (!done) {
      for (const pthread_t target : targets) pthread_kill(target, SIGUSR1);
      usleep(20);
    }
  });
  for (std::thread& thread : threads) thread.join();
  done = true;
  sender.join();
  std::printf("signals done\n");
}

sigjmp_buf out;
void leave(int) { siglongjmp(out, 1); }

/// A call that is left by longjmp, and one after it.
void jump() {
  std::signal(SIGUSR2, leave);
  static int ends[2];
  if (pipe(ends) != 0) _exit(3);
  const auto self = static_cast<int>(syscall(SYS_gettid));
  const pthread_t thread = pthread_self();
  std::thread waker([=] {
    while (!sleeps(self)) {
    }
    pthread_kill(thread, SIGUSR2);
  });
  if (sigsetjmp(out, 1) == 0) {
    char c = 0;
    if (read(ends[0], &c, 1) != 1) _exit(3);
  }
  waker.join();
  usleep(2000);
  std::printf("jumped\n");
}

/// Children of a program with threads that are busy with locks, files and memory.
void forks() {
  static std::atomic<bool> done{false};
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
      while (!done) {
        pthread_mutex_lock(&mutex);
        std::free(std::malloc(200000));
        if (write(null, "x", 1) != 1) _exit(4);
        pthread_mutex_unlock(&mutex);
      }
      close(null);
    });
  }
  int good = 0;
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      std::thread([] { std::free(std::malloc(300000)); }).join();
      for (const std::uint64_t until = now() + (i % 10 == 0 ? 12000000 : 0); now() < until;) {
      }
      std::FILE* file = std::fopen("/proc/self/maps", "r");
      char line[100];
      if (file == nullptr || std::fgets(line, sizeof line, file) == nullptr) _exit(4);
      std::fclose(file);
      if (i % 2 == 0) _exit(0);
      std::exit(0);
    }
    int status = -1;
    if (waitpid(child, &status, 0) == child && status == 0) ++good;
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  std::printf("children %d\n", good);
}

void vforks(const char* self) {
  static int good = 0;
  for (static int i = 0; i < 50; ++i) {
    const pid_t child = vfork();
    if (child == 0) {
      const int null = open("/dev/null", O_WRONLY);
      dup2(null, 9);
      close(null);
      execl(self, self, "nothing", nullptr);
      _exit(4);
    }
    int status = -1;
    if (waitpid(child, &status, 0) == child && status == 0) ++good;
  }
  std::printf("children %d\n", good);
}

/// COL-20: many threads that allocate and lock.
void allocate() {
  std::vector<std::thread> threads;
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static long sum = 0;
  for (int i = 0; i < 64; ++i) {
    threads.emplace_back([i] {
      std::map<int, std::string> kept;
      for (int round = 0; round < 400; ++round) {
        kept[round % 50] = std::string(static_cast<std::size_t>(64 << (round % 12)), 'x');
        pthread_mutex_lock(&mutex);
        sum += i;
        pthread_mutex_unlock(&mutex);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("sum %ld\n", sum);
}

}  // namespace

int main(int count, char** words) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::string mode = count > 1 ? words[1] : "";
  if (mode == "waits") locks(), files();
  else if (mode == "semantics") semantics();
  else if (mode == "cancellation") cancellation();
  else if (mode == "signals") signals();
  else if (mode == "jump") jump();
  else if (mode == "forks") forks();
  else if (mode == "vforks") vforks(words[0]);
  else if (mode == "allocate") allocate();
  else if (mode == "_exit") usleep(2000), _exit(0);
  else if (mode == "kill") usleep(2000), std::raise(SIGKILL);
  else if (mode != "nothing") return 3;
  std::fflush(stdout);
  return 0;
}
