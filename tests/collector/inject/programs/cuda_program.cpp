// SPDX-License-Identifier: Apache-2.0
// A program that "uses CUDA": it calls the injected library as the driver would and drives the stand-in for libcupti.
//   cuda_program MOCK MODE [COUNT]
// "workers-HOW" leaves it to two children, made by HOW = fork, exec, vfork or spawn; "quiet-children" uses CUDA itself and
// has 400 children that do not; "until-cut" launches some more once the launcher has given the first ones up.
#include <cupti.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "collector/wire/session.h"
#include "tests/collector/inject/programs/mock_cupti.h"

namespace {

void* library = nullptr;

template <class F>
F* find(const char* name) {
  auto* function = reinterpret_cast<F*>(dlsym(library, name));
  if (function == nullptr) _exit(4);
  return function;
}

void askForEverything() {
  const std::string path = std::string(std::getenv(lanescope::wire::kSessionVariable)) + "/control";
  const int file = open(path.c_str(), O_RDWR);
  auto* control = static_cast<lanescope::wire::ControlPage*>(
      mmap(nullptr, sizeof(lanescope::wire::ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  __atomic_fetch_add(&control->flushAsked, 1, __ATOMIC_RELEASE);
  __atomic_fetch_add(&control->wake, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &control->wake, FUTEX_WAKE, 1000, nullptr, nullptr, 0);
  while (__atomic_load_n(&control->flushed, __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
}

/// Until the launcher has given the beginning of the recording back to the disk; false if it ended the recording.
bool waitForCut() {
  const std::filesystem::path session = std::getenv(lanescope::wire::kSessionVariable);
  for (;;) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(session, error)) {
      if (entry.path().extension() == ".kept") return true;
    }
    if (!std::filesystem::exists(session, error)) return false;
    std::this_thread::yield();
  }
}

bool endedWith(pid_t child, int code) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == code;
}

/// Two children that use CUDA, made as `how` says by a process that never does: whether both were content. In a child
/// that is to go on here, nothing.
std::optional<bool> makeWorkers(const std::string& how, char** argv) {
  static char itself[] = "return";
  char* words[] = {argv[0], argv[1], itself, argv[3], nullptr};
  pid_t children[2] = {};
  for (pid_t& child : children) {
    if (how == "spawn") {
      if (posix_spawn(&child, argv[0], nullptr, nullptr, words, environ) != 0) return false;
      continue;
    }
    child = how == "vfork" ? vfork() : fork();
    if (child != 0) continue;
    if (how == "fork") return std::nullopt;
    execv(argv[0], words);
    _exit(127);
  }
  bool content = true;
  for (const pid_t child : children) content &= endedWith(child, 0);
  return content;
}

/// Children of a process that has used CUDA, which themselves only compute. Eight at a time, of which each ends in one
/// of three ways. Nothing in a child that is to return from main, else whether all ended as they meant to.
std::optional<bool> makeQuietChildren(int rounds) {
  constexpr int kAtOnce = 8, kReturned = 7;
  for (int round = 0; round < rounds; ++round) {
    pid_t children[kAtOnce] = {};
    for (int i = 0; i < kAtOnce; ++i) {
      children[i] = fork();
      if (children[i] != 0) continue;
      alarm(60);  // a child that hangs ends otherwise than it meant to
      std::vector<std::unique_ptr<int[]>> memory;
      for (int size = 1; size < 2000; ++size) memory.push_back(std::make_unique<int[]>(static_cast<std::size_t>(size)));
      if (i % 3 == 0) _exit(i);
      if (i % 3 == 1) return std::nullopt;
      raise(SIGTERM);
    }
    for (int i = 0; i < kAtOnce; ++i) {
      int status = 0;
      if (waitpid(children[i], &status, 0) != children[i]) return false;
      const bool asMeant = i % 3 == 2   ? WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM
                           : i % 3 == 1 ? WIFEXITED(status) && WEXITSTATUS(status) == kReturned
                                        : WIFEXITED(status) && WEXITSTATUS(status) == i;
      if (!asMeant) return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::string mode = argv[2];
  const int count = argc > 3 ? std::atoi(argv[3]) : 100;
  if (mode.starts_with("workers-")) {
    if (const auto content = makeWorkers(mode.substr(8), argv)) return *content ? 0 : 9;
    mode = "return";
  }
  void* inject = dlopen(std::getenv("CUDA_INJECTION64_PATH"), RTLD_NOW);
  if (inject == nullptr) return 5;
  auto* initialize = reinterpret_cast<int (*)()>(dlsym(inject, "InitializeInjection"));
  if (mode == "loaded") library = dlopen(argv[1], RTLD_NOW);
  if (initialize == nullptr || initialize() != 1 || initialize() != 1) return 6;
  library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) return 7;
  auto* launch = find<decltype(mockLaunch)>("mockLaunch");
  auto* runtimeCall = find<decltype(mockRuntimeCall)>("mockRuntimeCall");
  auto* driverCall = find<decltype(mockDriverCall)>("mockDriverCall");
  auto* flushes = find<decltype(mockFlushes)>("mockFlushes");

  nvtxRangePushA("step");
  if (mode == "threads") {
    std::vector<std::thread> all;
    for (int i = 0; i < 8; ++i) {
      all.emplace_back([=] {
        for (int call = 0; call < count; ++call) launch();
      });
    }
    for (std::thread& thread : all) thread.join();
  } else if (mode == "profiler") {
    for (int i = 0; i < 3; ++i) {
      launch();
      runtimeCall(CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000);
      for (int call = 0; call < count; ++call) launch();
      runtimeCall(CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000);
    }
  } else if (mode == "driver") {  // launches before and after it took a function from the driver
    for (int i = 0; i < count; ++i) driverCall(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
    driverCall(CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction);
    for (int i = 0; i < count; ++i) driverCall(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
  } else if (mode == "within") {
    for (int i = 0; i < count; ++i) {
      find<decltype(mockCallWithin)>("mockCallWithin")(CUPTI_RUNTIME_TRACE_CBID_cudaFuncSetAttribute_v9000,
                                                       CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData);
      driverCall(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
    }
  } else if (mode == "calls") {
    driverCall(CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction);
    for (int i = 0; i < count; ++i) {
      runtimeCall(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020);
      runtimeCall(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020);
      driverCall(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
      driverCall(CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent);
    }
  } else if (mode == "sync") {
    auto* callWith = find<decltype(mockCallWith)>("mockCallWith");
    constexpr std::uint64_t kStream = 0x5550010, kFirst = 0x9990010, kSecond = 0x9990020;
    constexpr std::uint32_t kNotReady = 600;
    find<decltype(mockCreateStream)>("mockCreateStream")(kStream);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, kFirst, kStream, 0, true);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, kSecond, 0, 0, true);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, kFirst, kStream, 0, true);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020, kStream, kSecond, 0, true);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020, kFirst, 0, kNotReady, true);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020, kFirst, 0, 0, true);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaEventSynchronize_v3020, kFirst, 0, 0, true);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020, kStream, 0, 0, true);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020, 0, 0, 0, true);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_ptsz_v7000, 0, 0, 0, true);
    callWith(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020, kStream, 0, 700, true);
    callWith(CUPTI_DRIVER_TRACE_CBID_cuEventRecord, kSecond, kStream, 0, false);
  } else if (mode == "names") {
    find<decltype(mockCreateStream)>("mockCreateStream")(0x5550010);
    nvtxNameCudaStreamA(reinterpret_cast<cudaStream_t>(0x5550010), "copies");
    nvtxNameCudaStreamA(reinterpret_cast<cudaStream_t>(0x5550020), "unknown");
  } else {
    for (int i = 0; i < count; ++i) launch();
  }
  nvtxRangePop();
  if (mode == "quiet-children") {
    const auto asMeant = makeQuietChildren(50);
    if (!asMeant) return 7;
    if (!*asMeant) return 9;
    for (int i = 0; i < count; ++i) launch();
  }
  if (mode == "until-cut") {
    if (!waitForCut()) return 10;
    for (int i = 0; i < 10; ++i) launch();
  }
  if (mode == "kill") {
    const std::uint32_t before = flushes();
    while (flushes() < before + 2) std::this_thread::yield();  // the timer's; two so that one was asked after the last
    raise(SIGKILL);
  }
  if (mode == "asked") {
    askForEverything();
    raise(SIGKILL);
  }
  if (mode == "kill-at-once") raise(SIGKILL);
  if (mode == "_exit") _exit(5);
  return 0;
}
