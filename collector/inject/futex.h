// SPDX-License-Identifier: Apache-2.0
// Sleeping on a word of memory, and a lock made of one. Zero bytes are an unlocked lock, so that a page which the kernel
// wipes in a forked child is also an unlocked lock there; no destructor, so that nothing dies under a running thread.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <ctime>

#include <atomic>
#include <cstdint>

namespace lanescope::inject {

enum class Sharing { kProcess, kEverybody };

inline void waitOn(const void* word, std::uint32_t seen, std::uint64_t nanoseconds, Sharing sharing) {
  const timespec limit{static_cast<time_t>(nanoseconds / 1000000000ull),
                       static_cast<long>(nanoseconds % 1000000000ull)};
  const int operation = sharing == Sharing::kProcess ? FUTEX_WAIT_PRIVATE : FUTEX_WAIT;
  syscall(SYS_futex, word, operation, seen, nanoseconds == ~0ull ? nullptr : &limit, nullptr, 0);
}

inline void wakeAll(const void* word, Sharing sharing) {
  syscall(SYS_futex, word, sharing == Sharing::kProcess ? FUTEX_WAKE_PRIVATE : FUTEX_WAKE, INT32_MAX, nullptr, nullptr,
          0);
}

class Lock {
 public:
  void take() {
    std::uint32_t expected = 0;
    if (word_.compare_exchange_strong(expected, 1, std::memory_order_acquire)) return;
    while (word_.exchange(2, std::memory_order_acquire) != 0) waitOn(&word_, 2, ~0ull, Sharing::kProcess);
  }
  bool tryTake() {
    std::uint32_t expected = 0;
    return word_.compare_exchange_strong(expected, 1, std::memory_order_acquire);
  }
  void give() {
    if (word_.exchange(0, std::memory_order_release) == 2) wakeAll(&word_, Sharing::kProcess);
  }

 private:
  std::atomic<std::uint32_t> word_{0};
};

class Hold {
 public:
  explicit Hold(Lock& lock) : lock_(lock) { lock_.take(); }
  ~Hold() { lock_.give(); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Lock& lock_;
};

}  // namespace lanescope::inject
