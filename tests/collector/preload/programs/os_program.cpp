// SPDX-License-Identifier: Apache-2.0
// A program that waits for known things, and does what preloaded libraries break most easily.
//   os_program MODE
// waits: what os_waits.h says. Other modes print what they found; it must be the same without anything preloaded.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/collector/preload/programs/os_waits.h"

namespace {

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

/// A file that is written, read through a copy of its descriptor, and closed; and another by its FILE.
void files() {
  char path[] = "/tmp/lanescope-files-XXXXXX";
  close(mkstemp(path));
  const int descriptor = open(path, O_RDWR);
  char bytes[8] = "1234567";
  if (write(descriptor, bytes, 8) != 8 || pread(descriptor, bytes, 4, 0) != 4) std::exit(4);
  const int copy = dup(descriptor);
  close(descriptor);
  if (read(copy, bytes, 8) != 0) std::exit(4);
  close(copy);
  close(-1);
  int both[2];
  if (pipe(both) != 0 || write(both[1], bytes, 1) != 1) std::exit(4);
  FILE* const file = std::fopen(path, "r");
  if (std::fread(bytes, 2, 4, file) != 4) std::exit(4);
  std::fclose(file);
  unlink(path);
  std::printf("%d %s\n", descriptor, path);
}

/// A child that sleeps for nothing, from its first moment on.
void young() {
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 20; ++i) usleep(0);
    _exit(0);
  }
  int status = -1;
  if (waitpid(child, &status, 0) != child || status != 0) std::exit(4);
}

}  // namespace

int main(int count, char** words) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::string mode = count > 1 ? words[1] : "";
  if (mode == "waits") waitForLocks(), waitForFiles();
  else if (mode == "semantics") semantics();
  else if (mode == "cancellation") cancellation();
  else if (mode == "signals") signals();
  else if (mode == "jump") jump();
  else if (mode == "forks") forks();
  else if (mode == "vforks") vforks(words[0]);
  else if (mode == "allocate") allocate();
  else if (mode == "files") files();
  else if (mode == "young") young();
  else if (mode == "_exit") usleep(2000), _exit(0);
  else if (mode == "kill") usleep(2000), std::raise(SIGKILL);
  else if (mode != "nothing") return 3;
  std::fflush(stdout);
  return 0;
}
