// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/selection.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "model/analysis/grouping.h"

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
    return lanes;
  }
  for (const std::uint32_t row : selection.rows) addLanesBelow(trace, row, lanes);
  keepEachOnce(lanes);
  return lanes;
}

RowFigures rowFigures(const trace::Trace& trace, std::uint32_t row, TimeRange range, const Job& job) {
  RowFigures figures;
  figures.row = row;
  if (row >= trace.rows.size() || range.empty()) return figures;
  std::vector<LaneId> lanes = trace.rows[row].lanes;
  if (lanes.empty()) {  // a heading: what stands below it
    addLanesBelow(trace, row, lanes);
    std::erase_if(lanes, [&](LaneId lane) { return trace::isBackground(trace.laneInfo[lane].kind); });
  }
  keepEachOnce(lanes);
  std::vector<trace::LanePtr> columns;
  for (const LaneId lane : lanes) {
    columns.push_back(trace.lanes[lane]);
    figures.count += touching(*trace.lanes[lane], range).size();
  }
  if (const trace::BusyUnion* const busy = busyOf(trace, row)) figures.busy = busy->busy(range);
  else if (columns.size() == 1) figures.busy = columns.front()->busy(range);
  else figures.busy = trace::unionBusy(columns, range, job);
  return figures;
}

std::vector<CopyFigures> copyFigures(const trace::Trace& trace, const Selection& selection, const Job& job) {
  std::map<std::uint8_t, CopyFigures> byKind;
  for (const LaneId id : lanesOf(trace, selection)) {
    if (trace.laneInfo[id].kind != EventKind::kCopy) continue;
    const Lane& lane = *trace.lanes[id];
    const Touching t = touching(lane, selection.range);
    if (t.size() == 0) continue;
    CopyFigures& figures = byKind[trace.laneInfo[id].copyKind];
    figures.count += t.size();
    for (std::size_t i = t.first; i < t.last; ++i) {
      if ((i - t.first) % kLookEvery == 0 && job.cancelled()) break;
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
  using Part = std::pair<EventKind, std::uint8_t>;  // what is never summed up together
  std::map<Part, std::vector<LaneId>> parts;
  for (const LaneId lane : lanesOf(trace, selection))
    parts[{trace.laneInfo[lane].kind, trace.laneInfo[lane].copyKind}].push_back(lane);

  NameTable table;
  Grouping grouping(trace, selection.range, selection.clip, job);
  std::vector<trace::NameId> names;
  for (const auto& [part, lanes] : parts) {
    if (job.cancelled()) break;
    const std::vector<Group> groups = grouping.byName(lanes, names);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Group& group = groups[i];
      table.names.push_back({.name = names[i],
                             .kind = part.first,
                             .copyKind = part.second,
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
    for (std::size_t i = first; i < last; ++i) {
      if ((i - first) % kLookEvery == 0 && job.cancelled()) break;
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
