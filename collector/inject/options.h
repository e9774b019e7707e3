// SPDX-License-Identifier: Apache-2.0
// What the launcher asks of the injected library: the "name=value" lines of DIR/options, then those of the environment
// variable LANESCOPE_INJECT_OPTIONS (separated by ';', for measurements). Unknown names are left alone: a newer launcher
// may know more. Parsed once at the start; plain data after that.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope::inject {

inline constexpr const char* kMoreOptionsVariable = "LANESCOPE_INJECT_OPTIONS";

/// Bits of Options::kinds, by the names that cupti-kinds takes.
enum ActivityKinds : std::uint32_t {
  kKindKernel = 1u << 0,
  kKindMemcpy = 1u << 1,
  kKindMemset = 1u << 2,
  kKindSync = 1u << 3,
  kKindOverhead = 1u << 4,
  kKindJit = 1u << 5,
  kKindEvent = 1u << 6,
  kKindGraph = 1u << 7,
  kKindDescriptions = 1u << 8,  ///< devices, contexts, streams
  kKindMemory = 1u << 9,  ///< allocations and releases
  kKindCpuFaults = 1u << 10,  ///< unified memory: page faults of the CPU, and pages that moved
  kKindGpuFaults = 1u << 11,
  kOnRequest = kKindSync | kKindEvent | kKindMemory | kKindCpuFaults | kKindGpuFaults,
  kDefaultKinds = ~std::uint32_t{kOnRequest},  ///< of sync and event the calls tell, for less (sync_calls.h)
};

enum class CaptureBy : std::uint8_t { kNone, kProfilerApi, kNvtx };
/// What the end of a capture range means. Shutting the program down is the launcher's work.
enum class CaptureEnd : std::uint8_t { kIgnored, kStop, kRepeat };

/// Which of them have stacks, by the names that cuda-stacks-NAME takes.
enum class CallKind : std::uint8_t { kKernel, kMemory, kSync, kOther };
inline constexpr std::size_t kCallKinds = 4;
inline constexpr std::uint32_t kNever = ~std::uint32_t{0};

struct Options {
  static constexpr std::size_t kLongest = 1024;

  bool cuda = true, nvtx = true;  // trace=cuda,nvtx,osrt,mpi
  bool osRuntime = false, mpi = false;  // for who is preloaded
  bool osFileAccess = false;  // osrt-file-access=0|1
  std::uint32_t osThreshold = 1000, osStackThreshold = 80000;  // osrt-threshold=N, osrt-backtrace-threshold=N, ns
  std::uint32_t osStackBytes = 6144;  // osrt-backtrace-stack-size=N, 0 none
  std::uint32_t cpuTimerHertz = 0;  // cpu-timers=N, 0 none
  std::uint32_t cudaStacks[kCallKinds] = {kNever, kNever, kNever, kNever};  // cuda-stacks-kernel=N, …, ns
  std::uint32_t pythonStacksFrom = 1000;  // python-stacks-from=N, ns, where cuda-stacks-… do not say it
  bool pythonStacks = false, pythonGil = false;  // python-stacks=0|1, python-gil=0|1
  bool apiByCallbacks = true;  // api=callbacks|activity|none
  bool apiRecorded = true;  //
  bool graphNodes = false;  // cuda-graph-trace=graph|node
  bool allApis = false;  // cuda-trace-all-apis=0|1
  bool driverCalls = true;  // cupti-driver=0|1
  bool perThreadBuffers = true;  // cupti-per-thread=0|1
  bool latencyTimestamps = false;  // cupti-latency=0|1
  std::uint32_t flushMs = 200;  // cuda-flush-interval-ms=N, 0 only at the end
  std::uint32_t writeMs = 50;  // write-interval-ms=N
  std::uint32_t bufferKb = 2048;  // cupti-buffer-kb=N
  std::uint32_t deviceBufferKb = 3125;  // cupti-device-buffer-kb=N
  std::uint32_t devicePool = 64;  // cupti-device-pool=N
  CaptureBy captureBy = CaptureBy::kNone;  // capture=none|cudaProfilerApi|nvtx
  CaptureEnd captureEnd = CaptureEnd::kStop;  // capture-end=none|stop|stop-shutdown|repeat[:N]|…
  std::uint32_t captures = 0;  // repeat=N, 0 without end
  std::uint32_t kinds = kDefaultKinds;  // cupti-kinds=kernel,memcpy,… of ActivityKinds
  char nvtxCapture[kLongest] = {};  // nvtx-capture=range@domain
  char nvtxInclude[kLongest] = {}, nvtxExclude[kLongest] = {};  // nvtx-domain-include=…, nvtx-domain-exclude=…
  char cupti[kLongest] = {};  // cupti=PATH
  char rings[kLongest] = {};  // rings=FOLDER

  bool wantsCudaStacks() const {
    for (const std::uint32_t from : cudaStacks) {
      if (from != kNever) return true;
    }
    return false;
  }
};

/// Takes the values that the lines name; the rest stays.
void parseOptions(const char* text, std::size_t length, char separator, Options& options);

/// Whether a comma-separated list names it; "\," is a comma within a name.
bool listNames(const char* list, const char* name);

}  // namespace lanescope::inject
