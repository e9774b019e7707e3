// SPDX-License-Identifier: Apache-2.0
#include "model/import/chrome_nesting.h"

#include <algorithm>

namespace lanescope::imported {

using trace::Event;

namespace {

constexpr auto byTime = [](const auto& entry) { return entry.event.start; };

void sortByTime(auto& entries) {
  if (!std::ranges::is_sorted(entries, {}, byTime)) std::ranges::stable_sort(entries, {}, byTime);
}

Event unfinished(Event event) {
  event.end = event.start;
  event.unfinished = true;
  return event;
}

}  // namespace

std::vector<Brackets::Bracket>& Brackets::of(PlaceId place) {
  if (ofPlace_.size() <= place) ofPlace_.resize(place + 1);
  return ofPlace_[place];
}

void Brackets::begin(const TrackKey& key, const Event& event) { of(key.place).push_back({event, places_.track(key)}); }

void Brackets::end(PlaceId place, const Event& event) { of(place).push_back({event}); }

void Brackets::finish() {
  for (std::vector<Bracket>& brackets : ofPlace_) pair(brackets);
  ofPlace_.clear();
}

void Brackets::pair(std::vector<Bracket>& brackets) {
  constexpr std::ptrdiff_t kLookAhead = 16;
  sortByTime(brackets);
  std::vector<Bracket> open;
  for (auto at = brackets.begin(); at != brackets.end(); ++at) {
    if (at->track == trace::kNone && at->event.name != 0 &&
        (open.empty() || open.back().event.name != at->event.name)) {
      const auto last = at + std::min(kLookAhead, brackets.end() - at);
      const auto later = std::find_if(at + 1, last, [&](const Bracket& bracket) {
        return bracket.track != trace::kNone || byTime(bracket) != byTime(*at);
      });
      if (later != last && byTime(*later) == byTime(*at) && later->event.name == at->event.name)
        std::rotate(at, later, later + 1);
    }
    if (at->track != trace::kNone) {
      open.push_back(*at);
      continue;
    }
    if (open.empty()) {
      endsAlone_.add(at->event.sourceRow);
      continue;
    }
    Event event = open.back().event;
    if (at->event.name != 0 && at->event.name != event.name) otherNames_.add(at->event.sourceRow);
    event.end = at->event.start;
    places_.events(open.back().track).push_back(event);
    open.pop_back();
  }
  for (const Bracket& bracket : open) places_.events(bracket.track).push_back(unfinished(bracket.event));
}

std::uint32_t Spans::identityOf(const JsonEvent& entry, bool isOld) {
  const auto append = [this](const JsonId& id) {
    key_.append(1, '\0');
    key_.append(id.kind == JsonId::Kind::kText ? std::string(id.text) : "#" + std::to_string(id.number));
  };
  key_.assign(entry.category);
  append(entry.id);
  key_.append(1, '\0').append(isOld ? entry.name : entry.scope);
  if (entry.idIsLocal) append(entry.pid);
  return identities_.try_emplace(key_, static_cast<std::uint32_t>(identities_.size())).first->second;
}

void Spans::begin(const JsonEvent& entry, bool isOld, const TrackKey& key, const Event& span) {
  points_.push_back({span, identityOf(entry, isOld), places_.track(key)});
}

void Spans::end(const JsonEvent& entry, bool isOld, const Event& span) {
  points_.push_back({span, identityOf(entry, isOld)});
}

void Spans::finish() {
  sortByTime(points_);
  using Stack = std::vector<Point*>;
  std::vector<Stack> open(identities_.size());
  std::unordered_map<std::uint64_t, Stack> openByName;
  const auto named = [&](const Point& point) -> Stack& {
    return openByName[std::uint64_t{point.identity} << 32 | point.event.name];
  };
  for (Point& point : points_) {
    if (point.track != trace::kNone) {
      open[point.identity].push_back(&point);
      named(point).push_back(&point);
      continue;
    }
    // What an end of the other kind has closed is taken off when it is met.
    Stack& stack = point.event.name == 0 ? open[point.identity] : named(point);
    while (!stack.empty() && stack.back()->track == trace::kNone) stack.pop_back();
    if (stack.empty()) {
      endsAlone_.add(point.event.sourceRow);
      continue;
    }
    Point& begin = *stack.back();
    stack.pop_back();
    begin.event.end = point.event.start;
    places_.events(begin.track).push_back(begin.event);
    begin.track = trace::kNone;
  }
  for (const Stack& stack : open)
    for (const Point* point : stack)
      if (point->track != trace::kNone) places_.events(point->track).push_back(unfinished(point->event));
  points_.clear();
  identities_.clear();
}

}  // namespace lanescope::imported
