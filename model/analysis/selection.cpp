// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/selection.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

#include "model/analysis/grouping.h"
#include "model/trace/kind_words.h"
#include "model/trace/own_threads.h"

namespace lanescope::analysis {
namespace {

using trace::EventKind;
using trace::Lane;
using trace::LaneId;
using trace::Ns;
using trace::TimeRange;

constexpr std::size_t kLookEvery = 4096;  // events, at the job

void addLanesBelow(const trace::Trace& trace, std::uint32_t row, std::vector<LaneId>& lanes) {
  if (row >= trace.rows.size()) return;
  lanes.insert(lanes.end(), trace.rows[row].lanes.begin(), trace.rows[row].lanes.end());
  for (const std::uint32_t child : trace.rows[row].children) addLanesBelow(trace, child, lanes);
}

/// The union of the row's lanes where one has been made: its own, or that of a row below with the same lanes, as the
/// only GPU of a process has.
const trace::BusyUnion* busyOf(const trace::Trace& trace, std::uint32_t row) {
  if (trace.rows[row].busy) return trace.rows[row].busy.get();
  for (const std::uint32_t child : trace.rows[row].children)
    if (trace.rows[child].busy && trace.rows[child].lanes == trace.rows[row].lanes) return trace.rows[child].busy.get();
  return nullptr;
}

void keepEachOnce(std::vector<LaneId>& lanes) {
  std::sort(lanes.begin(), lanes.end());
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
}

/// What the threads of the program were in: running, waiting, preempted.
std::vector<LaneId> statesOf(const trace::Trace& trace) {
  std::vector<LaneId> lanes;
  for (LaneId lane = 0; lane < trace.laneInfo.size(); ++lane) {
    const EventKind kind = trace.laneInfo[lane].kind;
    if ((kind == EventKind::kThreadState || kind == EventKind::kThreadWait) &&
        !isOfOwnThread(trace, trace.laneInfo[lane]))
      lanes.push_back(lane);
  }
  return lanes;
}

template <class T>
void addSaturating(T& sum, T value) {
  if (__builtin_add_overflow(sum, value, &sum)) sum = std::numeric_limits<T>::max();
}

}  // namespace

std::vector<LaneId> lanesOf(const trace::Trace& trace, const Selection& selection) {
  std::vector<LaneId> lanes;
  if (selection.rows.empty()) {
    for (LaneId lane = 0; lane < trace.laneInfo.size(); ++lane)
      if (!trace::isBackground(trace.laneInfo[lane].kind)) lanes.push_back(lane);
    const auto isThere = [&](LaneId lane) { return touching(*trace.lanes[lane], selection.range).size() > 0; };
    if (!selection.range.empty() && std::ranges::none_of(lanes, isThere)) lanes = statesOf(trace);
  } else {
    for (const std::uint32_t row : selection.rows) addLanesBelow(trace, row, lanes);
    keepEachOnce(lanes);
  }
  if (selection.passing) std::erase_if(lanes, [&](LaneId lane) { return selection.passing->of(trace, lane).empty(); });
  return lanes;
}

RowFigures rowFigures(const trace::Trace& trace, std::uint32_t row, TimeRange range, const Job& job,
                      const Passing* passing) {
  RowFigures figures;
  figures.row = row;
  if (row >= trace.rows.size() || range.empty()) return figures;
  std::vector<LaneId> lanes = trace.rows[row].lanes;
  if (lanes.empty()) {  // a heading: what stands below it
    addLanesBelow(trace, row, lanes);
    std::vector<LaneId> foreground;
    std::ranges::copy_if(lanes, std::back_inserter(foreground),
                         [&](LaneId lane) { return !trace::isBackground(trace.laneInfo[lane].kind); });
    if (!foreground.empty()) lanes = std::move(foreground);  // else what stands below it is all there is
  }
  keepEachOnce(lanes);
  std::vector<trace::KeptLane> columns;
  bool isWhole = true;
  for (const LaneId lane : lanes) {
    trace::KeptLane kept = keptLane(trace, lane, passing);
    isWhole &= kept.view().whole();
    if (kept.view().empty()) continue;
    const Touching t = touching(*kept.lane, range);
    figures.count += kept.view().countOf(t.first, t.last);
    columns.push_back(std::move(kept));
  }
  const trace::BusyUnion* const busy = isWhole ? busyOf(trace, row) : nullptr;
  if (busy) figures.busy = busy->busy(range);
  else if (columns.size() == 1) figures.busy = columns.front().view().busy(range);
  else figures.busy = trace::unionBusy(columns, range, job);
  return figures;
}

std::vector<CopyFigures> copyFigures(const trace::Trace& trace, const Selection& selection, const Job& job) {
  std::map<std::uint8_t, CopyFigures> byKind;
  for (const LaneId id : lanesOf(trace, selection)) {
    if (trace.laneInfo[id].kind != EventKind::kCopy) continue;
    const Lane& lane = *trace.lanes[id];
    const trace::LaneView view = laneOf(trace, id, selection.passing.get());
    const Touching t = touching(lane, selection.range);
    const std::size_t count = view.countOf(t.first, t.last);
    if (count == 0) continue;
    CopyFigures& figures = byKind[trace.laneInfo[id].copyKind];
    std::size_t looked = 0;
    figures.count += count;
    for (std::size_t i = view.next(t.first); i < t.last; i = view.next(i + 1)) {
      if (looked++ % kLookEvery == 0 && job.cancelled()) break;
      addSaturating(figures.bytes, bytesIn(lane, i, selection.range, selection.clip));
      addSaturating(figures.time, timeIn(lane, i, selection.range, selection.clip));
    }
  }
  std::vector<CopyFigures> all;
  for (auto& [kind, figures] : byKind) {
    figures.copyKind = kind;
    all.push_back(figures);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const CopyFigures& a, const CopyFigures& b) { return a.bytes > b.bytes; });
  return all;
}

NameTable nameFigures(const trace::Trace& trace, const Selection& selection, const Job& job) {
  using Part = std::tuple<EventKind, std::uint8_t, std::string_view>;  // what is never summed up together
  std::map<Part, std::vector<LaneId>> parts;
  for (const LaneId lane : lanesOf(trace, selection))
    parts[{trace.laneInfo[lane].kind, trace.laneInfo[lane].copyKind, kindWord(trace, trace.laneInfo[lane])}].push_back(
        lane);

  NameTable table;
  Grouping grouping(trace, selection.range, selection.clip, job, selection.passing.get());
  std::vector<trace::NameId> names;
  for (const auto& [part, lanes] : parts) {
    if (job.cancelled()) break;
    const std::vector<Group> groups = grouping.byName(lanes, names);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Group& group = groups[i];
      table.names.push_back({.name = names[i],
                             .kind = std::get<EventKind>(part),
                             .copyKind = std::get<std::uint8_t>(part),
                             .kindWord = std::get<std::string_view>(part),
                             .time = group.time,
                             .self = std::max<Ns>(0, group.time.total - group.nested),
                             .unfinished = group.unfinished,
                             .bytes = group.bytes});
    }
  }
  table.events = grouping.events();
  std::stable_sort(table.names.begin(), table.names.end(), [&](const NameFigures& a, const NameFigures& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.time.total != b.time.total) return a.time.total > b.time.total;
    return a.name != b.name ? (*trace.names)[a.name].text < (*trace.names)[b.name].text : a.copyKind < b.copyKind;
  });
  return table;
}

Durations durationsOf(const trace::Trace& trace, const Selection& selection, trace::NameId name, EventKind kind,
                      const Job& job) {
  Durations durations;
  const trace::NameId same = (*trace.names)[name].same;
  for (const LaneId id : lanesOf(trace, selection)) {
    if (trace.laneInfo[id].kind != kind) continue;
    if (job.cancelled()) break;
    const Lane& lane = *trace.lanes[id];
    const auto [first, last] = touching(lane, selection.range);
    trace::NameId lastName = same;  // runs of one name are looked up once
    bool lastIs = true;
    const trace::LaneView view = laneOf(trace, id, selection.passing.get());
    std::size_t looked = 0;
    for (std::size_t i = view.next(first); i < last; i = view.next(i + 1)) {
      if (looked++ % kLookEvery == 0 && job.cancelled()) break;
      if (const trace::NameId each = lane.name(i); each != lastName) {
        lastName = each;
        lastIs = (*trace.names)[each].same == same;
      }
      if (!lastIs || lane.unfinished(i)) continue;
      durations.time.push_back(timeIn(lane, i, selection.range, selection.clip));
      durations.event.push_back(trace.laneInfo[id].firstEvent + static_cast<trace::EventId>(i));
    }
  }
  return durations;
}

}  // namespace lanescope::analysis
