// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "model/report/loading.h"

namespace lanescope::report {

using trace::Event;
using trace::EventKind;
using trace::LaneInfo;
using trace::NameId;

namespace {

/// What is read of every table of GPU work; the last two are the kind's own.
enum Column { kStart, kEnd, kDevice, kContext, kStream, kCorrelation, kGlobalPid, kOwn, kOwn2 };

/// Finds the sequence of a stream, remembering the last: rows of one stream come in runs.
class StreamSequences {
 public:
  StreamSequences(Loading& loading, EventKind kind, const char* table)
      : loading_(loading), kind_(kind), table_(table) {}

  trace::Sequence& of(const TableRow& row, std::uint8_t copyKind = 0) {
    const std::array<std::int64_t, 5> key{row.integer(kDevice), row.integer(kContext), row.integer(kStream),
                                          row.integer(kGlobalPid), copyKind};
    if (!last_ || key != lastKey_) {
      lastKey_ = key;
      trace::TraceBuilder& builder = loading_.builder;
      LaneInfo info;
      info.kind = kind_;
      info.copyKind = copyKind;
      info.table = builder.table(table_);
      info.process = loading_.processOf(row, kGlobalPid);
      info.gpu = builder.gpu(info.process, key[0]);
      info.stream = builder.stream(info.gpu, key[1], key[2]);
      last_ = &builder.sequence(info);
    }
    return *last_;
  }

 private:
  Loading& loading_;
  EventKind kind_;
  const char* table_;
  std::array<std::int64_t, 5> lastKey_{};
  trace::Sequence* last_ = nullptr;
};

/// Reads one table of GPU work; `fill(row, event)` adds what the kind has of its own, `copyKind(row)` picks the lane.
template <class Fill, class CopyKind>
void loadWork(Loading& loading, EventKind kind, const char* table, std::string_view own, std::string_view own2,
              Fill fill, CopyKind copyKind) {
  if (!loading.wants(kind)) return;
  StreamSequences sequences(loading, kind, table);
  const std::vector<std::string_view> columns{"start",         "end",       "deviceId", "contextId", "streamId",
                                              "correlationId", "globalPid", own,        own2};
  loading.forEach(table, columns, [&](const TableRow& row) {
    if (!loading.hasTimes(row, kStart, kEnd)) return;
    Event event{
        .start = row.integer(kStart), .end = row.integer(kEnd), .sourceRow = static_cast<std::uint64_t>(row.rowid())};
    if (!loading.builder.accept(event.start, event.end, kind)) return;
    event.correlation = row.integer(kCorrelation);
    fill(row, event);
    sequences.of(row, copyKind(row)).add(event);
  });
  loading.builder.finish();
}

std::uint8_t noCopyKind(const TableRow&) { return 0; }

}  // namespace

void loadGpuWork(Loading& loading) {
  trace::NameTable& names = loading.builder.names();

  constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
  const char* const wholeName = loading.database.has(kKernels, "demangledName") ? "demangledName" : "shortName";
  loadWork(
      loading, EventKind::kKernel, kKernels, wholeName, "shortName",
      [&](const TableRow& row, Event& event) {
        event.name = loading.strings.kernel(row.integer(kOwn), row.integer(kOwn2));
      },
      noCopyKind);

  const auto copyKindOf = [](const TableRow& row) {
    const std::int64_t kind = row.integer(kOwn);
    return static_cast<std::uint8_t>(kind >= 0 && kind <= 13 ? kind : 0);
  };
  std::array<NameId, 14> copyNames{};
  for (std::size_t i = 0; i < copyNames.size(); ++i) {
    const auto kind = static_cast<std::uint8_t>(i);
    copyNames[i] =
        names.intern("[CUDA memcpy " + std::string(trace::copyKindName(kind)) + "]", trace::copyKindName(kind, true));
  }
  loadWork(
      loading, EventKind::kCopy, "CUPTI_ACTIVITY_KIND_MEMCPY", "copyKind", "bytes",
      [&](const TableRow& row, Event& event) {
        event.name = copyNames[copyKindOf(row)];
        event.amount = static_cast<std::uint64_t>(row.integer(kOwn2));
      },
      copyKindOf);

  const NameId memset = names.intern("[CUDA memset]", "memset");
  loadWork(
      loading, EventKind::kMemset, "CUPTI_ACTIVITY_KIND_MEMSET", "value", "bytes",
      [&](const TableRow& row, Event& event) {
        event.name = memset;
        event.amount = static_cast<std::uint64_t>(row.integer(kOwn2));
      },
      noCopyKind);

  loadWork(
      loading, EventKind::kGraphLaunch, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "graphId", "graphExecId",
      [&](const TableRow& row, Event& event) {
        event.name = names.intern("Graph " + std::to_string(row.integer(kOwn)));
      },
      noCopyKind);
}

}  // namespace lanescope::report
