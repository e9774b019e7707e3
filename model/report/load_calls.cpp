// SPDX-License-Identifier: Apache-2.0
#include "model/report/loading.h"

namespace lanescope::report {

using trace::Event;
using trace::EventKind;
using trace::LaneInfo;
using trace::NameId;

namespace {

enum Column { kStart, kEnd, kGlobalTid, kName, kCorrelation, kClass };

/// Tables of calls that a thread made, one after or inside the other.
struct CallTable {
  const char* table;
  EventKind kind;
  const char* nameColumn;
};
constexpr CallTable kCallTables[] = {
    {"CUPTI_ACTIVITY_KIND_RUNTIME", EventKind::kCudaApi, "nameId"},
    {"CUPTI_ACTIVITY_KIND_DRIVER", EventKind::kCudaApi, "nameId"},
    {"OSRT_API", EventKind::kOsRuntime, "nameId"},
    {"SYSCALL", EventKind::kOsRuntime, "nameId"},
    {"CUBLAS_EVENTS", EventKind::kLibraryCall, "nameId"},
    {"CUDNN_EVENTS", EventKind::kLibraryCall, "nameId"},
    {"MPI_P2P_EVENTS", EventKind::kLibraryCall, "textId"},
    {"MPI_COLLECTIVES_EVENTS", EventKind::kLibraryCall, "textId"},
    {"MPI_START_WAIT_EVENTS", EventKind::kLibraryCall, "textId"},
    {"MPI_OTHER_EVENTS", EventKind::kLibraryCall, "textId"},
    {"PROFILER_OVERHEAD", EventKind::kOverhead, "nameId"},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", EventKind::kOverhead, "nameId"},
    {"CUPTI_ACTIVITY_KIND_JIT", EventKind::kOverhead, "nameId"},
};

/// OSRT_API also marks when a process began and ended to be recorded: no calls, of no thread, with no name.
bool isCall(const CallTable& what, const TableRow& row) {
  constexpr std::int64_t kStarted = 31, kFinished = 32;  // ENUM_NSYS_EVENT_CLASS
  const std::int64_t eventClass = row.integer(kClass);
  return std::string_view(what.table) != "OSRT_API" || (eventClass != kStarted && eventClass != kFinished);
}

void loadCallTable(Loading& loading, const CallTable& what) {
  if (!loading.wants(what.kind)) return;
  trace::TraceBuilder& builder = loading.builder;
  trace::Sequence* last = nullptr;
  std::int64_t lastTid = 0;
  const bool isMpi = std::string_view(what.table).starts_with("MPI_");  // whose calls may never have returned
  loading.forEach(what.table, {"start", "end", "globalTid", what.nameColumn, "correlationId", "eventClass"},
                  [&](const TableRow& row) {
                    if (!isCall(what, row)) return;
                    const bool isOpen = isMpi && row.isNull(kEnd);
                    if (!loading.hasTimes(row, kStart, isOpen ? kStart : kEnd)) return;
                    Event event{.start = row.integer(kStart),
                                .end = row.integer(isOpen ? kStart : kEnd),
                                .unfinished = isOpen,
                                .sourceRow = static_cast<std::uint64_t>(row.rowid())};
                    if (!builder.accept(event.start, event.end, what.kind)) return;
                    event.name = what.kind == EventKind::kCudaApi ? loading.strings.call(row.integer(kName))
                                                                  : loading.strings.name(row.integer(kName));
                    if (const std::int64_t tid = row.integer(kGlobalTid); !last || tid != lastTid) {
                      lastTid = tid;
                      LaneInfo info;
                      info.kind = what.kind;
                      info.table = builder.table(what.table);
                      info.thread = builder.thread(tid);
                      info.process = builder.draft().threads[info.thread].process;
                      last = &builder.sequence(info);
                    }
                    if (what.kind == EventKind::kCudaApi) event.correlation = row.integer(kCorrelation);
                    last->add(event);
                  });
  builder.finish();
}

void loadSynchronization(Loading& loading) {
  if (!loading.wants(EventKind::kSync)) return;
  enum Own { kDevice = 2, kSyncCorrelation, kGlobalPid };
  constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
  trace::TraceBuilder& builder = loading.builder;
  // Exporters disagree on the numbers of syncType (2 is a stream's wait for an event in one, cudaStreamSynchronize in
  // another), so a record goes by no more than what is sure; the call beside it, its partner, says the rest.
  const NameId name = builder.names().intern("Synchronization", "sync");
  loading.forEach(kTable, {"start", "end", "deviceId", "correlationId", "globalPid"}, [&](const TableRow& row) {
    if (!loading.hasTimes(row, kStart, kEnd)) return;
    const Event event{.start = row.integer(kStart),
                      .end = row.integer(kEnd),
                      .name = name,
                      .sourceRow = static_cast<std::uint64_t>(row.rowid()),
                      .correlation = row.integer(kSyncCorrelation)};
    if (!builder.accept(event.start, event.end, EventKind::kSync)) return;
    LaneInfo info;
    info.kind = EventKind::kSync;
    info.table = builder.table(kTable);
    info.process = loading.processOf(row, kGlobalPid);
    info.gpu = builder.gpu(info.process, row.integer(kDevice));
    builder.sequence(info).add(event);
  });
  builder.finish();
}

}  // namespace

void loadCalls(Loading& loading) {
  for (const CallTable& table : kCallTables) loadCallTable(loading, table);
  loadSynchronization(loading);
}

}  // namespace lanescope::report
