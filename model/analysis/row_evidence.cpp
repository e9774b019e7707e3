// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/row_evidence.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "model/analysis/collectives.h"
#include "model/analysis/kernel_categories.h"
#include "model/analysis/report_input.h"
#include "model/analysis/report_list.h"

namespace lanescope::analysis {

namespace {

using enum trace::EventKind;
using trace::EventKind;
using trace::EventRef;

/// The cell under the first of these titles that the table has; null if it has none.
const Cell* cellUnder(const Table& table, std::size_t row, std::initializer_list<std::string_view> titles) {
  for (const std::string_view title : titles) {
    const auto column = std::ranges::find(table.columns, title, &Column::title);
    const auto at = static_cast<std::size_t>(column - table.columns.begin());
    if (column != table.columns.end() && at < table.rows[row].size()) return &table.rows[row][at];
  }
  return nullptr;
}

std::optional<std::string_view> textUnder(const Table& table, std::size_t row,
                                          std::initializer_list<std::string_view> titles) {
  const Cell* cell = cellUnder(table, row, titles);
  return cell ? textOf(*cell) : std::nullopt;
}

/// What a row is looked for by.
struct Wanted {
  std::vector<EventKind> kinds;
  std::string_view name;
  std::optional<std::int64_t> start;
};

std::vector<EventKind> kindsOf(const ReportCall& call, const Table& table, std::size_t row) {
  const std::vector<std::pair<std::string_view, std::vector<EventKind>>> kWords = {
      {"CUDA_API", {kCudaApi}},          {"API calls", {kCudaApi}},
      {"CUDA_KERNEL", {kKernel}},        {"NVTX", {kNvtxRange, kNvtxStartEnd}},
      {"MEMORY_OPER", {kCopy, kMemset}}, {"GPU activities", {kKernel, kCopy, kMemset}},
      {"PushPop", {kNvtxRange}},         {"StartEnd", {kNvtxStartEnd}}};
  for (const std::string_view title : {"Category", "Type", "Style"})
    if (const auto word = textUnder(table, row, {title}))
      for (const auto& [known, kinds] : kWords)
        if (*word == known) return kinds;
  return call.report->kinds;
}

std::optional<Wanted> wantedOf(const ReportCall& call, const Table& table, std::size_t row) {
  Wanted wanted{kindsOf(call, table, row), {}, {}};
  const std::string_view report = call.report->name;
  if (textUnder(table, row, {"Kernel Name"})) wanted.kinds = {kKernel};
  else if (textUnder(table, row, {"Range", "Orig Start"}) || report.starts_with("nvtx_")) {
    std::erase_if(wanted.kinds,
                  [](EventKind kind) { return kind != kNvtxRange && kind != kNvtxStartEnd && kind != kNvtxMark; });
  }
  const auto name = textUnder(table, row, {"Kernel Name", "Range", "Operation", "Name", "Event"});
  if (!name || name->empty()) return std::nullopt;
  wanted.name = *name;
  const Cell* start = cellUnder(table, row, {"Orig Start", "Kernel Start", "Start"});
  if (const auto* time = start ? std::get_if<std::int64_t>(start) : nullptr) wanted.start = *time;
  return wanted;
}

/// Of a report whose rows are groups of events, what is in the row; null for other reports.
std::function<bool(EventRef)> groupOf(const ReportCall& call, const Table& table, std::size_t row,
                                      const trace::Trace& trace) {
  const std::string_view report = call.report->name;
  const auto name = [&trace](EventRef event) -> const trace::Name& { return (*trace.names)[trace.name(event)]; };
  const auto category = [name](EventRef event) { return categoryOf(name(event).text, name(event).label); };
  const auto isKernel = [&trace](EventRef event) { return trace.info(event).kind == kKernel; };
  if (report == "lanescope_kernel_categories")
    return [=, wanted = textUnder(table, row, {"Category"})](EventRef event) {
      return isKernel(event) && nameOf(category(event)) == wanted;
    };
  const auto number = [&](std::string_view title) {
    const Cell* cell = cellUnder(table, row, {title});
    const auto* value = cell ? std::get_if<std::int64_t>(cell) : nullptr;
    return value ? std::optional(*value) : std::nullopt;
  };
  const auto isOf = [&trace, process = number("PID")](const trace::Gpu& gpu) {
    return trace.processes[gpu.process].pid == process;
  };
  if (report == "lanescope_collectives")
    return [=, &trace, wanted = textUnder(table, row, {"Operation"}), device = number("Device")](EventRef event) {
      if (!isKernel(event)) return false;
      const trace::Gpu& gpu = trace.gpus[trace.info(event).gpu];
      return isOf(gpu) && gpu.device == device && category(event) == KernelCategory::kCollective &&
             collectiveName(name(event)) == wanted;
    };
  if (report == "lanescope_streams")
    return [=, &trace, device = textUnder(table, row, {"Device"}), context = number("Ctx"),
            wanted = number("Strm")](EventRef event) {
      const trace::LaneInfo& lane = trace.info(event);
      if (!trace::isGpuWork(lane.kind) || lane.stream == trace::kNone) return false;
      const trace::Stream& stream = trace.streams[lane.stream];
      const trace::Gpu& gpu = trace.gpus[stream.gpu];
      if (!isOf(gpu) || gpu.name + " (" + std::to_string(gpu.device) + ")" != device) return false;
      return !wanted || (stream.stream == wanted && stream.context == context);  // else all streams
    };
  return nullptr;
}

/// Whether an event is called what a row says, whichever way its report writes names.
class Naming {
 public:
  Naming(const ReportInput& input, const Wanted& wanted) : input_(input), wanted_(wanted), kernels_(input) {}

  bool matches(EventRef event) {
    const EventKind kind = input_.trace.info(event).kind;
    if (kind == kKernel && !kernels_.byName()) return kernels_.of(event) == wanted_.name;
    const auto [known, isNew] = known_.try_emplace({input_.trace.info(event).domain, input_.trace.name(event)});
    if (isNew) known->second = isCalled(event, kind);
    return known->second;
  }

 private:
  bool isCalled(EventRef event, EventKind kind) const {
    const trace::Name& name = (*input_.trace.names)[input_.trace.name(event)];
    switch (kind) {
      case kKernel:
        return kernels_.of(input_.trace.name(event)) == wanted_.name;
      case kCudaApi:
        return withoutApiVersion(name) == wanted_.name || name.text == wanted_.name;
      case kNvtxRange:
      case kNvtxStartEnd:
      case kNvtxMark:
        return rangeName(input_.trace, event) == wanted_.name;
      default:
        return name.text == wanted_.name || nvprofCopyName(name.label) == wanted_.name;
    }
  }

  const ReportInput& input_;
  const Wanted& wanted_;
  KernelNames kernels_;
  std::map<std::pair<std::uint32_t, trace::NameId>, bool> known_;  // by domain and name
};

}  // namespace

Hits eventsOfRow(const ReportCall& call, const Table& table, std::size_t row, const trace::Trace& trace,
                 report::RowValues& file, const Scope& scope, const Job& job) {
  Hits hits;
  if (row >= table.rows.size()) return hits;
  const auto isInGroup = groupOf(call, table, row, trace);
  const auto wanted = isInGroup ? std::optional(Wanted{call.report->kinds, {}, {}}) : wantedOf(call, table, row);
  if (!wanted) return hits;
  const ReportInput input{trace, file, scope, call.arguments, job};
  Naming naming(input, *wanted);
  for (const trace::LaneId id : input.lanes(wanted->kinds)) {
    if (job.cancelled()) return {};
    Hits::OfLane found{id, {}};
    const auto [first, last] = input.events(id);
    const std::size_t begin = wanted->start ? std::max(first, trace.lanes[id]->lowerBound(*wanted->start)) : first;
    for (std::size_t i = begin; i < last; ++i) {
      if (wanted->start && trace.lanes[id]->start(i) != *wanted->start) break;
      const EventRef event{id, static_cast<std::uint32_t>(i)};
      if (isInGroup ? isInGroup(event) : naming.matches(event)) found.events.push_back(static_cast<std::uint32_t>(i));
    }
    hits.count += found.events.size();
    if (!found.events.empty()) hits.lanes.push_back(std::move(found));
  }
  return hits;
}

std::vector<EventRef> longestHits(const trace::Trace& trace, const Hits& hits, std::size_t most) {
  struct Timed {
    trace::Ns duration, start;
    EventRef event;
    bool operator<(const Timed& other) const {
      if (duration != other.duration) return duration > other.duration;
      return std::pair(start, event.lane) < std::pair(other.start, other.event.lane);
    }
  };
  std::vector<Timed> heap;  // the worst on top
  for (const Hits::OfLane& lane : hits.lanes)
    for (const std::uint32_t index : lane.events) {
      const EventRef event{lane.lane, index};
      const trace::TimeRange time = trace.time(event);
      const Timed each{time.length(), time.begin, event};
      if (heap.size() == most && (most == 0 || !(each < heap.front()))) continue;
      if (heap.size() == most) {
        std::pop_heap(heap.begin(), heap.end());
        heap.pop_back();
      }
      heap.push_back(each);
      std::push_heap(heap.begin(), heap.end());
    }
  std::sort_heap(heap.begin(), heap.end());
  std::vector<EventRef> events;
  events.reserve(heap.size());
  for (const Timed& each : heap) events.push_back(each.event);
  return events;
}

}  // namespace lanescope::analysis
