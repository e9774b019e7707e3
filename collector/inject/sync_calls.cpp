// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/sync_calls.h"

#include <atomic>
#include <cstring>

#include "collector/inject/cuda_streams.h"
#include "collector/inject/handle_table.h"

namespace lanescope::inject {
namespace {

constexpr std::uint32_t kNotOfIt = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
constexpr std::uint32_t kNotReady = 600;  // cudaErrorNotReady, CUDA_ERROR_NOT_READY

struct Event {
  std::uint32_t id;          ///< 0 before it was seen
  std::uint32_t lastRecord;  ///< 0 before it was recorded
};
HandleTable<Event, 14> events;
std::atomic<std::uint32_t> lastEvent{0}, lastRecord{0};

Event seen(std::uint64_t handle, bool recorded) {
  return events.update(handle, [&](Event& event) {
    if (event.id == 0) event.id = lastEvent.fetch_add(1, std::memory_order_relaxed) + 1;
    if (recorded) event.lastRecord = lastRecord.fetch_add(1, std::memory_order_relaxed) + 1;
  });
}

bool startsWith(const char* text, const char* start) { return std::strncmp(text, start, std::strlen(start)) == 0; }

/// The calls' parameters lie in the order of their declaration, each handle in 8 bytes.
std::uint64_t handleAt(const CUpti_CallbackData& call, int place) {
  std::uint64_t handle = 0;
  std::memcpy(&handle, static_cast<const char*>(call.functionParams) + 8 * place, sizeof handle);
  return handle;
}

}  // namespace

SyncCall syncCallOf(const char* name) {
  static constexpr struct {
    const char* name;
    SyncCall::Kind kind;
  } kCalls[] = {{"StreamSynchronize", SyncCall::kStreamSynchronize},
                {"StreamWaitEvent", SyncCall::kStreamWait},
                {"EventSynchronize", SyncCall::kEventSynchronize},
                {"EventQuery", SyncCall::kEventQuery},
                {"EventRecord", SyncCall::kEventRecord}};
  const char* call = startsWith(name, "cuda") ? name + 4 : startsWith(name, "cu") ? name + 2 : name;
  for (const auto& known : kCalls) {
    if (startsWith(call, known.name)) return {known.kind, std::strstr(call, "_ptsz") != nullptr};
  }
  return {};
}

bool isUnansweredQuery(SyncCall of, std::uint32_t result) {
  return of.kind == SyncCall::kEventQuery && result == kNotReady;
}

void recordSync(SyncCall of, const CuptiLibrary& library, const CUpti_CallbackData& call, std::uint64_t start,
                std::uint64_t end, std::uint32_t result, ThreadRing& ring) {
  const auto [kind, perThread] = of;
  if (kind == SyncCall::kNone || result != 0 || call.functionParams == nullptr) return;
  if (kind == SyncCall::kEventRecord) {
    const CudaStream on = streamOfCall(library, call, handleAt(call, 1), perThread);
    const Event event = seen(handleAt(call, 0), true);
    wire::CudaEvent record;
    record.context = on.context, record.stream = on.stream;
    record.event = event.id, record.eventSync = event.lastRecord, record.hostTime = start;
    ring.append(record, wire::RecordType::kCudaEvent, call.correlationId);
    return;
  }
  wire::Sync record;
  record.start = start, record.end = end;
  record.context = call.contextUid, record.stream = kNotOfIt;
  record.event = kNotOfIt, record.eventSync = kNotOfIt;
  if (kind == SyncCall::kStreamSynchronize || kind == SyncCall::kStreamWait) {
    const CudaStream on = streamOfCall(library, call, handleAt(call, 0), perThread);
    record.context = on.context, record.stream = on.stream;
  }
  record.type = kind == SyncCall::kStreamSynchronize ? CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE
                : kind == SyncCall::kStreamWait      ? CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT
                                                     : CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE;
  if (kind != SyncCall::kStreamSynchronize) {
    const Event event = seen(handleAt(call, kind == SyncCall::kStreamWait ? 1 : 0), false);
    record.event = event.id;
    if (event.lastRecord != 0) record.eventSync = event.lastRecord;
  }
  ring.append(record, wire::RecordType::kSync, call.correlationId);
}

}  // namespace lanescope::inject
