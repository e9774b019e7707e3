// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstring>

namespace lanescope::inject {
namespace {

constexpr const char* kNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
/// From the folder of a CUDA library to that of CUPTI: toolkits, and the wheels of CUDA 12 and 13.
constexpr const char* kBeside[] = {"",
                                   "/../../../extras/CUPTI/lib64",
                                   "/../extras/CUPTI/lib64",
                                   "/../../cuda_cupti/lib",
                                   "/../../nvidia/cuda_cupti/lib",
                                   "/../../nvidia/cu13/lib"};
constexpr const char* kToolkit[] = {"/usr/local/cuda/lib64", "/usr/local/cuda/extras/CUPTI/lib64",
                                    "/usr/local/cuda/targets/x86_64-linux/lib"};
constexpr const char* kCudaLibraries[] = {"libcudart.so", "libnvrtc.so", "libcublas.so", "libtorch_cuda.so"};

struct Folders {
  static constexpr int kMost = 8;
  int count = 0;
  char paths[kMost][768];
};

bool isCudaLibrary(const char* file) {
  for (const char* name : kCudaLibraries) {
    if (std::strncmp(file, name, std::strlen(name)) == 0) return true;
  }
  return false;
}

int collectFolder(dl_phdr_info* info, std::size_t, void* to) {
  auto& folders = *static_cast<Folders*>(to);
  const char* slash = info->dlpi_name != nullptr ? std::strrchr(info->dlpi_name, '/') : nullptr;
  if (slash == nullptr || !isCudaLibrary(slash + 1) || folders.count == Folders::kMost) return 0;
  const auto length = static_cast<std::size_t>(slash - info->dlpi_name);
  if (length >= sizeof folders.paths[0]) return 0;
  std::memcpy(folders.paths[folders.count], info->dlpi_name, length);
  folders.paths[folders.count++][length] = 0;
  return 0;
}

bool bind(void* handle, CuptiLibrary& library) {
  library = {};
#define LANESCOPE_BIND(function) \
  library.function = reinterpret_cast<decltype(library.function)>(dlsym(handle, #function));
  LANESCOPE_CUPTI_NEEDED(LANESCOPE_BIND)
  LANESCOPE_CUPTI_OPTIONAL(LANESCOPE_BIND)
#undef LANESCOPE_BIND
#define LANESCOPE_CHECK(function) \
  if (library.function == nullptr) return false;
  LANESCOPE_CUPTI_NEEDED(LANESCOPE_CHECK)
#undef LANESCOPE_CHECK
  library.handle = handle;
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 && map != nullptr && map->l_name != nullptr) {
    std::snprintf(library.path, sizeof library.path, "%s", map->l_name);
  }
  library.cuptiGetVersion(&library.version);
  return true;
}

struct Search {
  CuptiLibrary& library;
  bool (*use)(CuptiLibrary& library);

  bool tryOpen(const char* path) {
    void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return false;
    if (bind(handle, library) && use(library)) return true;
    library = {};  // its functions are gone with it
    dlclose(handle);
    return false;
  }
  bool tryFolder(const char* folder, const char* below) {
    char path[1024];
    for (const char* name : kNames) {
      std::snprintf(path, sizeof path, "%s%s/%s", folder, below, name);
      if (tryOpen(path)) return true;
    }
    return false;
  }
};

struct Copies {
  int count;
  char* paths;
  std::size_t size, used;
};

int countCopy(dl_phdr_info* info, std::size_t, void* to) {
  auto& copies = *static_cast<Copies*>(to);
  const char* slash = info->dlpi_name != nullptr ? std::strrchr(info->dlpi_name, '/') : nullptr;
  if (slash == nullptr || std::strncmp(slash + 1, "libcupti.so", 11) != 0) return 0;
  const int written = std::snprintf(copies.paths + copies.used, copies.size - copies.used, "%s%s",
                                    copies.count > 0 ? ", " : "", info->dlpi_name);
  if (written > 0 && static_cast<std::size_t>(written) < copies.size - copies.used) {
    copies.used += static_cast<std::size_t>(written);
  }
  ++copies.count;
  return 0;
}

}  // namespace

bool findCupti(const char* chosen, CuptiLibrary& library, bool (*use)(CuptiLibrary& library)) {
  Search search{library, use};
  for (const char* name : kNames) {
    void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (handle == nullptr || !bind(handle, library)) continue;
    library.wasLoaded = true;
    return use(library);  // never another one beside it
  }
  if (chosen[0] != 0 && search.tryOpen(chosen)) return true;
  Folders folders;
  dl_iterate_phdr(collectFolder, &folders);
  for (int i = 0; i < folders.count; ++i) {
    for (const char* below : kBeside) {
      if (search.tryFolder(folders.paths[i], below)) return true;
    }
  }
  for (const char* name : kNames) {
    if (search.tryOpen(name)) return true;
  }
  for (const char* folder : kToolkit) {
    if (search.tryFolder(folder, "")) return true;
  }
  return false;
}

int countCuptiCopies(char* paths, std::size_t size) {
  Copies copies{0, paths, size, 0};
  if (size > 0) paths[0] = 0;
  dl_iterate_phdr(countCopy, &copies);
  return copies.count;
}

}  // namespace lanescope::inject
