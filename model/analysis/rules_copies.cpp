// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/call_kinds.h"
#include "model/analysis/rule_list.h"
#include "model/report/schema.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;

namespace {

constexpr const char* kMemsetTable = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr std::int64_t kDeviceMemory = 2, kDeviceStatic = 5;  // facts 4.5
constexpr std::uint8_t kHostToDevice = 1;
constexpr std::uint64_t kStaged = 65536;  // bytes up to which a copy to the device returns before it is done
enum Column : std::size_t { kSource, kDestination, kGreenContext };

Cell memoryKind(std::optional<std::int64_t> kind) {
  if (!kind) return {};
  return std::string(report::enumLabel("ENUM_CUDA_MEM_KIND", *kind));
}

/// Copies or memsets whose call is wanted.
template <class Wanted>
std::vector<EventRef> work(const ReportInput& input, EventKind kind, Wanted wanted) {
  std::vector<EventRef> found;
  for (const trace::LaneId id : input.lanes(std::array{kind})) {
    const auto [first, last] = input.events(id);
    for (std::size_t i = first; i < last; ++i) {
      const EventRef event{id, static_cast<std::uint32_t>(i)};
      const auto call = input.launchOf(event);
      if (call && wanted(event, *call)) found.push_back(event);
    }
  }
  return found;
}

bool isAsynchronous(std::string_view call) { return call.find("Async") != std::string_view::npos; }

RuleResult found(const RuleInput& input, std::vector<EventRef> events, const TableValues& kinds, bool copies) {
  const ReportInput& in = input.events;
  std::vector<analysis::Column> columns{{"Duration", ColumnKind::kTime}, {"Start", ColumnKind::kTime}};
  if (copies) columns.insert(columns.end(), {{"Src Kind", ColumnKind::kText}, {"Dst Kind", ColumnKind::kText}});
  else columns.push_back({"Memory Kind", ColumnKind::kText});
  columns.insert(columns.end(), {{"Bytes", ColumnKind::kSize},
                                 {"PID", ColumnKind::kId},
                                 {"Device ID", ColumnKind::kId},
                                 {"Context ID", ColumnKind::kId},
                                 {"Green Context ID", ColumnKind::kId},
                                 {"Stream ID", ColumnKind::kId},
                                 {"API Name", ColumnKind::kText}});
  return longestFirst(input, std::move(events), std::move(columns), [&](EventRef event) {
    const trace::TimeRange time = in.trace.time(event);
    const trace::Stream& stream = in.trace.streams[in.trace.info(event).stream];
    std::vector<Cell> row{time.length(), time.begin, memoryKind(kinds.at(event, kSource))};
    if (copies) row.push_back(memoryKind(kinds.at(event, kDestination)));
    row.insert(row.end(), {static_cast<std::int64_t>(in.trace.lanes[event.lane]->amount(event.index)), in.pidOf(event),
                           in.trace.gpus[stream.gpu].device, stream.context});
    row.emplace_back();
    if (const auto green = kinds.at(event, kGreenContext); green.value_or(0) != 0) row.back() = *green;
    row.insert(row.end(), {stream.stream, KeptText(in.text(*in.launchOf(event)))});
    return row;
  });
}

}  // namespace

RuleResult pageableCopies(const RuleInput& input) {
  const ReportInput& in = input.events;
  const TableValues kinds(in, std::string(kCopyTable), {"srcKind", "dstKind", "greenContextId"});
  return found(input,
               work(in, EventKind::kCopy,
                    [&](EventRef copy, EventRef call) {
                      return isAsynchronous(in.text(call)) && (kinds.at(copy, kSource) == kPageableMemory ||
                                                               kinds.at(copy, kDestination) == kPageableMemory);
                    }),
               kinds, true);
}

RuleResult synchronousCopies(const RuleInput& input) {
  const ReportInput& in = input.events;
  const TableValues kinds(in, std::string(kCopyTable), {"srcKind", "dstKind", "greenContextId"});
  return found(input,
               work(in, EventKind::kCopy,
                    [&](EventRef copy, EventRef call) {
                      const bool staged = in.trace.info(copy).copyKind == kHostToDevice &&
                                          in.trace.lanes[copy.lane]->amount(copy.index) <= kStaged;
                      return callKindOf(in.text(call)) == CallKind::kCopy && !staged;
                    }),
               kinds, true);
}

RuleResult synchronousMemsets(const RuleInput& input) {
  const ReportInput& in = input.events;
  const TableValues kinds(in, kMemsetTable, {"memKind", "memKind", "greenContextId"});
  return found(input,
               work(in, EventKind::kMemset,
                    [&](EventRef memset, EventRef call) {
             // The host does not wait for one of the device's own memory.
                      const auto kind = kinds.at(memset, kSource);
                      return callKindOf(in.text(call)) == CallKind::kMemset && kind != kDeviceMemory &&
                             kind != kDeviceStatic;
                    }),
               kinds, false);
}

}  // namespace lanescope::analysis
