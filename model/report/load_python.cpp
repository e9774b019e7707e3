// SPDX-License-Identifier: Apache-2.0
#include "model/report/loading.h"

namespace lanescope::report {

using trace::Event;
using trace::EventKind;
using trace::LaneInfo;

namespace {

void loadOfThreads(Loading& loading, const char* table, EventKind kind, trace::NameId name) {
  enum Column { kStart, kGlobalTid, kEnd };
  if (!loading.wants(kind) || !loading.database.has(table)) return;
  trace::TraceBuilder& builder = loading.builder;
  const bool isInstant = kind == EventKind::kPythonSample;
  const int last = isInstant ? kStart : kEnd;
  loading.forEach(table, {"start", "globalTid", isInstant ? "start" : "end"}, [&](const TableRow& row) {
    if (!loading.hasTimes(row, kStart, last) || !loading.hasThread(row, kGlobalTid)) return;
    const Event event{.start = row.integer(kStart),
                      .end = row.integer(last),
                      .name = name,
                      .sourceRow = static_cast<std::uint64_t>(row.rowid())};
    if (isInstant ? !builder.acceptInstant(event.start, kind) : !builder.accept(event.start, event.end, kind)) return;
    LaneInfo info;
    info.kind = kind;
    info.table = builder.table(table);
    info.thread = builder.thread(row.integer(kGlobalTid));
    info.process = builder.draft().threads[info.thread].process;
    builder.sequence(info).add(event);
  });
  builder.finish();
}

}  // namespace

void loadPython(Loading& loading) {
  trace::NameTable& names = loading.builder.names();
  loadOfThreads(loading, "LANESCOPE_PYTHON_SAMPLES", EventKind::kPythonSample, names.intern("Python sample"));
  loadOfThreads(loading, "LANESCOPE_GIL_WAITS", EventKind::kGilWait,
                names.intern("Waiting for the interpreter lock", "GIL"));
}

}  // namespace lanescope::report
