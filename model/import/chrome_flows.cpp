// SPDX-License-Identifier: Apache-2.0
#include "model/import/chrome_flows.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "model/report/id_set.h"

namespace lanescope::imported {

using trace::Event;
using trace::EventKind;
using trace::kNone;

namespace {

/// Calls that start GPU work come before others that name the same arrow, as an event record does.
bool startsWork(std::string_view call) {
  for (const std::string_view word : {"Launch", "Memcpy", "Memset", "memcpy", "memset"})
    if (call.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::uint32_t Flows::identityOf(std::string_view category, std::string_view name, const JsonId& id) {
  key_.assign(category).append(1, '\0').append(name).append(1, '\0');
  if (id.kind == JsonId::Kind::kText) key_.append(id.text);
  else key_.append("#").append(std::to_string(id.number));
  return identities_.try_emplace(key_, static_cast<std::uint32_t>(identities_.size())).first->second;
}

void Flows::add(const JsonEvent& entry, bool isLaunch, PlaceId place) {
  const bool bindsNext = entry.phase == 'f' && entry.bind != "e";
  if (isLaunch && entry.phase != 't' && entry.id.kind == JsonId::Kind::kNumber)
    launches_.push_back({entry.id.number, *entry.ts, entry.ordinal, place, entry.phase, bindsNext});
  else
    points_.push_back(
        {*entry.ts, entry.ordinal, identityOf(entry.category, entry.name, entry.id), place, entry.phase, bindsNext});
}

void Flows::finish() {
  settleLaunches();
  bind();
  correlate(arrows());
  launches_.clear();
  points_.clear();
  identities_.clear();
}

/// Takes out arrows whose call and work are tied already; what is left joins the others.
void Flows::settleLaunches() {
  if (launches_.empty()) return;
  report::IdSet calls, work, starts, ends;
  for (std::uint32_t i = places_.firstTrack(); i < recording_.tracks.size(); ++i) {
    const Track& track = recording_.tracks[i];
    if (track.kind != EventKind::kCudaApi && !trace::isGpuWork(track.kind)) continue;
    report::IdSet& ids = track.kind == EventKind::kCudaApi ? calls : work;
    for (std::size_t e = 0; e < track.events.size(); ++e) ids.insert(track.events[e].correlation);
  }
  for (const Launch& launch : launches_) (launch.phase == 's' ? starts : ends).insert(launch.id);
  for (const Launch& launch : launches_) {
    const bool isStart = launch.phase == 's';
    // Kineto ends an arrow at every call, also at those that start nothing.
    if (!isStart && !starts.contains(launch.id) && (calls.contains(launch.id) || work.contains(launch.id))) continue;
    if (isStart && !ends.contains(launch.id)) {  // Kineto begins one at calls that start no work, too
      if (!calls.contains(launch.id)) startsAlone_.add(launch.ordinal);
      continue;
    }
    if (calls.contains(launch.id) && work.contains(launch.id)) continue;
    points_.push_back({launch.ts, launch.ordinal, identityOf("", "", {JsonId::Kind::kNumber, launch.id}), launch.place,
                       launch.phase, launch.bindsNext});
  }
}

void Flows::bind() {
  if (points_.empty()) return;
  std::vector<std::vector<std::uint32_t>> tracks(places_.size());
  for (std::uint32_t i = 0; i < places_.tracks().size(); ++i)
    tracks[places_.tracks()[i].place].push_back(places_.firstTrack() + i);
  std::vector<std::vector<Point*>> points(places_.size());
  for (Point& point : points_) points[point.place].push_back(&point);
  for (PlaceId place = 0; place < places_.size(); ++place)
    if (!points[place].empty()) bindPlace(points[place], tracks[place]);
}

/// One sweep over the events of a place by start: those around a moment that still last are on a stack, the one that
/// began last on top. O(n log n).
void Flows::bindPlace(std::vector<Point*>& points, const std::vector<std::uint32_t>& tracks) {
  struct Slice {
    trace::Ns start, end;
    EventAt at;
  };
  std::vector<Slice> slices;
  for (const std::uint32_t track : tracks) {
    const Track& there = recording_.tracks[track];
    if (there.kind == EventKind::kNvtxMark || there.kind == EventKind::kCpuSample ||
        there.kind == EventKind::kPythonSample || there.kind == EventKind::kNvtxStartEnd)
      continue;
    for (std::uint32_t i = 0; i < there.events.size(); ++i) {
      const Event& event = there.events[i];
      slices.push_back({event.start, event.unfinished ? trace::kMaxTime : event.end, {track, i}});
    }
  }
  std::ranges::stable_sort(
      slices, [](const Slice& a, const Slice& b) { return a.start != b.start ? a.start < b.start : a.end > b.end; });
  std::ranges::stable_sort(points, {}, [](const Point* point) { return point->ts; });
  std::vector<const Slice*> around;
  std::size_t next = 0;
  for (Point* point : points) {
    for (; next < slices.size() && slices[next].start <= point->ts; ++next) {
      while (!around.empty() && around.back()->end < slices[next].start) around.pop_back();
      around.push_back(&slices[next]);
    }
    while (!around.empty() && around.back()->end < point->ts) around.pop_back();
    if (point->bindsNext) {
      const auto begins = std::ranges::lower_bound(slices, point->ts, {}, &Slice::start);
      if (begins != slices.end()) point->at = begins->at;
    } else if (!around.empty()) {
      point->at = around.back()->at;
    }
  }
}

/// Follows each identity through time: all beginnings since the last end lead to the next end.
std::vector<Flows::Arrow> Flows::arrows() {
  constexpr std::size_t kMostStarts = 16;
  std::vector<Arrow> arrows;
  std::vector<const Point*> order;
  order.reserve(points_.size());
  for (const Point& point : points_) order.push_back(&point);
  std::ranges::stable_sort(order, [](const Point* a, const Point* b) {
    return std::tie(a->identity, a->ts) < std::tie(b->identity, b->ts);
  });
  const auto connect = [&](const Point& from, const Point& to) {
    if (from.at.track != kNone && to.at.track != kNone) arrows.push_back({from.at, to.at});
  };
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    std::vector<const Point*> open, early;  // early: ends before any beginning, as clocks of GPUs go wrong
    bool used = false;
    for (end = begin; end < order.size() && order[end]->identity == order[begin]->identity; ++end) {
      const Point& point = *order[end];
      if (point.at.track == kNone) nowhere_.add(point.ordinal);
      if (point.phase == 's') {
        if (used) open.clear();
        used = false;
        if (open.size() == kMostStarts) {
          startsAlone_.add(open.front()->ordinal);
          open.erase(open.begin());
        }
        open.push_back(&point);
        for (const Point* before : early) connect(point, *before), used = true;
        early.clear();
        continue;
      }
      if (open.empty()) {
        early.push_back(&point);
        continue;
      }
      for (const Point* from : open) connect(*from, point);
      used = true;
      if (point.phase == 't') open = {&point}, used = false;
    }
    for (const Point* point : early) endsAlone_.add(point->ordinal);
    if (!used)
      for (const Point* point : open)
        if (point->phase == 's') startsAlone_.add(point->ordinal);
  }
  return arrows;
}

void Flows::correlate(std::vector<Arrow> arrows) {
  if (arrows.empty()) return;
  const auto isLaunch = [this](const Arrow& arrow) {
    return recording_.tracks[arrow.from.track].kind == EventKind::kCudaApi &&
           trace::isGpuWork(recording_.tracks[arrow.to.track].kind);
  };
  const auto rank = [&](const Arrow& arrow) {
    if (!isLaunch(arrow)) return 2;
    const Event& call = recording_.tracks[arrow.from.track].events[arrow.from.index];
    return startsWork((*recording_.names)[call.name].text) ? 0 : 1;
  };
  std::ranges::stable_sort(arrows, {}, rank);

  report::IdSet called;
  std::int64_t last = 0;
  for (std::uint32_t i = places_.firstTrack(); i < recording_.tracks.size(); ++i) {
    const Track& track = recording_.tracks[i];
    for (std::size_t e = 0; e < track.events.size(); ++e) {
      last = std::max(last, track.events[e].correlation);
      if (track.kind == EventKind::kCudaApi) called.insert(track.events[e].correlation);
    }
  }
  constexpr std::int64_t kFirstFree = std::int64_t{1} << 62;  // where a file has nearly the greatest number of all
  std::int64_t free = last < kFirstFree ? last : -kFirstFree;

  for (const Arrow& arrow : arrows) {
    if (isLaunch(arrow)) {
      trace::EventList& calls = recording_.tracks[arrow.from.track].events;
      trace::EventList& work = recording_.tracks[arrow.to.track].events;
      const std::int64_t call = calls[arrow.from.index].correlation, started = work[arrow.to.index].correlation;
      if (call == started && call != 0) continue;
      if (started == 0 || (call == 0 && !called.contains(started))) {
        const std::int64_t number = started != 0 ? started : call != 0 ? call : ++free;
        calls.setCorrelation(arrow.from.index, number);
        work.setCorrelation(arrow.to.index, number);
        called.insert(number);
        continue;
      }
    }
    recording_.links.push_back({arrow.from, arrow.to});
  }
}

}  // namespace lanescope::imported
