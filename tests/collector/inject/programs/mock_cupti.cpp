// SPDX-License-Identifier: Apache-2.0
// A stand-in for libcupti: the functions that the injected library binds, driven from the program's threads. Buffers are
// per thread as in CUPTI 12.3 and later, and every callback is made with CUPTI's own lock held, so that a lock of ours
// held over a call of CUPTI would be found. The environment variable MOCK_CUPTI: taken, refused.
#include "tests/collector/inject/programs/mock_cupti.h"

#include <cupti.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

namespace {

struct Buffer {
  std::uint8_t* bytes = nullptr;
  std::size_t size = 0, used = 0;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
CUpti_CallbackFunc callback = nullptr;
CUpti_BuffersCallbackRequestFunc requested = nullptr;
CUpti_BuffersCallbackCompleteFunc completed = nullptr;
bool kinds[128] = {};
bool enabled[CUPTI_CB_DOMAIN_SIZE][2048] = {};
std::vector<Buffer*> buffers;
std::atomic<std::uint32_t> correlation{0}, flushes{0};
bool described = false;

struct Hold {
  Hold() { pthread_mutex_lock(&lock); }
  ~Hold() { pthread_mutex_unlock(&lock); }
};

bool mode(const char* wanted) {
  const char* set = std::getenv("MOCK_CUPTI");
  return set != nullptr && std::strcmp(set, wanted) == 0;
}

std::uint64_t realtime() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000000000ull + static_cast<std::uint64_t>(now.tv_nsec);
}

std::size_t sizeOf(CUpti_ActivityKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_DEVICE:
      return sizeof(CUpti_ActivityDevice5);
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
      return sizeof(CUpti_ActivityUnifiedMemoryCounter3);
    case CUPTI_ACTIVITY_KIND_CONTEXT:
      return sizeof(CUpti_ActivityContext3);
    default:
      return 0;
  }
}

Buffer& myBuffer() {
  static thread_local Buffer* mine = nullptr;
  if (mine == nullptr) buffers.push_back(mine = new Buffer);
  return *mine;
}

void complete(Buffer& buffer) {
  if (buffer.bytes == nullptr) return;
  completed(nullptr, 0, buffer.bytes, buffer.size, buffer.used);
  buffer = {};
}

/// With the lock held.
void emit(const void* record, CUpti_ActivityKind kind) {
  if (!kinds[kind]) return;
  Buffer& buffer = myBuffer();
  const std::size_t size = sizeOf(kind);
  if (buffer.bytes != nullptr && buffer.size - buffer.used < size) complete(buffer);
  if (buffer.bytes == nullptr) {
    std::size_t most = 0;
    requested(&buffer.bytes, &buffer.size, &most);
    if (buffer.bytes == nullptr) return;
  }
  std::memcpy(buffer.bytes + buffer.used, record, size);
  buffer.used += size;
}

void call(CUpti_CallbackDomain domain, std::uint32_t id, CUpti_ApiCallbackSite site, std::uint64_t& data,
          std::uint32_t correlationId) {
  if (callback == nullptr || !enabled[domain][id]) return;
  int result = 0;
  CUpti_CallbackData values = {};
  values.callbackSite = site;
  values.correlationData = &data;
  values.correlationId = correlationId;
  values.functionReturnValue = &result;
  callback(nullptr, domain, id, &values);
}

void describe() {
  if (described) return;
  described = true;
  CUpti_ResourceData resource = {};
  if (callback != nullptr) callback(nullptr, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED, &resource);
  CUpti_ActivityDevice5 device = {};
  device.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  device.name = strdup("Mock GPU");
  device.numMultiprocessors = 132;
  emit(&device, CUPTI_ACTIVITY_KIND_DEVICE);
  CUpti_ActivityContext3 context = {};
  context.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
  context.contextId = 1;
  context.nullStreamId = 7;
  emit(&context, CUPTI_ACTIVITY_KIND_CONTEXT);
}

constexpr std::uint32_t kLaunchRuntime = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
constexpr std::uint32_t kLaunchDriver = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;

}  // namespace

#define MOCK extern "C" __attribute__((visibility("default")))

MOCK void mockLaunch() {
  const std::uint32_t id = ++correlation;
  std::uint64_t runtimeData = 0, driverData = 0;
  const std::uint64_t start = realtime();
  call(CUPTI_CB_DOMAIN_RUNTIME_API, kLaunchRuntime, CUPTI_API_ENTER, runtimeData, id);
  call(CUPTI_CB_DOMAIN_DRIVER_API, kLaunchDriver, CUPTI_API_ENTER, driverData, id);
  {
    const Hold hold;
    describe();
    CUpti_ActivityKernel10 kernel = {};
    kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.start = realtime();
    kernel.end = kernel.start + 1000;
    kernel.correlationId = id;
    kernel.name = "_Z4stepPfi";
    kernel.gridX = 3;
    kernel.contextId = 1;
    kernel.streamId = 7;
    emit(&kernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    CUpti_ActivityAPI api = {};
    api.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    api.cbid = kLaunchRuntime;
    api.start = start;
    api.end = realtime();
    api.threadId = static_cast<std::uint32_t>(syscall(SYS_gettid));
    api.correlationId = id;
    emit(&api, CUPTI_ACTIVITY_KIND_RUNTIME);
  }
  call(CUPTI_CB_DOMAIN_DRIVER_API, kLaunchDriver, CUPTI_API_EXIT, driverData, id);
  call(CUPTI_CB_DOMAIN_RUNTIME_API, kLaunchRuntime, CUPTI_API_EXIT, runtimeData, id);
}

MOCK void mockRuntimeCall(std::uint32_t id) {
  std::uint64_t data = 0;
  call(CUPTI_CB_DOMAIN_RUNTIME_API, id, CUPTI_API_ENTER, data, 0);
  call(CUPTI_CB_DOMAIN_RUNTIME_API, id, CUPTI_API_EXIT, data, 0);
}

MOCK void mockDriverCall(std::uint32_t id) {
  std::uint64_t data = 0;
  call(CUPTI_CB_DOMAIN_DRIVER_API, id, CUPTI_API_ENTER, data, 0);
  call(CUPTI_CB_DOMAIN_DRIVER_API, id, CUPTI_API_EXIT, data, 0);
}

MOCK void mockCallWithin(std::uint32_t runtimeId, std::uint32_t driverId) {
  std::uint64_t data = 0;
  call(CUPTI_CB_DOMAIN_RUNTIME_API, runtimeId, CUPTI_API_ENTER, data, 0);
  mockDriverCall(driverId);
  call(CUPTI_CB_DOMAIN_RUNTIME_API, runtimeId, CUPTI_API_EXIT, data, 0);
}

/// A call with up to two handles as its parameters.
MOCK void mockCallWith(std::uint32_t id, std::uint64_t first, std::uint64_t second, std::uint32_t answer,
                       bool runtime) {
  const CUpti_CallbackDomain domain = runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
  if (!enabled[domain][id]) return;
  const std::uint64_t handles[2] = {first, second};
  std::uint64_t data = 0;
  CUpti_CallbackData values = {};
  values.correlationData = &data;
  values.correlationId = ++correlation;
  values.functionParams = handles;
  values.functionReturnValue = &answer;
  values.context = reinterpret_cast<CUcontext>(0x77);
  values.contextUid = 1;
  for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
    values.callbackSite = site;
    callback(nullptr, domain, id, &values);
  }
}

MOCK void mockCreateStream(std::uint64_t handle) {
  CUpti_ResourceData resource = {};
  resource.resourceHandle.stream = reinterpret_cast<CUstream>(handle);
  callback(nullptr, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_STREAM_CREATED, &resource);
}

MOCK std::uint32_t mockFlushes() { return flushes.load(); }

MOCK CUptiResult cuptiGetVersion(std::uint32_t* version) {
  *version = CUPTI_API_VERSION;
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
  *text = "mock error";
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc function, void*) {
  if (mode("refused")) return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  callback = function;
  *subscriber = nullptr;
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc function, void* data,
                                   CUpti_SubscriberParams* parameters) {
  if (mode("taken")) {
    std::strncpy(parameters->oldSubscriberName, "another profiler", parameters->oldSubscriberSize - 1);
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  }
  return cuptiSubscribe(subscriber, function, data);
}
MOCK CUptiResult cuptiEnableCallback(std::uint32_t on, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                                     CUpti_CallbackId id) {
  enabled[domain][id] = on != 0;
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiEnableDomain(std::uint32_t on, CUpti_SubscriberHandle, CUpti_CallbackDomain domain) {
  for (bool& one : enabled[domain]) one = on != 0;
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, std::uint32_t id, const char** name) {
  static constexpr struct {
    CUpti_CallbackDomain domain;
    std::uint32_t id;
    const char* name;
  } kNames[] = {
      {CUPTI_CB_DOMAIN_RUNTIME_API, kLaunchRuntime, "cudaLaunchKernel_v7000"},
      {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020, "cudaGetDevice_v3020"},
      {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020,
       "cudaDeviceSynchronize_v3020"},
      {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_ptsz_v7000,
       "cudaStreamSynchronize_ptsz_v7000"},
      {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020,
       "cudaStreamSynchronize_v3020"},
      {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020, "cudaStreamWaitEvent_v3020"},
      {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020, "cudaEventQuery_v3020"},
      {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaEventSynchronize_v3020, "cudaEventSynchronize_v3020"},
      {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, "cudaEventRecord_v3020"},
      {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuEventRecord, "cuEventRecord"},
      {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData, "cuLibraryLoadData"},
      {CUPTI_CB_DOMAIN_DRIVER_API, kLaunchDriver, "cuLaunchKernel"},
      {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction, "cuModuleGetFunction"}};
  *name = "other";
  for (const auto& known : kNames) {
    if (known.domain == domain && known.id == id) *name = known.name;
  }
  return id < 800 ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
MOCK CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                                CUpti_BuffersCallbackCompleteFunc complete) {
  requested = request;
  completed = complete;
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  kinds[kind] = true;
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiActivityConfigureUnifiedMemoryCounter(CUpti_ActivityUnifiedMemoryCounterConfig* configs,
                                                            std::uint32_t count) {
  if (!described) return CUPTI_ERROR_NOT_INITIALIZED;
  kinds[CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER] = true;
  const Hold hold;
  for (std::uint32_t i = 0; i < count; ++i) {
    CUpti_ActivityUnifiedMemoryCounter3 counter = {};
    counter.kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER;
    counter.counterKind = configs[i].kind;
    counter.start = counter.end = realtime();
    emit(&counter, CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  }
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute, std::size_t*, void*) { return CUPTI_SUCCESS; }
MOCK CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* dropped) {
  *dropped = 0;
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
  auto* next = *record == nullptr ? buffer : reinterpret_cast<std::uint8_t*>(*record) + sizeOf((*record)->kind);
  if (next >= buffer + valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiActivityFlushAll(std::uint32_t) {
  const Hold hold;
  for (Buffer* buffer : buffers) complete(*buffer);
  ++flushes;
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiGetStreamIdEx(CUcontext, CUstream handle, std::uint8_t perThread, std::uint32_t* stream) {
  *stream = handle != nullptr ? 13 : perThread != 0 ? 8 : 7;
  return CUPTI_SUCCESS;
}
MOCK CUptiResult cuptiGetContextId(CUcontext, std::uint32_t* context) {
  *context = 1;
  return CUPTI_SUCCESS;
}
