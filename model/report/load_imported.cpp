// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "model/report/loading.h"
#include "model/report/source.h"
#include "model/trace/samples.h"

namespace lanescope::report {

void loadIds(Loading& loading) {
  trace::TraceBuilder& builder = loading.builder;
  const auto apply = [](const TableRow& row, std::int64_t& number, auto& who) {
    who.hasNumber = row.isNull(2);
    if (row.isInteger(1)) number = row.integer(1);
    who.sortIndex = row.integer(5);
  };
  const std::vector<std::string_view> columns{"globalTid", "number", "text", "rank", "isThread", "sortIndex"};
  loading.forEach("LANESCOPE_IDS", columns, [&](const TableRow& row) {
    if (row.integer(4) != 0) {
      trace::Thread& thread = builder.draft().threads[builder.thread(row.integer(0))];
      apply(row, thread.tid, thread);
    } else {
      trace::Process& process = builder.draft().processes[builder.process(row.integer(0))];
      apply(row, process.pid, process);
      if (!row.isNull(3)) process.rank = repairUtf8(row.text(3));
    }
  });
}

void loadDomains(Loading& loading) {
  loading.forEach("LANESCOPE_DOMAINS", {"globalPid", "domainId"}, [&](const TableRow& row) {
    trace::TraceBuilder& builder = loading.builder;
    builder.draft().domains[builder.domain(builder.process(row.integer(0)), row.integer(1))].isNvtx = false;
  });
}

void loadCurves(Loading& loading) {
  trace::TraceBuilder& builder = loading.builder;
  std::map<std::int64_t, trace::Samples> samples;
  loading.forEach("LANESCOPE_CURVE_SAMPLES", {"curveId", "timestamp", "value"}, [&](const TableRow& row) {
    if (!loading.hasTimes(row, 1, 1)) return;
    loading.badSamples += row.isNull(2) || !samples[row.integer(0)].add(row.integer(1), row.real(2));
  });
  loading.forEach("LANESCOPE_CURVES", {"curveId", "globalPid", "deviceId", "name", "unit"}, [&](const TableRow& row) {
    const auto found = samples.find(row.integer(0));
    if (found == samples.end() || found->second.empty()) return;
    trace::CounterInfo info;
    if (row.isNull(1)) info.group = trace::kOfNobody;
    else info.process = builder.process(row.integer(1));
    if (!row.isNull(1) && !row.isNull(2)) info.gpu = builder.gpu(info.process, row.integer(2));
    constexpr auto kLast = static_cast<std::int64_t>(trace::Counter::Unit::kCount);
    const auto unit = static_cast<trace::Counter::Unit>(std::clamp<std::int64_t>(row.integer(4), 0, kLast));
    builder.addCounter(std::move(found->second).counter(repairUtf8(row.text(3)), unit), std::move(info));
  });
}

std::vector<trace::RowLink> loadLinks(Loading& loading) {
  std::vector<trace::RowLink> links;
  const std::vector<std::string>& tables = loading.builder.draft().tables;
  const auto rowOf = [&](const TableRow& row, int column) -> std::optional<trace::RowRef> {
    const auto found = std::ranges::find(tables, row.text(column));
    if (found == tables.end()) return std::nullopt;
    return trace::RowRef{static_cast<std::uint16_t>(found - tables.begin()),
                         static_cast<std::uint64_t>(row.integer(column + 1))};
  };
  loading.forEach("LANESCOPE_LINKS", {"fromTable", "fromRow", "toTable", "toRow"}, [&](const TableRow& row) {
    if (const auto from = rowOf(row, 0), to = rowOf(row, 2); from && to) links.push_back({*from, *to});
  });
  return links;
}

}  // namespace lanescope::report
