// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/pm_library.h"

#include <dlfcn.h>

namespace lanescope::sample {

tl::expected<PmLibrary, std::string> PmLibrary::load(const std::string& path) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = dlerror();
    return tl::unexpected(std::string(why ? why : path + " cannot be loaded"));
  }
  PmLibrary library;
  const char* missing = nullptr;
#define LANESCOPE_BIND(name)                                                     \
  library.name = reinterpret_cast<decltype(library.name)>(dlsym(handle, #name)); \
  if (!library.name) missing = #name;
  LANESCOPE_PM_FUNCTIONS(LANESCOPE_BIND)
#undef LANESCOPE_BIND
  if (missing) return tl::unexpected(path + " lacks " + missing + "; CUDA 12.6 and later have it");
  return library;
}

PmTrouble troubleOf(const PmLibrary& library, const char* call, CUptiResult result) {
  const char* name = nullptr;
  if (library.cuptiGetResultString(result, &name) != CUPTI_SUCCESS || !name) name = "an unknown error";
  return {result, std::string(call) + ": " + name + " (" + std::to_string(static_cast<int>(result)) + ")"};
}

}  // namespace lanescope::sample
