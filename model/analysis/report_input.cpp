// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/report_input.h"

#include <algorithm>

#include "model/analysis/nvtx_ranges.h"
#include "model/trace/sorted_runs.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;
using trace::NameId;

std::vector<LaneId> ReportInput::lanes(std::span<const EventKind> kinds) const {
  std::vector<LaneId> found;
  for (LaneId lane = 0; lane < trace.laneInfo.size(); ++lane) {
    const trace::LaneInfo& info = trace.laneInfo[lane];
    if (std::find(kinds.begin(), kinds.end(), info.kind) != kinds.end() &&
        (!scope.process || info.process == *scope.process))
      found.push_back(lane);
  }
  return found;
}

bool ReportInput::holds(EventRef event) const {
  if (scope.process && trace.info(event).process != *scope.process) return false;
  const trace::TimeRange time = trace.time(event);
  return time.begin < scope.range.end && (time.end > scope.range.begin || time.begin >= scope.range.begin);
}

std::vector<EventRef> ReportInput::byStart(Lanes lanes) const {
  struct Timed {
    trace::Ns start;
    EventRef event;
  };
  std::vector<Timed> timed;
  std::vector<std::size_t> bounds;
  for (const LaneId id : lanes) {
    bounds.push_back(timed.size());
    const trace::Lane& lane = *trace.lanes[id];
    const auto [first, last] = events(id);
    for (std::size_t i = first; i < last; ++i)
      if (lane.unfinishedEvents().empty() || !lane.unfinished(i))
        timed.push_back({lane.start(i), {id, static_cast<std::uint32_t>(i)}});
  }
  trace::sortRuns(timed, std::move(bounds), [](const Timed& a, const Timed& b) { return a.start < b.start; });
  std::vector<EventRef> events(timed.size());
  std::transform(timed.begin(), timed.end(), events.begin(), [](const Timed& each) { return each.event; });
  return events;
}

std::optional<EventRef> ReportInput::launchOf(EventRef work) const {
  const auto partners = trace.partners(work);
  if (partners.empty()) return std::nullopt;
  return trace.ref(partners.front());
}

std::string_view withoutApiVersion(const trace::Name& name) {
  constexpr std::size_t kSuffix = 6;
  const std::string_view text = name.text;
  if (text.size() <= kSuffix || text.substr(text.size() - kSuffix, 2) != "_v") return text;
  const std::string_view digits = text.substr(text.size() - kSuffix + 2);
  const bool isVersion = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return isVersion ? text.substr(0, text.size() - kSuffix) : text;
}

std::string rangeName(const trace::Trace& trace, EventRef range) {
  const std::uint32_t domain = trace.info(range).domain;
  std::string name = domain == trace::kNone ? std::string() : trace.domains[domain].name;
  name += ':';
  return name += (*trace.names)[trace.name(range)].text;
}

std::string_view styleOf(EventKind kind) { return kind == EventKind::kNvtxStartEnd ? "StartEnd" : "PushPop"; }

TableValues::TableValues(const ReportInput& input, const std::string& table,
                         const std::vector<std::string_view>& columns)
    : trace_(input.trace) {
  const auto found = std::find(trace_.tables.begin(), trace_.tables.end(), table);
  if (found != trace_.tables.end()) table_ = static_cast<std::uint16_t>(found - trace_.tables.begin());
  columns_ = input.file.columns(table, columns);
}

std::optional<std::int64_t> TableValues::at(EventRef event, std::size_t column) const {
  if (trace_.info(event).table != table_) return std::nullopt;
  return columns_[column]->at(trace_.lanes[event.lane]->sourceRow(event.index));
}

Cell TableValues::cell(EventRef event, std::size_t column) const {
  const auto value = at(event, column);
  return value ? Cell(*value) : Cell();
}

KernelNames::KernelNames(const ReportInput& input) : input_(input) {
  if (input.arguments.kernels == KernelNaming::kMangled)
    mangled_.emplace(input, "CUPTI_ACTIVITY_KIND_KERNEL", std::vector<std::string_view>{"mangledName"});
  if (!input.arguments.nvtxName) return;
  std::unordered_map<std::string, std::uint32_t> known;
  for (const ThreadEvents& thread : threadEvents(input, true)) {
    const std::vector<RangeNode> ranges = nestedRanges(input, thread);
    forEachCallInRanges(input, thread, ranges, [&](EventRef call, std::span<const std::uint32_t> open) {
      if (open.empty()) return;
      std::string name = rangeName(input.trace, ranges[open.back()].event);
      const auto [found, isNew] = known.try_emplace(name, static_cast<std::uint32_t>(rangeNames_.size()));
      if (isNew) rangeNames_.push_back(std::move(name));
      for (const trace::EventId work : input.trace.partners(call)) ranges_[work] = found->second;
    });
  }
}

std::string_view KernelNames::of(NameId name) const {
  const trace::Name& known = (*input_.trace.names)[name];
  return input_.arguments.kernels == KernelNaming::kBase ? known.label : known.text;
}

std::string_view KernelNames::of(EventRef kernel) {
  std::string_view text = of(input_.trace.name(kernel));
  if (mangled_)
    if (const auto id = mangled_->at(kernel, 0))
      if (const std::string_view mangled = input_.file.text(*id); !mangled.empty()) text = mangled;
  const auto range = ranges_.empty() ? ranges_.end() : ranges_.find(input_.trace.id(kernel));
  if (range == ranges_.end()) return text;
  std::string prefixed = rangeNames_[range->second] + '/';
  prefixed += text;
  std::unique_ptr<std::string>& kept = texts_[prefixed];
  if (!kept) kept = std::make_unique<std::string>(std::move(prefixed));
  return *kept;
}

}  // namespace lanescope::analysis
