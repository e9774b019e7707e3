// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/api_calls.h"

#include <atomic>
#include <cstring>
#include <initializer_list>

#include "collector/inject/capture.h"
#include "collector/inject/clock.h"
#include "collector/inject/process.h"
#include "collector/inject/python_here.h"
#include "collector/inject/stack_copy.h"
#include "collector/inject/sync_calls.h"
#include "collector/inject/text.h"

namespace lanescope::inject {
namespace {

constexpr std::uint32_t kMostCallbacks = 2048;  // 13.0 has 523 and 807; later versions have more than we know

/// What is done with a call.
enum class Role : std::uint8_t {
  kLeftOut,
  kFollowed,  ///< not recorded, but the calls of the driver inside are its own business
  kRecorded,
  kLaunch,  ///< of the driver: recorded as soon as there is a sign of launches without the runtime
};

Text names[2][kMostCallbacks];
SyncCall syncCalls[2][kMostCallbacks];
Role roles[2][kMostCallbacks];
CallKind kinds[2][kMostCallbacks];
bool recordsCalls = false;
bool recordsAll = false;
bool recordsSync = false;
bool recordsStacks = false;  ///< native or Python's
const CuptiLibrary* cupti = nullptr;

// Each launch by the runtime is a launch by the driver inside, whose callback would cost as much again. So those are
// switched on only when the program takes a function from the driver itself.
CUpti_SubscriberHandle lazySubscriber = nullptr;
std::atomic<bool> launchesAreOff{false};

/// Getters, attribute queries and what polls in a loop: what Nsight Systems leaves out of the same programs.
constexpr struct {
  std::uint32_t callback;
  Role role = Role::kLeftOut;
} kNoisy[] = {{CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020},
              {CUPTI_RUNTIME_TRACE_CBID_cudaSetDevice_v3020, Role::kFollowed},
              {CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020},
              {CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020},
              {CUPTI_RUNTIME_TRACE_CBID_cudaGetErrorString_v3020},
              {CUPTI_RUNTIME_TRACE_CBID_cudaGetErrorName_v6050},
              {CUPTI_RUNTIME_TRACE_CBID_cudaDriverGetVersion_v3020},
              {CUPTI_RUNTIME_TRACE_CBID_cudaRuntimeGetVersion_v3020},
              {CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceCount_v3020},
              {CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetAttribute_v5000},
              {CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetStreamPriorityRange_v5050},
              {CUPTI_RUNTIME_TRACE_CBID_cudaFuncGetAttributes_v3020, Role::kFollowed},
              {CUPTI_RUNTIME_TRACE_CBID_cudaFuncSetAttribute_v9000, Role::kFollowed},
              {CUPTI_RUNTIME_TRACE_CBID_cudaPointerGetAttributes_v4000},
              {CUPTI_RUNTIME_TRACE_CBID_cudaGetSymbolAddress_v3020, Role::kFollowed},
              {CUPTI_RUNTIME_TRACE_CBID_cudaHostGetDevicePointer_v3020},
              {CUPTI_RUNTIME_TRACE_CBID_cudaOccupancyMaxActiveBlocksPerMultiprocessor_v6000, Role::kFollowed},
              {CUPTI_RUNTIME_TRACE_CBID_cudaOccupancyMaxActiveBlocksPerMultiprocessor_v6050, Role::kFollowed},
              {CUPTI_RUNTIME_TRACE_CBID_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_v7000, Role::kFollowed},
              {CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020},
              {CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_ptsz_v7000}};

bool startsWithOneOf(const char* name, std::initializer_list<const char*> starts) {
  for (const char* start : starts) {
    if (std::strncmp(name, start, std::strlen(start)) == 0) return true;
  }
  return false;
}

Role roleOfRuntime(std::uint32_t callback) {
  for (const auto& noisy : kNoisy) {
    if (noisy.callback == callback) return noisy.role;
  }
  return Role::kRecorded;
}

/// By name, so that variants and calls of later versions are among them.
Role roleOfDriver(const char* name) {
  if (startsWithOneOf(name, {"cuLaunch"})) return Role::kLaunch;
  if (startsWithOneOf(name, {"cuModuleGetFunction", "cuLinkCreate", "cuFuncLoad"})) return Role::kFollowed;
  if (startsWithOneOf(name, {"cuStreamIsCapturing", "cuStreamQuery", "cuStreamGetCaptureInfo", "cuMemGetInfo",
                             "cuMemGetAddressRange", "cuMemHostGetDevicePointer", "cuOccupancyMaxActiveBlocks"})) {
    return Role::kLeftOut;
  }
  return startsWithOneOf(name, {"cuMem", "cuGraphLaunch", "cuCtxSynchronize", "cuEvent", "cuStream", "cuLibrary",
                                "cuModuleLoad", "cuModuleUnload", "cuKernelGetFunction", "cuOccupancy"})
             ? Role::kRecorded
             : Role::kLeftOut;
}

CallKind kindOf(const char* name) {
  if (startsWithOneOf(name, {"cudaLaunch", "cuLaunch", "cudaGraphLaunch", "cuGraphLaunch"})) return CallKind::kKernel;
  if (std::strstr(name, "Synchronize") != nullptr ||
      startsWithOneOf(name, {"cudaStreamWaitEvent", "cuStreamWaitEvent"})) {
    return CallKind::kSync;
  }
  return startsWithOneOf(name, {"cudaMem", "cuMem", "cudaMalloc", "cudaFree", "cudaHost", "cudaArray", "cuArray"})
             ? CallKind::kMemory
             : CallKind::kOther;
}

/// How a program comes to a function that it can launch without the runtime.
bool namesFunction(const char* name) {
  return startsWithOneOf(name, {"cuModuleLoad", "cuModuleGetFunction", "cuLibraryLoad", "cuLibraryGetKernel",
                                "cuKernelGetFunction", "cuFuncLoad", "cuLinkCreate"});
}

bool isProfilerStart(bool runtime, std::uint32_t callback) {
  return runtime ? callback == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000
                 : callback == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart;
}
bool isProfilerStop(bool runtime, std::uint32_t callback) {
  return runtime ? callback == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000
                 : callback == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop;
}

void followProfilerCalls(Session& session, bool runtime, std::uint32_t callback, bool enter) {
  if (!enter && isProfilerStart(runtime, callback)) beginCapture(session);
  if (enter && isProfilerStop(runtime, callback)) endCapture(session);
}

/// Once, on the first sign that launches will not come through the runtime.
void followDriverLaunches(bool runtime, std::uint32_t callback) {
  if (!launchesAreOff.load(std::memory_order_relaxed)) return;
  const char* name = apiName(runtime, callback);
  const bool sign = runtime ? callback == CUPTI_RUNTIME_TRACE_CBID_cudaGetFuncBySymbol_v11000 ||
                                  callback == CUPTI_RUNTIME_TRACE_CBID_cudaGetKernel_v12000
                            : name != nullptr && namesFunction(name);
  if (!sign || !launchesAreOff.exchange(false)) return;
  for (std::uint32_t launch = 1; launch < kMostCallbacks; ++launch) {
    if (roles[0][launch] == Role::kLaunch) {
      cupti->cuptiEnableCallback(1, lazySubscriber, CUPTI_CB_DOMAIN_DRIVER_API, launch);
    }
  }
}

/// Of a call that took long enough.
void recordStacks(Session& session, ThreadRing& ring, CallKind kind, std::uint64_t start, std::uint64_t end) {
  constexpr std::uint32_t kBytes = 6144;
  const Options& options = session.options;
  const std::uint32_t from = options.cudaStacks[static_cast<std::size_t>(kind)];
  const bool isNative = options.wantsCudaStacks();
  if (isNative ? from == kNever || end - start < from : end - start < options.pythonStacksFrom) return;
  if (options.pythonStacks) appendPythonStack(session, ring, end);
  if (isNative) appendStack(ring, registersHere(), kBytes);
}

void recordCall(Session& session, bool runtime, std::uint32_t callback, const CUpti_CallbackData& call,
                std::uint64_t start) {
  const std::uint64_t end = now();
  ThreadRing* ring = threadRing();
  if (ring == nullptr) return;
  wire::Api record;
  if (call.functionReturnValue != nullptr) std::memcpy(&record.result, call.functionReturnValue, sizeof record.result);
  const SyncCall sync = callback < kMostCallbacks ? syncCalls[runtime][callback] : SyncCall();
  if (isUnansweredQuery(sync, record.result) && !recordsAll) return;
  record.start = start;
  record.end = end;
  record.tid = ring->header->tid;
  record.callback = callback;
  record.domain = runtime ? 1 : 0;
  if (callback < kMostCallbacks && names[runtime][callback].id != 0) {
    record.name = define(*ring, names[runtime][callback]);
  }
  const std::uint64_t dropped = ring->header->dropped;
  ring->append(record, wire::RecordType::kApi, call.correlationId);
  if (recordsStacks && callback < kMostCallbacks && ring->header->dropped == dropped) {
    recordStacks(session, *ring, kinds[runtime][callback], start, end);
  }
  if (recordsSync) recordSync(sync, *cupti, call, start, end, record.result, *ring);
}

}  // namespace

void nameApiCalls(const CuptiLibrary& library) {
  if (library.cuptiGetCallbackName == nullptr) return;
  const CUpti_CallbackDomain domains[] = {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RUNTIME_API};
  for (int runtime = 0; runtime < 2; ++runtime) {
    int unknown = 0;
    for (std::uint32_t callback = 1; callback < kMostCallbacks && unknown < 64; ++callback) {
      const char* name = nullptr;
      if (library.cuptiGetCallbackName(domains[runtime], callback, &name) != CUPTI_SUCCESS || name == nullptr ||
          std::strcmp(name, "INVALID") == 0) {
        ++unknown;
        continue;
      }
      unknown = 0;
      names[runtime][callback] = textOf(name);
      syncCalls[runtime][callback] = syncCallOf(name);
      roles[runtime][callback] = runtime == 1 ? roleOfRuntime(callback) : roleOfDriver(name);
      kinds[runtime][callback] = kindOf(name);
    }
  }
}

const char* apiName(bool runtime, std::uint32_t callback) {
  return callback < kMostCallbacks ? names[runtime][callback].bytes : nullptr;
}

bool isLeftOut(bool runtime, std::uint32_t callback) {
  return callback < kMostCallbacks && roles[runtime][callback] < Role::kRecorded;
}

bool enableApiCallbacks(const CuptiLibrary& library, CUpti_SubscriberHandle subscriber, const Options& options) {
  recordsCalls = options.apiRecorded && options.apiByCallbacks;
  recordsAll = options.allApis;
  recordsSync = (options.kinds & (kKindSync | kKindEvent)) == 0;
  recordsStacks = options.pythonStacks || options.wantsCudaStacks();
  cupti = &library;
  bool enabled = true;
  const auto enable = [&](CUpti_CallbackDomain domain, std::uint32_t callback) {
    return library.cuptiEnableCallback(1, subscriber, domain, callback) == CUPTI_SUCCESS;
  };
  if (recordsCalls) {
    enabled = library.cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API) == CUPTI_SUCCESS;
    if (recordsAll) {
      library.cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
    } else {
      for (const auto& noisy : kNoisy) {
        if (noisy.role == Role::kFollowed) continue;
        library.cuptiEnableCallback(0, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, noisy.callback);
      }
      for (std::uint32_t callback = 1; options.driverCalls && callback < kMostCallbacks; ++callback) {
        const Role role = roles[0][callback];
        if (role == Role::kFollowed || role == Role::kRecorded) enable(CUPTI_CB_DOMAIN_DRIVER_API, callback);
      }
      lazySubscriber = subscriber;
      launchesAreOff = options.driverCalls;
    }
  }
  if (profilerCallsCapture()) {
    enabled = enable(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000) && enabled;
    enable(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000);
    enable(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStart);
    enable(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
  }
  return enabled;
}

void enableApiActivities(const CuptiLibrary& library, const Options& options) {
  library.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME);
  if (options.driverCalls || options.allApis) library.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER);
  if (options.allApis) return;
  // Only after the whole kind is on, and only from CUPTI 12.5; before that they are left out at decoding.
  if (library.cuptiActivityEnableRuntimeApi != nullptr) {
    for (const auto& noisy : kNoisy) library.cuptiActivityEnableRuntimeApi(noisy.callback, 0);
  }
  if (library.cuptiActivityEnableDriverApi != nullptr && options.driverCalls) {
    for (std::uint32_t callback = 1; callback < kMostCallbacks; ++callback) {
      if (names[0][callback].id != 0 && isLeftOut(false, callback)) library.cuptiActivityEnableDriverApi(callback, 0);
    }
  }
}

void onApiCall(CUpti_CallbackDomain domain, CUpti_CallbackId callback, const CUpti_CallbackData& call) {
  const bool runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
  const bool enter = call.callbackSite == CUPTI_API_ENTER;
  Session* alive = session();
  if (alive == nullptr) return;  // a forked child that has not said anything yet
  if (profilerCallsCapture()) followProfilerCalls(*alive, runtime, callback, enter);
  if (!recordsCalls) return;
  if (enter) {
    const bool nested = thisThread.callDepth++ > 0 && !runtime;
    if (!nested) followDriverLaunches(runtime, callback);
    const bool kept = alive->capturing() && (recordsAll || (!nested && !isLeftOut(runtime, callback)));
    if (call.correlationData != nullptr) *call.correlationData = kept ? now() : 0;
    return;
  }
  if (thisThread.callDepth > 0) --thisThread.callDepth;
  const std::uint64_t start = call.correlationData != nullptr ? *call.correlationData : 0;
  if (start != 0) recordCall(*alive, runtime, callback, call, start);
}

}  // namespace lanescope::inject
