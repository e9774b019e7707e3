// SPDX-License-Identifier: Apache-2.0
#include "model/compare/side.h"

#include <algorithm>

namespace lanescope::compare {
namespace {

using trace::EventId;
using trace::EventKind;
using trace::EventRef;
using trace::kNone;
using trace::LaneId;
using trace::Ns;
using trace::TimeRange;
using trace::Trace;

/// Sebastiano Vigna's splitmix64, over what came before. Never SequenceMatch::kNever.
template <class... More>
Token hash(Token before, More... more) {
  const auto step = [&before](std::uint64_t value) {
    before += value + 0x9E3779B97F4A7C15ull;
    before = (before ^ before >> 30) * 0xBF58476D1CE4E5B9ull;
    before = (before ^ before >> 27) * 0x94D049BB133111EBull;
    before ^= before >> 31;
  };
  (step(static_cast<std::uint64_t>(more)), ...);
  return before | 1;
}

}  // namespace

std::size_t eventIds(const Trace& trace) {
  std::size_t ids = 0;
  for (LaneId lane = 0; lane < trace.lanes.size(); ++lane)
    if (trace.lanes[lane]) ids = std::max(ids, trace.laneInfo[lane].firstEvent + trace.lanes[lane]->size());
  return ids;
}

Course::Course(const Trace& trace, const std::vector<List>& lists, const std::vector<std::uint32_t>& leading) {
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    ofThread_.emplace(lists[i].thread, i);
    std::vector<TimeRange>& times = times_.emplace_back();
    for (const EventRef range : lists[i].ranges) times.push_back(trace.time(range));
  }
  for (const std::uint32_t i : leading) ofProcess_.emplace(lists[i].process, i);
}

Place Course::at(std::uint32_t thread, std::uint32_t process, Ns begin) const {
  auto list = ofThread_.find(thread);
  if (list == ofThread_.end()) {
    list = ofProcess_.find(process);
    if (list == ofProcess_.end()) return {};
  }
  const std::vector<TimeRange>& times = times_[list->second];
  const auto after = std::ranges::upper_bound(times, begin, {}, &TimeRange::begin);
  const auto begun = static_cast<std::uint32_t>(after - times.begin());
  return {list->second, begun > 0 && begin < std::prev(after)->end ? 2 * begun + 1 : 2 * begun};
}

Side::Side(const Trace& trace, const NameNumbers& names, std::vector<std::uint32_t> domains)
    : trace_(trace),
      names_(names),
      domains_(std::move(domains)),
      around_(eventIds(trace)),
      places_(around_.size()),
      isIteration_(around_.size()) {}

void Side::follow(const Course& course, const std::vector<Course::List>& iterations, bool byLaunch) {
  for (const Course::List& list : iterations)
    for (const EventRef range : list.ranges) isIteration_[trace_.id(range)] = true;

  std::vector<std::vector<LaneId>> ofThread(trace_.threads.size() + 1);
  for (LaneId id = 0; id < trace_.lanes.size(); ++id) {
    const trace::LaneInfo& info = trace_.laneInfo[id];
    if (!trace_.lanes[id] || trace::isGpuWork(info.kind) || !isMatched(info.kind)) continue;
    const trace::Lane& lane = *trace_.lanes[id];
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      places_[info.firstEvent + i] = course.at(info.thread, info.process, lane.start(i));
    if (info.kind != EventKind::kNvtxStartEnd)
      ofThread[std::min<std::size_t>(info.thread, trace_.threads.size())].push_back(id);
  }
  for (std::uint32_t thread = 0; thread < trace_.threads.size(); ++thread) walk(ofThread[thread]);

  for (LaneId id = 0; id < trace_.lanes.size(); ++id) {
    const trace::LaneInfo& info = trace_.laneInfo[id];
    if (!trace_.lanes[id] || !trace::isGpuWork(info.kind)) continue;
    const trace::Lane& lane = *trace_.lanes[id];
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      const auto launch = byLaunch ? launchOf({id, i}) : std::nullopt;
      places_[info.firstEvent + i] = launch ? places_[*launch] : course.at(kNone, info.process, lane.start(i));
    }
  }
}

bool Side::knowsLaunches() const {
  std::size_t work = 0, launched = 0;
  for (LaneId id = 0; id < trace_.lanes.size(); ++id) {
    if (!trace_.lanes[id] || !trace::isGpuWork(trace_.laneInfo[id].kind)) continue;
    work += trace_.lanes[id]->size();
    for (std::uint32_t i = 0; i < trace_.lanes[id]->size(); ++i) launched += launchOf({id, i}).has_value();
  }
  return 2 * launched > work;
}

/// Gives every event of a thread the ranges that it is in. Ranges of several domains need not nest; each is taken to end
/// where one ends that began before it.
void Side::walk(const std::vector<LaneId>& lanes) {
  struct Item {
    Ns start, end;
    EventId id;
    EventRef event;
  };
  std::vector<Item> items;
  for (const LaneId id : lanes) {
    const trace::Lane& lane = *trace_.lanes[id];
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      items.push_back({lane.start(i), lane.end(i), trace_.laneInfo[id].firstEvent + i, {id, i}});
  }
  std::ranges::sort(items, [](const Item& x, const Item& y) {
    return x.start != y.start ? x.start < y.start : x.end != y.end ? x.end > y.end : x.id < y.id;
  });
  std::vector<std::pair<Ns, Token>> open;
  for (const Item& item : items) {
    while (!open.empty() && open.back().first <= item.start) open.pop_back();
    const Token inside = open.empty() ? 1 : open.back().second;
    around_[item.id] = inside;
    const trace::LaneInfo& info = trace_.info(item.event);
    if (info.kind != EventKind::kNvtxRange) continue;
    const Token word = isIteration_[item.id] ? 1 : hash(inside, rangeWords(info, trace_.name(item.event))[1]);
    open.emplace_back(item.end, word);
  }
}

std::optional<EventId> Side::launchOf(EventRef work) const {
  const auto partners = trace_.partners(work);
  return partners.empty() ? std::nullopt : std::optional(partners.front());
}

Token Side::around(EventRef event) const {
  if (!trace::isGpuWork(trace_.info(event).kind)) return around_[trace_.id(event)];
  const auto launch = launchOf(event);
  return launch ? around_[*launch] : 0;
}

Words Side::rangeWords(const trace::LaneInfo& info, trace::NameId name) const {
  const std::uint32_t domain = info.domain < domains_.size() ? domains_[info.domain] : kNone;
  const Token by = hash(static_cast<Token>(info.kind), domain, names_.strict[name]);
  return {by, by, hash(static_cast<Token>(info.kind), domain, names_.loose[name])};
}

Words Side::workWords(EventRef event) const {
  const trace::LaneInfo& info = trace_.info(event);
  const trace::Lane& lane = *trace_.lanes[event.lane];
  const auto kind = static_cast<Token>(info.kind);
  if (info.kind == EventKind::kCopy || info.kind == EventKind::kMemset) {
    const Token sized = hash(kind, info.copyKind, lane.amount(event.index));
    return {sized, sized, hash(kind, info.copyKind)};
  }
  const trace::NameId name = lane.name(event.index);
  const Token by = hash(kind, names_.strict[name]);
  return {by, by, hash(kind, names_.loose[name])};
}

Words Side::words(EventRef event) const {
  const trace::LaneInfo& info = trace_.info(event);
  Words words;
  if (info.kind == EventKind::kCudaApi) {
    const Token call = hash(static_cast<Token>(info.kind), names_.strict[trace_.name(event)]);
    const auto work = trace_.partners(event);
    const Token launching = work.empty() ? call : hash(call, workWords(trace_.ref(work.front()))[1]);
    words = {launching, launching, call};
  } else {
    words = isNvtx(info.kind) ? rangeWords(info, trace_.name(event)) : workWords(event);
  }
  words[0] = hash(words[0], around(event));
  return words;
}

}  // namespace lanescope::compare
