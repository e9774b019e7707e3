// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/find.h"
#include "model/wide.h"

#include <algorithm>
#include <numeric>

#include "model/analysis/filter.h"
#include "model/analysis/find_query.h"

namespace lanescope::analysis {

using trace::EventRef;
using trace::LaneId;
using trace::Ns;
using trace::Trace;

namespace {

constexpr std::size_t kBetweenChecks = 1 << 18;  // events between two looks at the job: a fraction of a millisecond

}  // namespace

class Finder {
 public:
  Finder(const Trace& trace, const Query& query, const Job& job, const Passing* among)
      : trace_(trace), matching_(trace, query, job), job_(job), among_(among) {}

  Hits find() {
    Hits hits;
    for (LaneId lane = 0; lane < trace_.lanes.size() && !job_.cancelled(); ++lane) {
      if (!matching_.asksFor(trace_.laneInfo[lane], false)) continue;
      const trace::LaneView view = among_ ? among_->of(trace_, lane) : trace::LaneView(*trace_.lanes[lane]);
      if (view.empty()) continue;
      std::vector<std::uint32_t> events = hitsIn(view.lane());
      if (!view.whole()) std::erase_if(events, [&](std::uint32_t event) { return !view.has(event); });
      if (events.empty()) continue;
      hits.count += events.size();
      hits.lanes.push_back({lane, std::move(events)});
    }
    return hits;
  }

 private:
  std::vector<std::uint32_t> hitsIn(const trace::Lane& lane) const {
    const std::vector<std::uint8_t>& isWanted = matching_.names();
    if (!matching_.anyDuration())
      return matching_.anyName()
                 ? collect(lane, [&](std::size_t i) { return matching_.hasLength(lane, i); })
                 : collect(lane, [&](std::size_t i) { return isWanted[lane.name(i)] && matching_.hasLength(lane, i); });
    if (!matching_.anyName()) {
      const std::span<const trace::NameId> names = lane.names();
      return collect(lane, [&](std::size_t i) { return isWanted[names[i]] != 0; });
    }
    std::vector<std::uint32_t> all(lane.size());
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }

  /// Indices of which isHit(index) is true, in a list no longer than they need. Every event is written and every hit
  /// kept: a branch on what cannot be foretold costs more than the write.
  template <class IsHit>
  std::vector<std::uint32_t> collect(const trace::Lane& lane, IsHit isHit) const {
    std::vector<std::uint32_t> hits, some;
    for (std::size_t begin = 0; begin < lane.size() && !job_.cancelled(); begin += kBetweenChecks) {
      const std::size_t end = std::min(begin + kBetweenChecks, lane.size());
      if (some.empty()) some.resize(end - begin);  // the first part is as long as any
      std::size_t count = 0;
      for (std::size_t i = begin; i < end; ++i) {
        some[count] = static_cast<std::uint32_t>(i);
        count += isHit(i);
      }
      if (begin == 0 && end < lane.size())  // as many again in every part, or a little more
        hits.reserve(static_cast<std::size_t>(static_cast<double>(count) * static_cast<double>(lane.size()) /
                                              static_cast<double>(end) * 1.02));
      hits.insert(hits.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    }
    if (hits.capacity() > hits.size() + hits.size() / 8) hits.shrink_to_fit();
    return hits;
  }

  const Trace& trace_;
  const Matching matching_;
  const Job& job_;
  const Passing* among_;
};

Hits find(const Trace& trace, const Query& query, const Job& job, const Passing* among) {
  return query.empty() ? Hits{} : Finder(trace, query, job, among).find();
}

namespace {

/// How many of a lane's hits stand before this index of the lane.
std::size_t hitsBefore(const Hits::OfLane& hits, std::size_t index) {
  return static_cast<std::size_t>(std::lower_bound(hits.events.begin(), hits.events.end(), index) -
                                  hits.events.begin());
}

/// How many of a lane's hits come before an event in the order of all hits; `orAt`: or are that event.
std::size_t hitsBefore(const Trace& trace, const Hits::OfLane& hits, EventRef event, bool orAt) {
  if (hits.lane == event.lane) return hitsBefore(hits, std::size_t{event.index} + orAt);
  const Ns start = trace.lanes[event.lane]->start(event.index);
  return hitsBefore(hits, trace.lanes[hits.lane]->lowerBound(hits.lane < event.lane ? start + 1 : start));
}

bool exists(const Trace& trace, EventRef event) {
  return event.lane < trace.lanes.size() && event.index < trace.lanes[event.lane]->size();
}

/// What orders hits.
std::pair<Ns, LaneId> placeOf(const Trace& trace, EventRef event) {
  return {trace.lanes[event.lane]->start(event.index), event.lane};
}

}  // namespace

std::optional<EventRef> nextHit(const Trace& trace, const Hits& hits, std::optional<EventRef> from, Ns time,
                                bool forward) {
  if (from && !exists(trace, *from)) from.reset();
  const Ns at = std::clamp(time, trace::kMinTime, trace::kMaxTime);
  std::optional<EventRef> next, round;
  const auto keepNearer = [&](std::optional<EventRef>& best, EventRef event) {
    if (!best || (placeOf(trace, event) < placeOf(trace, *best)) == forward) best = event;
  };
  for (const Hits::OfLane& lane : hits.lanes) {
    // The hit at `count` is the first one after, that before it the last one before.
    const std::size_t count = from ? hitsBefore(trace, lane, *from, forward)
                                   : hitsBefore(lane, trace.lanes[lane.lane]->lowerBound(forward ? at : at + 1));
    if (forward && count < lane.events.size()) keepNearer(next, {lane.lane, lane.events[count]});
    if (!forward && count > 0) keepNearer(next, {lane.lane, lane.events[count - 1]});
    keepNearer(round, {lane.lane, forward ? lane.events.front() : lane.events.back()});
  }
  return next ? next : round;
}

std::uint64_t rankOf(const Trace& trace, const Hits& hits, EventRef event) {
  const auto own = std::find_if(hits.lanes.begin(), hits.lanes.end(),
                                [&](const Hits::OfLane& lane) { return lane.lane == event.lane; });
  if (own == hits.lanes.end() || !std::binary_search(own->events.begin(), own->events.end(), event.index)) return 0;
  std::uint64_t rank = 1;
  for (const Hits::OfLane& lane : hits.lanes) rank += hitsBefore(trace, lane, event, false);
  return rank;
}

std::vector<EventRef> firstHits(const Trace& trace, const Hits& hits, std::size_t most, const Job& job) {
  struct Head {
    std::pair<Ns, LaneId> place;
    const Hits::OfLane* lane;
    std::size_t next;  // in the lane's hits
    bool operator>(const Head& other) const { return place > other.place; }
  };
  std::vector<Head> heads;  // a heap, the earliest on top
  heads.reserve(hits.lanes.size());
  for (const Hits::OfLane& lane : hits.lanes)
    heads.push_back({placeOf(trace, {lane.lane, lane.events.front()}), &lane, 0});
  std::make_heap(heads.begin(), heads.end(), std::greater<>());

  std::vector<EventRef> first;
  first.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(most, hits.count)));
  while (first.size() < most && !heads.empty()) {
    if (first.size() % 4096 == 0 && job.cancelled()) break;
    std::pop_heap(heads.begin(), heads.end(), std::greater<>());
    Head& head = heads.back();
    first.push_back({head.lane->lane, head.lane->events[head.next]});
    if (++head.next == head.lane->events.size()) {
      heads.pop_back();
      continue;
    }
    head.place = placeOf(trace, {head.lane->lane, head.lane->events[head.next]});
    std::push_heap(heads.begin(), heads.end(), std::greater<>());
  }
  return first;
}

namespace {

/// A range cut into equal columns, whose borders need not be whole nanoseconds.
struct Columns {
  Wide begin, length, count;

  Wide at(Ns t) const {  // the column that t stands in
    const Wide scaled = (t - begin) * count;
    return scaled >= 0 ? scaled / length : -((length - 1 - scaled) / length);
  }
  /// The last one that an event touches: one that ends at a border does not reach over it.
  Wide last(Ns start, Ns end) const {
    const Wide scaled = (end - begin) * count;
    const Wide before = scaled > 0 ? (scaled - 1) / length : Wide{-1};
    return std::max(before, at(start));
  }
  Ns floorOf(Wide column) const { return static_cast<Ns>(begin + column * length / count); }
  Ns ceilingOf(Wide column) const { return static_cast<Ns>(begin + (column * length + count - 1) / count); }
};

}  // namespace

std::vector<bool> hitColumns(const Trace& trace, const Hits& hits, trace::TimeRange range, int columns) {
  std::vector<bool> touched(static_cast<std::size_t>(std::max(columns, 0)));
  if (touched.empty() || range.empty()) return touched;
  const Columns scale{range.begin, Wide{range.end} - range.begin, columns};
  for (const Hits::OfLane& some : hits.lanes) {
    const trace::Lane& lane = *trace.lanes[some.lane];
    for (Wide column = 0; column < columns;) {
      if (touched[static_cast<std::size_t>(column)]) {
        ++column;
        continue;
      }
      // The first event that touches this column or a later one.
      const Ns border = scale.floorOf(column);
      std::size_t event = lane.firstTouching(scale.ceilingOf(column));
      if (event > 0 && lane.end(event - 1) > border) --event;
      const std::size_t hit = hitsBefore(some, event);
      if (hit == some.events.size()) break;
      const Ns start = lane.start(some.events[hit]);
      column = std::max(column, scale.at(start));
      const Wide last = std::min<Wide>(scale.last(start, lane.end(some.events[hit])), columns - 1);
      for (; column <= last; ++column) touched[static_cast<std::size_t>(column)] = true;
    }
  }
  return touched;
}

}  // namespace lanescope::analysis
