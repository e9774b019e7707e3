// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/event_list.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "model/analysis/grouping.h"
#include "model/on_threads.h"

namespace lanescope::analysis {

namespace {

using trace::EventId;
using trace::EventRef;
using trace::LaneId;
using trace::Ns;

constexpr std::size_t kLookEvery = 4096;  // events, at the job
// Behind every key: times stay well within 64 bits (model/trace/time.h).
constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();

std::shared_ptr<const std::vector<EventId>> idsOf(const std::vector<Keyed>& places) {
  const auto ids = std::make_shared<std::vector<EventId>>(places.size());
  std::ranges::transform(places, ids->begin(), &Keyed::id);
  return ids;
}

}  // namespace

std::uint64_t EventList::rank(EventRef event) const {
  const trace::Trace& trace = *question_.trace;
  const trace::LaneInfo& info = trace.info(event);
  const auto flipped = [&](std::uint64_t key) { return question_.descending ? kLast - 1 - key : key; };
  switch (question_.order) {
    case EventOrder::kStart:
      return flipped(keyOf(trace.lanes[event.lane]->start(event.index)));
    case EventOrder::kDuration:
      if (trace.lanes[event.lane]->unfinished(event.index)) return kLast;
      return flipped(static_cast<std::uint64_t>(trace.lanes[event.lane]->duration(event.index)));
    case EventOrder::kName:
      return flipped(nameRank_[trace.name(event)]);
    case EventOrder::kRow:
      return flipped(question_.rowOfLane[event.lane]);
    case EventOrder::kPartner: {
      const auto partners = trace.partners(event);
      if (partners.empty()) return kLast;
      const EventRef partner = trace.ref(partners.front());
      return flipped(keyOf(trace.time(partner).begin));
    }
    case EventOrder::kNested:
      return info.thread != trace::kNone ? info.thread : std::uint64_t{question_.rowOfLane[event.lane]} + (1ULL << 32);
  }
  return 0;
}

bool EventList::before(EventRef a, EventRef b) const {
  const trace::Trace& trace = *question_.trace;
  const bool nested = question_.order == EventOrder::kNested;
  const auto key = [&](EventRef event) {
    const trace::TimeRange time = trace.time(event);
    return std::tuple(rank(event), time.begin, nested ? -time.length() : Ns{0}, trace.id(event));
  };
  return key(a) < key(b);
}

EventList EventList::make(EventListQuestion question, const Job& job) {
  EventList list;
  list.question_ = std::move(question);
  if (list.question_.query && list.question_.query->empty()) list.question_.query.reset();
  list.byStart_ = idsOf(list.collect(job));
  list.putInOrder(job);
  return list;
}

EventList EventList::inOrder(EventOrder order, bool descending, const Job& job) const {
  EventList list;
  list.question_ = question_;
  list.question_.order = order;
  list.question_.descending = descending;
  list.byStart_ = byStart_;
  list.putInOrder(job);
  return list;
}

void EventList::putInOrder(const Job& job) {
  const bool byStart = question_.order == EventOrder::kStart && !question_.descending;
  ids_ = byStart || job.cancelled() ? byStart_ : idsOf(ranked(job));
  if (question_.order == EventOrder::kNested && !job.cancelled()) measureDepths();
}

/// In the order that is asked for.
std::vector<Keyed> EventList::ranked(const Job& job) {
  const trace::Trace& trace = *question_.trace;
  std::vector<Keyed> places;
  places.reserve(byStart_->size());
  for (const EventId id : *byStart_) places.push_back({0, id});
  const std::vector<Part> parts = partsOf(places.size());
  const auto setKeys = [&](const auto& keyOfEvent) {
    onThreads(parts.size(), [&](std::size_t part) {
      trace::NearbyRefs refs(trace);
      for (std::size_t i = parts[part].first; i < parts[part].last; ++i) {
        if (i % kLookEvery == 0 && job.cancelled()) return;
        places[i].key = keyOfEvent(refs.of(places[i].id));
      }
    });
  };
  if (question_.order == EventOrder::kName) rankNames();
  if (question_.order == EventOrder::kNested) {
    setKeys([&](EventRef event) { return keyOf(trace.time(event).begin); });
    putLongestFirst(places);
  }
  setKeys([this](EventRef event) { return rank(event); });
  if (!job.cancelled()) sortKeyed(places, job);
  return places;
}

/// In order of start, else by id.
std::vector<Keyed> EventList::collect(const Job& job) const {
  const trace::Trace& trace = *question_.trace;
  const trace::TimeRange range = question_.selection.range;
  std::vector<Keyed> places;
  const auto placed = [&](LaneId lane, std::size_t index) -> Keyed {
    return {keyOf(trace.lanes[lane]->start(index)), trace.laneInfo[lane].firstEvent + static_cast<EventId>(index)};
  };
  std::vector<LaneId> lanes = lanesOf(trace, question_.selection);
  if (question_.query) {
    const Hits hits = find(trace, *question_.query, job, question_.selection.passing.get());
    for (const Hits::OfLane& some : hits.lanes) {
      if (!question_.selection.rows.empty() && !std::ranges::binary_search(lanes, some.lane)) continue;
      const Touching part = touching(*trace.lanes[some.lane], range);
      for (auto hit = std::ranges::lower_bound(some.events, part.first); hit != some.events.end() && *hit < part.last;
           ++hit)
        places.push_back(placed(some.lane, *hit));
    }
  } else {
    // Each lane into a stretch that has room for all of it, then together those that pass.
    std::vector<Part> stretches;
    for (const LaneId lane : lanes) {
      const std::size_t first = stretches.empty() ? 0 : stretches.back().last;
      stretches.push_back({first, first + touching(*trace.lanes[lane], range).size()});
    }
    places.resize(stretches.empty() ? 0 : stretches.back().last);
    onThreads(lanes.size(), [&](std::size_t which) {
      if (job.cancelled()) return;
      const LaneId lane = lanes[which];
      const Touching part = touching(*trace.lanes[lane], range);
      const trace::LaneView view = laneOf(trace, lane, question_.selection.passing.get());
      std::size_t end = stretches[which].first;
      for (std::size_t i = view.next(part.first); i < part.last; i = view.next(i + 1)) places[end++] = placed(lane, i);
      stretches[which].last = end;
    });
    if (job.cancelled()) return {};
    std::size_t end = 0;
    for (const Part& some : stretches) {
      if (some.first != end) std::copy_n(places.data() + some.first, some.last - some.first, places.data() + end);
      end += some.last - some.first;
    }
    places.resize(end);
  }
  sortKeyed(places, job);
  return places;
}

/// Of those that begin together, which stand by id.
void EventList::putLongestFirst(std::vector<Keyed>& places) const {
  const trace::Trace& trace = *question_.trace;
  for (auto first = places.begin(); first != places.end();) {
    const auto last = std::find_if(first, places.end(), [&](const Keyed& each) { return each.key != first->key; });
    if (last - first > 1)
      std::stable_sort(first, last, [&](const Keyed& a, const Keyed& b) {
        return trace.time(trace.ref(a.id)).length() > trace.time(trace.ref(b.id)).length();
      });
    first = last;
  }
}

void EventList::rankNames() {
  const trace::Trace& trace = *question_.trace;
  const bool all = byStart_->size() >= trace.names->size();  // which is quicker than to look which of them occur
  std::vector<bool> met(trace.names->size(), all);
  trace::NearbyRefs refs(trace);
  for (std::size_t i = 0; i < byStart_->size() && !all; ++i) met[trace.name(refs.of((*byStart_)[i]))] = true;
  std::vector<trace::NameId> names;
  for (trace::NameId name = 0; name < met.size(); ++name)
    if (met[name]) names.push_back(name);
  std::ranges::sort(names, {}, [&](trace::NameId name) { return (*trace.names)[name].text; });
  nameRank_.assign(met.size(), 0);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool same = i > 0 && (*trace.names)[names[i]].text == (*trace.names)[names[i - 1]].text;
    nameRank_[names[i]] = same ? nameRank_[names[i - 1]] : static_cast<std::uint32_t>(i);
  }
}

void EventList::measureDepths() {
  const trace::Trace& trace = *question_.trace;
  trace::NearbyRefs refs(trace);
  std::vector<Ns> open;  // ends
  std::uint64_t group = kLast;
  depths_.reserve(size());
  for (const EventId id : *ids_) {
    const EventRef event = refs.of(id);
    const trace::TimeRange time = trace.time(event);
    if (const std::uint64_t own = rank(event); own != group) {
      group = own;
      open.clear();
    }
    while (!open.empty() && (open.back() <= time.begin || open.back() < time.end)) open.pop_back();
    depths_.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(open.size(), 0xFFFF)));
    open.push_back(time.end);
  }
}

std::optional<std::size_t> EventList::placeOf(EventRef event) const {
  if (ids_->empty()) return std::nullopt;
  const trace::Trace& trace = *question_.trace;
  if (question_.order == EventOrder::kName && trace.name(event) >= nameRank_.size()) return std::nullopt;
  const auto at = std::lower_bound(ids_->begin(), ids_->end(), event,
                                   [&](EventId id, EventRef wanted) { return before(trace.ref(id), wanted); });
  if (at == ids_->end() || *at != trace.id(event)) return std::nullopt;
  return static_cast<std::size_t>(at - ids_->begin());
}

std::size_t EventList::bytes() const {
  const std::size_t others = ids_ == byStart_ ? 0 : ids_->capacity();
  return (byStart_->capacity() + others) * sizeof(EventId) + depths_.capacity() * sizeof(std::uint16_t) +
         nameRank_.capacity() * sizeof(std::uint32_t);
}

}  // namespace lanescope::analysis
