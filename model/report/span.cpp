// SPDX-License-Identifier: Apache-2.0
#include "model/report/span.h"

#include <algorithm>

namespace lanescope::report {

bool isRecorded(trace::Ns start, trace::Ns end) {
  return start >= trace::kMinTime && end <= trace::kMaxTime && end >= start && (start != 0 || end != 0);
}

bool Span::take(const TableRow& row, int start, int end) {
  if (!row.isInteger(start)) return false;
  const trace::Ns from = row.integer(start);
  const trace::Ns to = row.isInteger(end) ? row.integer(end) : from;
  if (!isRecorded(from, to)) return false;
  range_ =
      range_ ? trace::TimeRange{std::min(range_->begin, from), std::max(range_->end, to)} : trace::TimeRange{from, to};
  return true;
}

namespace {

void takeRecorded(const Database& database, Span& span) {
  for (const char* table : {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER", "CUPTI_ACTIVITY_KIND_KERNEL",
                            "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
                            "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "OSRT_API", "NVTX_EVENTS"})
    scanTable(database, table, {"start", "end"}, [&](const TableRow& row) { span.take(row, 0, 1); });
  if (database.has("LANESCOPE_SOURCE"))
    scanTable(database, kOverheadTable, {"start", "end"}, [&](const TableRow& row) { span.take(row, 0, 1); });
}

}  // namespace

std::optional<trace::TimeRange> recordedSpan(const Database& database) {
  Span span;
  takeRecorded(database, span);
  return span.range();
}

Spans spansOf(const Database& database) {
  Span span;
  takeRecorded(database, span);
  const std::optional<trace::TimeRange> recorded = span.range();
  for (const char* table : {"GPU_METRICS", "LANESCOPE_CURVE_SAMPLES"})
    scanTable(database, table, {"timestamp"}, [&](const TableRow& row) { span.take(row, 0, 0); });
  for (const char* table :
       {"COMPOSITE_EVENTS", "SCHED_EVENTS", "LANESCOPE_PYTHON_SAMPLES", "CUDA_GPU_MEMORY_USAGE_EVENTS"})
    scanTable(database, table, {"start"}, [&](const TableRow& row) { span.take(row, 0, 0); });
  for (const char* table : {"LANESCOPE_GIL_WAITS", "CUBLAS_EVENTS", "CUDNN_EVENTS", "MPI_P2P_EVENTS",
                            "MPI_COLLECTIVES_EVENTS", "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS", kOverheadTable,
                            "CUDA_UM_CPU_PAGE_FAULT_EVENTS", "CUDA_UM_GPU_PAGE_FAULT_EVENTS"})
    scanTable(database, table, {"start", "end"}, [&](const TableRow& row) { span.take(row, 0, 1); });
  return {recorded, span.range()};
}

}  // namespace lanescope::report
