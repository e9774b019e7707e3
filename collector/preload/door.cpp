// SPDX-License-Identifier: Apache-2.0
#include "collector/preload/door.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

namespace lanescope::preload {

const Recorder* recorder = nullptr;
__thread std::uintptr_t outermost = 0;

const Recorder* openRecorder() {
  if (std::getenv("LANESCOPE_SESSION") == nullptr) return nullptr;
  constexpr const char* kInjected = "liblanescope-inject.so";
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&openRecorder), &self) == 0 || self.dli_fname == nullptr) return nullptr;
  char path[4096];
  const char* slash = std::strrchr(self.dli_fname, '/');
  const std::size_t folder = slash != nullptr ? static_cast<std::size_t>(slash + 1 - self.dli_fname) : 0;
  if (folder == 0 || folder + std::strlen(kInjected) >= sizeof path) return nullptr;
  std::memcpy(path, self.dli_fname, folder);
  std::memcpy(path + folder, kInjected, std::strlen(kInjected) + 1);
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto door = reinterpret_cast<const Recorder* (*)()>(dlsym(library, Recorder::kDoor));
  return door != nullptr ? door() : nullptr;
}

std::uint64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace lanescope::preload
