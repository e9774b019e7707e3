// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/grouping.h"
#include "model/wide.h"

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <utility>

namespace lanescope::analysis {
namespace {

using trace::EventKind;
using trace::Lane;
using trace::LaneId;
using trace::NameId;
using trace::Ns;
using trace::TimeRange;

std::uint64_t saturatingSum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

/// The lane of what nests inside the events of this one, if there is one: lanes of one owner stand in order of depth.
std::optional<LaneId> laneInside(const trace::Trace& trace, LaneId lane) {
  const trace::LaneInfo& outer = trace.laneInfo[lane];
  switch (outer.kind) {
    case EventKind::kCudaApi:
    case EventKind::kOsRuntime:
    case EventKind::kNvtxRange:
    case EventKind::kLibraryCall:
    case EventKind::kOverhead:
      break;
    default:
      return std::nullopt;  // what overlaps there does not nest
  }
  if (outer.thread == trace::kNone || lane + 1 >= trace.laneInfo.size()) return std::nullopt;
  const trace::LaneInfo& inner = trace.laneInfo[lane + 1];
  const bool nests = inner.kind == outer.kind && inner.thread == outer.thread && inner.domain == outer.domain &&
                     inner.table == outer.table && inner.depth == outer.depth + 1;
  return nests ? std::optional(lane + 1) : std::nullopt;
}

}  // namespace

Touching touching(const Lane& lane, TimeRange range) {
  if (range.empty()) return {};
  const std::size_t first = lane.firstTouching(range.begin);
  return {first, std::max(first, lane.lowerBound(range.end))};
}

Ns timeIn(const Lane& lane, std::size_t event, TimeRange range, Clip clip) {
  if (clip == Clip::kWholeEvents) return lane.duration(event);
  return std::max<Ns>(0, std::min(lane.end(event), range.end) - std::max(lane.start(event), range.begin));
}

std::uint64_t bytesIn(const Lane& lane, std::size_t event, TimeRange range, Clip clip) {
  // NOLINTNEXTLINE(modernize-use-using): __extension__ goes with typedef only
  const std::uint64_t bytes = lane.amount(event);
  const Ns whole = lane.duration(event), part = timeIn(lane, event, range, clip);
  if (part == whole) return bytes;
  return static_cast<std::uint64_t>(static_cast<Wide>(bytes) * static_cast<Wide>(part) / static_cast<Wide>(whole));
}

Grouping::Grouping(const trace::Trace& trace, TimeRange range, Clip clip, const Job& job, const Passing* passing)
    : trace_(trace),
      range_(range),
      clip_(clip),
      job_(job),
      passing_(passing),
      slot_(static_cast<std::uint32_t*>(std::calloc(std::max(1u, trace.names->size()), sizeof(std::uint32_t)))) {
  if (!slot_) throw std::bad_alloc();
}

std::vector<Group> Grouping::byName(std::span<const LaneId> lanes, std::vector<NameId>& names) {
  names.clear();
  std::vector<Group> groups = of(lanes, {});
  if (groups.empty()) return groups;  // nothing there, or cancelled after some names were met
  names.resize(groups.size());
  for (const NameId name : met_) names[groupAt(name)] = (*trace_.names)[name].same;
  return groups;
}

std::vector<Group> Grouping::of(std::span<const LaneId> lanes, const GroupOf& groupOf,
                                std::vector<std::vector<Ns>>* instances) {
  for (const NameId name : met_) slot_[name] = 0;
  met_.clear(), counts_.clear(), long_.clear(), unfinished_.clear(), bytes_.clear();

  std::vector<Parts> all;
  for (const LaneId lane : lanes)
    if (const Touching t = touching(*trace_.lanes[lane], range_); t.size() > 0) all.push_back({lane, t});
  for (const Parts& parts : all)
    if (!job_.cancelled()) count(parts, groupOf);
  if (job_.cancelled()) return {};

  std::vector<std::size_t> begins(counts_.size());
  std::size_t total = 0;
  for (std::size_t group = 0; group < counts_.size(); ++group) {
    begins[group] = total;
    total += std::exchange(counts_[group], total);
  }
  if (total > room_) {
    times_ = std::make_unique_for_overwrite<std::uint32_t[]>(total);
    room_ = total;
  }
  unfinished_.assign(counts_.size(), 0);
  bytes_.assign(counts_.size(), 0);
  for (const Parts& parts : all)
    if (!job_.cancelled()) place(parts);
  if (job_.cancelled()) return {};

  std::stable_sort(long_.begin(), long_.end(), [](const Long& a, const Long& b) { return a.group < b.group; });
  std::vector<Group> groups(counts_.size());
  std::vector<Ns> longer;
  auto nextLong = long_.begin();
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    longer.clear();
    for (; nextLong != long_.end() && nextLong->group == group; ++nextLong) longer.push_back(nextLong->time);
    const std::span<std::uint32_t> shorter{times_.get() + begins[group], counts_[group] - begins[group]};
    if (instances != nullptr) {
      std::vector<Ns>& times = instances->emplace_back(shorter.begin(), shorter.end());
      times.insert(times.end(), longer.begin(), longer.end());
    }
    groups[group].time = statisticsOf(shorter, longer);
    groups[group].unfinished = unfinished_[group];
    groups[group].bytes = bytes_[group];
  }
  for (const Parts& parts : all)
    if (!job_.cancelled()) addNested(parts, groups);
  return groups;
}

std::uint32_t Grouping::meet(NameId name, const GroupOf& groupOf) {
  std::uint32_t slot = 0;
  if (groupOf) {
    slot = groupOf(name) + 1;
  } else {
    const NameId same = (*trace_.names)[name].same;
    slot = slot_[same] != 0 ? slot_[same] : static_cast<std::uint32_t>(counts_.size() + 1);
    if (slot_[same] == 0 && same != name) slot_[same] = slot, met_.push_back(same);
  }
  if (slot > counts_.size()) counts_.resize(slot);
  slot_[name] = slot;
  met_.push_back(name);
  return slot;
}

void Grouping::count(const Parts& parts, const GroupOf& groupOf) {
  const trace::LaneView lane = laneOf(trace_, parts.lane, passing_);
  const std::span<const NameId> names = lane->names();
  const auto [first, last] = parts.touching;
  events_ += lane.countOf(first, last);
  std::uint32_t* const slots = slot_.get();
  std::size_t* counts = counts_.data();
  for (std::size_t i = lane.next(first); i < last; i = lane.next(i + 1)) {
    std::uint32_t slot = slots[names[i]];
    if (slot == 0) {
      slot = meet(names[i], groupOf);
      counts = counts_.data();
    }
    ++counts[slot - 1];
  }
}

void Grouping::placeSome(const trace::LaneView& lane, Touching touching) {
  const bool anyUnfinished = !lane->unfinishedEvents().empty();
  for (std::size_t i = lane.next(touching.first); i < touching.last; i = lane.next(i + 1)) {
    const std::uint32_t duration = lane->shortDurations()[i];
    const bool atEdge = i == touching.first || i + 1 == touching.last;
    if (atEdge || anyUnfinished || duration == Lane::kLong) placeOne(lane.lane(), i);
    else times_[counts_[groupAt(lane->name(i))]++] = duration;
  }
}

void Grouping::place(const Parts& parts) {
  const trace::LaneView view = laneOf(trace_, parts.lane, passing_);
  const Lane& lane = view.lane();
  std::size_t first = parts.touching.first, last = parts.touching.last;
  const bool withBytes =
      trace_.laneInfo[parts.lane].kind == EventKind::kCopy || trace_.laneInfo[parts.lane].kind == EventKind::kMemset;
  if (withBytes)
    for (std::size_t i = view.next(first); i < last; i = view.next(i + 1)) {
      std::uint64_t& bytes = bytes_[groupAt(lane.name(i))];
      const bool atEdge = i == first || i + 1 == last;
      bytes = saturatingSum(bytes, atEdge ? bytesIn(lane, i, range_, clip_) : lane.amount(i));
    }

  if (!view.whole()) return placeSome(view, parts.touching);
  // Events of a lane are disjoint: only the first and the last can be cut.
  if (clip_ == Clip::kAtEdges) {
    placeOne(lane, first++);
    if (first < last) placeOne(lane, --last);
  }
  const std::span<const std::uint32_t> unfinished = lane.unfinishedEvents();
  auto nextUnfinished = std::lower_bound(unfinished.begin(), unfinished.end(), first);
  const std::uint32_t* const durations = lane.shortDurations().data();
  const NameId* const names = lane.names().data();
  const std::uint32_t* const slots = slot_.get();
  std::size_t* const next = counts_.data();
  std::uint32_t* const times = times_.get();
  while (first < last) {
    const std::size_t stop = nextUnfinished == unfinished.end() ? last : std::min<std::size_t>(last, *nextUnfinished);
    for (std::size_t i = first; i < stop; ++i) {
      if (durations[i] == Lane::kLong) placeOne(lane, i);
      else times[next[slots[names[i]] - 1]++] = durations[i];
    }
    if (stop < last) placeOne(lane, stop), ++nextUnfinished;
    first = stop + 1;
  }
}

void Grouping::placeOne(const Lane& lane, std::size_t event) {
  const std::uint32_t group = groupAt(lane.name(event));
  if (lane.unfinished(event)) {
    ++unfinished_[group];
    return;
  }
  const Ns time = timeIn(lane, event, range_, clip_);
  if (time < Lane::kLong) times_[counts_[group]++] = static_cast<std::uint32_t>(time);
  else long_.push_back({group, time});
}

void Grouping::addNested(const Parts& parts, std::vector<Group>& groups) {
  const std::optional<LaneId> below = laneInside(trace_, parts.lane);
  if (!below) return;
  const trace::LaneView view = laneOf(trace_, parts.lane, passing_);
  const Lane& outer = view.lane();
  const Lane& inner = *trace_.lanes[*below];
  const auto [first, last] = parts.touching;
  // Of whole events also what nests in them outside the range.
  const TimeRange within = clip_ == Clip::kAtEdges ? range_ : TimeRange{outer.start(first), outer.end(last - 1)};
  const Touching children = touching(inner, within);
  std::size_t parent = first;
  Ns from = 0, to = 0, nextFrom = 0, inside = 0;  // of the parent, of the one behind it; what nests in the parent
  const auto look = [&] {
    from = outer.start(parent);
    to = std::min(outer.end(parent), within.end);
    nextFrom = parent + 1 < last ? outer.start(parent + 1) : std::numeric_limits<Ns>::max();
  };
  const auto store = [&] {
    if (inside == 0 || outer.unfinished(parent) || !view.has(parent)) return;
    Ns& nested = groups[groupAt(outer.name(parent))].nested;
    if (__builtin_add_overflow(nested, inside, &nested)) nested = std::numeric_limits<Ns>::max();
  };
  look();
  for (std::size_t child = children.first; child < children.last; ++child) {
    const Ns start = inner.start(child);
    if (start >= nextFrom) {
      store();
      inside = 0;
      do ++parent, look();
      while (start >= nextFrom);
    }
    if (start < from) continue;
    inside += std::max<Ns>(0, std::min(start + inner.duration(child), to) - std::max(start, within.begin));
  }
  store();
}

}  // namespace lanescope::analysis
