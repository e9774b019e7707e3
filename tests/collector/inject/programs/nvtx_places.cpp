// SPDX-License-Identifier: Apache-2.0
// NVTX from the places where profilers miss it: before main(), in a library that is opened later, in names of other
// letters, in a thread that ends with a range open; and only then CUDA, or never. Ends with 3 if something is not as
// expected.
//   nvtx_places LIBRARY [cuda]
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdlib>
#include <string_view>
#include <thread>

namespace {

struct BeforeMain {
  BeforeMain() {
    nvtxRangePushA("before main");
    nvtxRangePop();
  }
} beforeMain;

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 3;
  nvtxRangePushW(L"b\u00e4r \u4e16\u754c \U0001F600");
  nvtxRangePop();
  nvtxRangePushA("b\xc3\xa4r \xe4\xb8\x96");
  nvtxRangePop();
  std::thread([] {
    nvtxRangePushA("left open");
    nvtxRangePushA("closed");
    nvtxRangePop();
  }).join();
  void* const library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) return 3;
  const auto work = reinterpret_cast<void (*)()>(dlsym(library, "work"));
  if (work == nullptr) return 3;
  work();
  if (argc > 2 && std::string_view(argv[2]) == "cuda") {  // as the driver does when it is used first
    const char* const path = std::getenv("CUDA_INJECTION64_PATH");
    void* const inject = path != nullptr ? dlopen(path, RTLD_NOW) : nullptr;
    if (inject == nullptr) return 3;
    reinterpret_cast<int (*)()>(dlsym(inject, "InitializeInjection"))();
  }
  nvtxMarkA("last");
  return 0;
}
