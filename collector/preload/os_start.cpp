// SPDX-License-Identifier: Apache-2.0
// The start: before the program's own code, where memory may be allocated and no lock of the program is held, the real
// functions are looked up and the recorder is got from the library beside this one. Without a session, or with a
// sanitizer in the program, which stands in for the same functions, all calls go straight through for good.
#include <dlfcn.h>

#include <cerrno>
#include <cstdlib>
#include <initializer_list>

#include "collector/preload/os_recorder.h"

namespace lanescope::preload {
namespace {

/// Why this program is left alone; null if it is not.
const char* whyNot() {
  for (const char* symbol : {"__tsan_init", "__asan_init", "__msan_init", "__hwasan_init"}) {
    if (dlsym(RTLD_DEFAULT, symbol) != nullptr) {
      return "The program is built with a sanitizer, which stands in for the same functions: its calls into the OS "
             "runtime are not recorded";
    }
  }
  if (std::getenv("RUNNING_UNDER_RR") != nullptr) {
    return "The program runs under rr, which stands in for the same functions: its calls into the OS runtime are not "
           "recorded";
  }
  return nullptr;
}

__attribute__((constructor)) void start() {
  const int before = errno;
  if (std::getenv("LANESCOPE_SESSION") != nullptr) {
    findAll();
    if (const Recorder* opened = openRecorder()) {
      const char* why = whyNot();
      if (why != nullptr) opened->tell(why);
      osRuntime = why == nullptr && opened->osRuntime;
      if (why == nullptr) __atomic_store_n(&recorder, opened, __ATOMIC_RELEASE);
    }
  }
  errno = before;
}

}  // namespace
}  // namespace lanescope::preload
