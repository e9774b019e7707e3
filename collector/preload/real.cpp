// SPDX-License-Identifier: Apache-2.0
#include "collector/preload/real.h"

#include <dlfcn.h>
#include <sys/syscall.h>

#include <bit>
#include <cerrno>

extern "C" int __pthread_mutex_lock(void*) __attribute__((weak));

namespace lanescope::preload {
namespace {

constexpr auto kCount = static_cast<std::uint32_t>(Os::kCount);
constexpr const char* kSymbols[kCount] = {
#define LANESCOPE_SYMBOL(symbol, name, object, result) #symbol,
    LANESCOPE_OS_CALLS(LANESCOPE_SYMBOL)
#undef LANESCOPE_SYMBOL
#define LANESCOPE_SYMBOL(symbol) #symbol,
        LANESCOPE_SIGNAL_CALLS(LANESCOPE_SYMBOL)
#undef LANESCOPE_SYMBOL
            "pthread_mutex_trylock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "sem_trywait",
    "pthread_testcancel",
    "syscall",
    "_exit",
};

// NOLINTNEXTLINE(bugprone-dynamic-static-initializers): it is zero
__thread bool finding __attribute__((tls_model("initial-exec"))) = false;

/// Of the C library's own numbers, and its way to tell errors.
template <long Number>
Word kernel(Word a, Word b, Word c, Word d, Word e, Word f) {
#if defined(__x86_64__)
  register Word r10 asm("r10") = d;
  register Word r8 asm("r8") = e;
  register Word r9 asm("r9") = f;
  Word result = 0;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(Number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
#else
  register Word x8 asm("x8") = Number;
  register Word result asm("x0") = a;
  register Word x1 asm("x1") = b;
  register Word x2 asm("x2") = c;
  register Word x3 asm("x3") = d;
  register Word x4 asm("x4") = e;
  register Word x5 asm("x5") = f;
  asm volatile("svc 0" : "+r"(result) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
#endif
  if (result < static_cast<Word>(-4095)) return result;
  errno = static_cast<int>(-static_cast<std::int64_t>(result));
  return ~Word{0};
}

Word openByKernel(Word path, Word flags, Word mode, Word, Word, Word) {
  constexpr Word kHere = static_cast<Word>(-100);  // AT_FDCWD
  return kernel<SYS_openat>(kHere, path, flags, mode, 0, 0);
}
Word missing(Word, Word, Word, Word, Word, Word) {
  errno = ENOSYS;
  return ~Word{0};
}
Word maskByKernel(Word how, Word set, Word before, Word, Word, Word) {
  constexpr Word kBytes = 8;  // of its sets
  return kernel<SYS_rt_sigprocmask>(how, set, before, kBytes, 0, 0);
}
/// Of the functions that return what is wrong.
Word threadMaskByKernel(Word how, Word set, Word before, Word, Word, Word) {
  const int kept = errno;
  const bool isWrong = maskByKernel(how, set, before, 0, 0, 0) != 0;
  const int wrong = errno;
  errno = kept;
  return isWrong ? static_cast<Word>(wrong) : 0;
}
Word missingLock(Word, Word, Word, Word, Word, Word) { return ENOSYS; }

/// For what looking up calls itself: allocators lock, map memory and read their settings.
Function withoutLookingUp(Os call) {
  switch (call) {
    case Os::k_pthread_mutex_lock:
      return std::bit_cast<Function>(&__pthread_mutex_lock);
    case Os::k_mmap:
    case Os::k_mmap64:
      return kernel<SYS_mmap>;
    case Os::k_munmap:
      return kernel<SYS_munmap>;
    case Os::k_mremap:
      return kernel<SYS_mremap>;
    case Os::k_mprotect:
      return kernel<SYS_mprotect>;
    case Os::k_madvise:
      return kernel<SYS_madvise>;
    case Os::k_open:
    case Os::k_open64:
      return openByKernel;
    case Os::k_openat:
    case Os::k_openat64:
      return kernel<SYS_openat>;
    case Os::k_read:
      return kernel<SYS_read>;
    case Os::k_write:
      return kernel<SYS_write>;
    case Os::k_close:
      return kernel<SYS_close>;
    case Os::k_pthread_sigmask:
      return threadMaskByKernel;
    case Os::k_sigprocmask:
      return maskByKernel;
    case Os::k_nanosleep:
      return kernel<SYS_nanosleep>;
    default:
      return missing;
  }
}

void* lookUp(Os call) {
  const char* symbol = kSymbols[static_cast<std::uint32_t>(call)];
#ifndef LANESCOPE_PRELOAD_CALLED  // a sanitizer's own has no version
  switch (call) {
    case Os::k_pthread_cond_wait:
    case Os::k_pthread_cond_timedwait:
    case Os::k_pthread_cond_signal:
    case Os::k_pthread_cond_broadcast:
      // There are older ones of the same name that read a condition in another way.
      if (void* now = dlvsym(RTLD_NEXT, symbol, "GLIBC_2.3.2")) return now;
      break;
    default:
      break;
  }
#endif
  return dlsym(RTLD_NEXT, symbol);
}

}  // namespace

Function found[kCount] = {};

Function find(Os call) {
  if (finding) return withoutLookingUp(call);
  const int before = errno;
  finding = true;
  const auto function = reinterpret_cast<Function>(lookUp(call));
  finding = false;
  errno = before;
  if (function == nullptr) {
    const bool locks = call < Os::k_sem_wait || (call > Os::k_sem_wait && call < Os::k_sem_timedwait);
    return locks ? missingLock : missing;
  }
  __atomic_store_n(&found[static_cast<std::uint32_t>(call)], function, __ATOMIC_RELAXED);
  return function;
}

void findAll() {
  for (std::uint32_t call = 0; call < kCount; ++call) find(static_cast<Os>(call));
}

}  // namespace lanescope::preload
