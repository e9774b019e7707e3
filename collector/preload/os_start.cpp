// SPDX-License-Identifier: Apache-2.0
// The start: before the program's own code, where memory may be allocated and no lock of the program is held, the real
// functions are looked up and the recorder is got from the library beside this one. Without a session, or with a
// sanitizer in the program, which stands in for the same functions, all calls go straight through for good.
#include <dlfcn.h>
#include <link.h>

#include <cerrno>
#include <cstdlib>
#include <initializer_list>

#include "collector/preload/os_recorder.h"

namespace lanescope::preload {
namespace {

/// Why this program is left alone; null if it is not.
const char* whyNot() {
#ifdef LANESCOPE_PRELOAD_CALLED
  return nullptr;
#else
  for (const char* symbol : {"__tsan_init", "__asan_init", "__msan_init", "__hwasan_init"}) {
    if (dlsym(RTLD_DEFAULT, symbol) != nullptr) {
      return "The program is built with a sanitizer, which stands in for the same functions: its calls into the OS "
             "runtime are not recorded, nor CPU samples by timers";
    }
  }
  if (std::getenv("RUNNING_UNDER_RR") != nullptr) {
    return "The program runs under rr, which stands in for the same functions: its calls into the OS runtime are not "
           "recorded, nor CPU samples by timers";
  }
  return nullptr;
#endif
}

/// Where Python keeps its lock: in its runtime, which is a variable of the program or of its libpython.
void findGil(const Recorder& opened) {
  void* runtime = opened.pythonGil ? dlsym(RTLD_DEFAULT, "_PyRuntime") : nullptr;
  Dl_info info{};
  const ElfW(Sym)* symbol = nullptr;
  if (runtime == nullptr ||
      dladdr1(runtime, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)), RTLD_DL_SYMENT) == 0 ||
      symbol == nullptr) {
    return;
  }
  gilStart = reinterpret_cast<std::uintptr_t>(runtime);
  gilEnd = gilStart + symbol->st_size;
}

__attribute__((constructor)) void start() {
  const int before = errno;
  if (const Recorder* opened = openRecorder()) {
    const char* why = whyNot();
    if (why != nullptr) opened->tell(why);
    osRuntime = why == nullptr && opened->osRuntime;
    findAll();
    if (why == nullptr) {
      findGil(*opened);
      __atomic_store_n(&recorder, opened, __ATOMIC_RELEASE);
      if (opened->guardTimers != nullptr) opened->guardTimers(&guardedSignal);
    }
  }
  errno = before;
}

}  // namespace
}  // namespace lanescope::preload
