// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_session.h"

#include <cstdio>
#include <cstring>

#include "collector/inject/api_calls.h"
#include "collector/inject/cuda_streams.h"
#include "collector/inject/cupti_buffers.h"
#include "collector/inject/cupti_decode.h"
#include "collector/inject/cupti_trouble.h"
#include "collector/inject/exit_hook.h"
#include "collector/inject/facts.h"
#include "collector/inject/memory.h"
#include "collector/inject/process.h"
#include "collector/inject/unified_memory.h"

namespace lanescope::inject {
namespace {

CuptiLibrary cupti;
CUpti_SubscriberHandle subscriber;
CuptiBuffers buffers;
SubscribeTrouble trouble;
int ownerPid = 0;
bool wantsUnifiedMemory = false;
std::atomic<bool> started{false}, active{false};
std::atomic<bool> contextMade{false}, deviceSeen{false}, descriptionsAsked{false};

/// Where CUPTI before 12.9 gets to write when there is no buffer: it does not take null for an answer.
alignas(8) std::uint8_t discarded[64u << 10];

constexpr int kChunks = 8;
std::atomic<Chunk*> chunks[kChunks];

Chunk* takeChunk() {
  for (std::atomic<Chunk*>& slot : chunks) {
    if (Chunk* chunk = slot.exchange(nullptr, std::memory_order_acquire)) return chunk;
  }
  return static_cast<Chunk*>(mapPages(sizeof(Chunk)));
}

void giveBackChunk(Chunk* chunk) {
  for (std::atomic<Chunk*>& slot : chunks) {
    Chunk* none = nullptr;
    if (slot.compare_exchange_strong(none, chunk, std::memory_order_release)) return;
  }
  unmapPages(chunk, sizeof(Chunk));
}

void writeChunk(void* context, const char* records, std::uint32_t bytes) {
  auto& to = *static_cast<Session*>(context);
  if (!to.stream.append(wire::ChunkType::kCupti, records, bytes)) {
    to.losses.count(wire::LossKind::kWriteFailed, bytes);
  }
}

void CUPTIAPI onBufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) {
  *maxRecords = 0;
  *buffer = buffers.take();
  *size = buffers.bytes();
  if (*buffer != nullptr) return;
  *size = 0;
  if (Session* alive = session()) alive->losses.count(wire::LossKind::kBufferRefused);
  if (cupti.version < 27) {
    *buffer = discarded;
    *size = sizeof discarded;
  }
}

void decodeAll(Session& to, std::uint8_t* buffer, std::size_t validBytes) {
  Chunk* chunk = takeChunk();
  if (chunk == nullptr) {
    to.losses.count(wire::LossKind::kWriteFailed, validBytes);
    return;
  }
  DecodeContext context;
  context.version = cupti.version;
  context.window = captureWindow(to);
  context.apiName = apiName;
  context.apiLeftOut = to.options.allApis ? nullptr : isLeftOut;
  context.losses = &to.losses;
  chunk->begin(writeChunk, &to);
  CUpti_Activity* activity = nullptr;
  while (cupti.cuptiActivityGetNextRecord(buffer, validBytes, &activity) == CUPTI_SUCCESS) {
    decode(activity, context, *chunk);
  }
  chunk->finish();
  giveBackChunk(chunk);
  if (context.sawDevice) deviceSeen.store(true);
}

void CUPTIAPI onBufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                                std::size_t validBytes) {
  Session* alive = session();
  if (buffer == nullptr || alive == nullptr) return;
  if (validBytes > 0 && buffer != discarded) decodeAll(*alive, buffer, validBytes);
  std::size_t dropped = 0;
  if (cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS && dropped > 0) {
    alive->losses.count(wire::LossKind::kCuptiDropped, dropped);
  }
  if (buffer == discarded) return;
  if (validBytes > 0)
    std::memset(buffer, 0, buffers.bytes());  // here, so that CUPTI need not do it within a launch of the program
  buffers.giveBack(buffer);
}

void onResource(CUpti_CallbackId callback, const CUpti_ResourceData& resource) {
  if (callback == CUPTI_CBID_RESOURCE_CONTEXT_CREATED && !contextMade.exchange(true)) finishAtExit();
  if (callback == CUPTI_CBID_RESOURCE_STREAM_CREATED) streamCreated(cupti, resource);
}

void onState(CUpti_CallbackId callback, const CUpti_StateData& state) {
  if (callback != CUPTI_CBID_STATE_FATAL_ERROR) return;
  active.store(false);  // CUPTI has finalised itself
  char text[512];
  std::snprintf(text, sizeof text, "GPU data ends here: CUPTI reported a fatal error (%s)",
                state.notification.message != nullptr ? state.notification.message : "no reason given");
  tellUser(1, text);
}

void onCall(CUpti_CallbackDomain domain, CUpti_CallbackId callback, const CUpti_CallbackData& call) {
  onApiCall(domain, callback, call);
  if (!wantsUnifiedMemory || call.callbackSite != CUPTI_API_EXIT || thisThread.callDepth > 0) return;
  if (Session* alive = session(); alive != nullptr && contextMade.load()) startUnifiedMemory(cupti, alive->options);
}

void CUPTIAPI onCallback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId callback, const void* data) {
  if (data == nullptr) return;
  switch (domain) {
    case CUPTI_CB_DOMAIN_DRIVER_API:
    case CUPTI_CB_DOMAIN_RUNTIME_API:
      return onCall(domain, callback, *static_cast<const CUpti_CallbackData*>(data));
    case CUPTI_CB_DOMAIN_RESOURCE:
      return onResource(callback, *static_cast<const CUpti_ResourceData*>(data));
    case CUPTI_CB_DOMAIN_STATE:
      return onState(callback, *static_cast<const CUpti_StateData*>(data));
    default:
      return;
  }
}

bool subscribe(CuptiLibrary& library) {
  return subscribeTo(library, reinterpret_cast<CUpti_CallbackFunc>(onCallback), subscriber, trouble);
}

template <class Value>
void setAttribute(CUpti_ActivityAttribute attribute, Value value) {
  std::size_t size = sizeof value;
  cupti.cuptiActivitySetAttribute(attribute, &size, &value);
}

void setAttributes(const Options& options) {
  setAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, std::size_t{options.deviceBufferKb} << 10);
  setAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, std::size_t{options.devicePool});
  setAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, std::uint8_t{1});
  constexpr std::uint32_t kHasPerThreadBuffers = 21;  // 12.3
  if (cupti.version >= kHasPerThreadBuffers) {
    setAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, std::uint8_t{options.perThreadBuffers});
  }
  if (cupti.cuptiSetThreadIdType != nullptr) cupti.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
}

void enableKinds(const Options& options) {
  struct Kind {
    CUpti_ActivityKind kind;
    std::uint32_t bit;
    const char* what;  ///< null where its absence needs no word
  };
  constexpr Kind kKinds[] = {{CUPTI_ACTIVITY_KIND_DEVICE, kKindDescriptions, nullptr},
                             {CUPTI_ACTIVITY_KIND_CONTEXT, kKindDescriptions, nullptr},
                             {CUPTI_ACTIVITY_KIND_STREAM, kKindDescriptions, nullptr},
                             {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, kKindKernel, "kernels"},
                             {CUPTI_ACTIVITY_KIND_MEMCPY, kKindMemcpy, "copies"},
                             {CUPTI_ACTIVITY_KIND_MEMCPY2, kKindMemcpy, nullptr},
                             {CUPTI_ACTIVITY_KIND_MEMSET, kKindMemset, "memsets"},
                             {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, kKindSync, nullptr},
                             {CUPTI_ACTIVITY_KIND_OVERHEAD, kKindOverhead, nullptr},
                             {CUPTI_ACTIVITY_KIND_JIT, kKindJit, nullptr},
                             {CUPTI_ACTIVITY_KIND_CUDA_EVENT, kKindEvent, nullptr},
                             {CUPTI_ACTIVITY_KIND_MEMORY2, kKindMemory, "GPU memory usage"},
                             {CUPTI_ACTIVITY_KIND_GRAPH_TRACE, kKindGraph, nullptr}};
  const std::uint32_t wanted = options.graphNodes ? options.kinds & ~kKindGraph : options.kinds;
  for (const Kind& kind : kKinds) {
    if ((wanted & kind.bit) == 0) continue;
    const CUptiResult result = cupti.cuptiActivityEnable(kind.kind);
    if (result != CUPTI_SUCCESS && kind.what != nullptr) tellKindRefused(cupti, kind.what, result);
  }
  if (!options.allApis && cupti.cuptiActivityEnableAllSyncRecords != nullptr)
    cupti.cuptiActivityEnableAllSyncRecords(0);
  if ((wanted & kKindEvent) != 0 && cupti.cuptiActivityEnableCudaEventDeviceTimestamps != nullptr)
    cupti.cuptiActivityEnableCudaEventDeviceTimestamps(1);
}

void enableCallbacks(const Options& options) {
  cupti.cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_STATE);
  cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
  cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_STREAM_CREATED);
  enableApiCallbacks(cupti, subscriber, options);
}

/// Devices that were there before the kind was on have to be asked for. Not from a callback.
void askForDescriptions() {
  if (!contextMade.load() || deviceSeen.load() || cupti.cuptiActivityEnableAndDump == nullptr) return;
  if (descriptionsAsked.exchange(true)) return;
  cupti.cuptiActivityEnableAndDump(CUPTI_ACTIVITY_KIND_DEVICE);
  cupti.cuptiActivityEnableAndDump(CUPTI_ACTIVITY_KIND_CONTEXT);
  cupti.cuptiActivityEnableAndDump(CUPTI_ACTIVITY_KIND_STREAM);
  cupti.cuptiActivityFlushAll(0);
}

}  // namespace

void startCupti(Session& session) {
  if (started.exchange(true)) return;
  const bool found = findCupti(session.options.cupti, cupti, subscribe);
  if (!found || trouble.any()) {
    tellCuptiTrouble(session, found, trouble);
    return;
  }
  char version[16];
  std::snprintf(version, sizeof version, "%u", cupti.version);
  writeFact(session, "cupti-version", version);
  writeFact(session, "cupti-path", cupti.path);
  const Options& options = session.options;
  ownerPid = session.pid;
  wantsUnifiedMemory = (options.kinds & (kKindCpuFaults | kKindGpuFaults)) != 0;
  nameApiCalls(cupti);
  buffers.begin(std::size_t{options.bufferKb} << 10, 4);
  setAttributes(options);
  const CUptiResult registered = cupti.cuptiActivityRegisterCallbacks(onBufferRequested, onBufferCompleted);
  if (registered != CUPTI_SUCCESS) return tellKindRefused(cupti, "activity buffers", registered);
  if (options.latencyTimestamps && cupti.cuptiActivityEnableLatencyTimestamps != nullptr) {
    cupti.cuptiActivityEnableLatencyTimestamps(1);
  }
  enableCallbacks(options);
  enableKinds(options);
  if (options.apiRecorded && !options.apiByCallbacks) enableApiActivities(cupti, options);
  active.store(true);
  finishAtExit();
  hookExits();
  __atomic_fetch_add(&session.control->wake, 1, __ATOMIC_RELEASE);  // the flusher sleeps long without CUPTI
  wakeAll(&session.control->wake, Sharing::kEverybody);
}

bool cuptiActive() {
  const Session* alive = session();
  return active.load() && alive != nullptr && alive->pid == ownerPid;
}

void flushCupti(Flush flush) {
  if (!cuptiActive()) return;
  cupti.cuptiActivityFlushAll(0);
  if (contextMade.load()) startUnifiedMemory(cupti, session()->options);
  askForDescriptions();
  if (flush == Flush::kForced) cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}

void stopCupti() {
  if (!active.exchange(false)) return;
  char paths[1024];
  if (countCuptiCopies(paths, sizeof paths) > 1) {
    char text[1200];
    std::snprintf(text, sizeof text, "more than one CUPTI was loaded, GPU data may be incomplete: %s", paths);
    tellUser(1, text);
  }
}

}  // namespace lanescope::inject
