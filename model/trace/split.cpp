// SPDX-License-Identifier: Apache-2.0
#include "model/trace/split.h"

#include <algorithm>
#include <bit>

namespace lanescope::trace {
namespace {

/// What decides an event's place, small enough to sort quickly.
struct Place {
  Ns start;
  Ns end;
  std::uint32_t index;
};

bool before(const Place& a, const Place& b, Order order) {
  if (a.start != b.start) return a.start < b.start;
  if (a.end != b.end) return (a.end > b.end) == (order == Order::kOuterFirst);
  return a.index < b.index;
}

/// All places in order. Traces are nearly sorted (a parent is written after its children), so runs that need work are
/// short: sorting only those beats sorting all.
std::vector<Place> sortedPlaces(const EventList& events, Order order) {
  std::vector<Place> places;
  places.reserve(events.size());
  for (std::uint32_t i = 0; i < events.size(); ++i) places.push_back({events[i].start, events[i].end, i});

  // A cut stands where everything before it starts earlier than everything after it.
  const std::size_t blocks = places.size() / Lane::kBlock + 1;
  std::vector<Ns> earliestFrom(blocks + 1, kMaxTime);
  for (std::size_t i = places.size(); i-- > 0;) {
    Ns& earliest = earliestFrom[i / Lane::kBlock];
    earliest = std::min({earliest, earliestFrom[i / Lane::kBlock + 1], places[i].start});
  }
  const auto less = [order](const Place& a, const Place& b) { return before(a, b, order); };
  const auto sortRun = [&](std::size_t first, std::size_t last) {
    const auto begin = places.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(last);
    if (!std::is_sorted(begin, end, less)) std::sort(begin, end, less);
  };
  std::size_t runBegin = 0;
  Ns latest = kMinTime;
  for (std::size_t i = 0; i < places.size(); i += Lane::kBlock) {
    if (i > runBegin && latest < earliestFrom[i / Lane::kBlock]) {
      sortRun(runBegin, i);
      runBegin = i;
    }
    for (std::size_t j = i; j < std::min(i + Lane::kBlock, places.size()); ++j)
      latest = std::max(latest, places[j].start);
  }
  sortRun(runBegin, places.size());
  return places;
}

/// Finds the first lane that is free at a time: a look at each while they are few, else a tree of minima over the ends
/// of the lanes' last events.
class FreeLanes {
 public:
  std::uint32_t take(Ns start, Ns end) {
    if (ends_.size() <= kFew) {
      std::size_t lane = 0;
      while (lane < ends_.size() && ends_[lane] > start) ++lane;
      if (lane == ends_.size()) ends_.push_back(end);
      ends_[lane] = end;
      return static_cast<std::uint32_t>(lane);
    }
    if (tree_.empty() || tree_[1] > start) grow();
    std::size_t node = 1;
    while (node < capacity_) node = tree_[2 * node] <= start ? 2 * node : 2 * node + 1;
    const std::size_t lane = node - capacity_;
    if (lane == ends_.size()) ends_.push_back(end);
    ends_[lane] = tree_[node] = end;
    while (node /= 2) tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
    return static_cast<std::uint32_t>(lane);
  }
  Ns end(std::uint32_t lane) const { return ends_[lane]; }

 private:
  static constexpr std::size_t kFew = 16;

  void grow() {
    capacity_ = std::bit_ceil(ends_.size() + 1);
    tree_.assign(2 * capacity_, kMinTime);
    std::copy(ends_.begin(), ends_.end(), tree_.begin() + static_cast<std::ptrdiff_t>(capacity_));
    for (std::size_t node = capacity_; --node > 0;) tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
  }

  std::vector<Ns> ends_;
  std::vector<Ns> tree_;
  std::size_t capacity_ = 0;
};

}  // namespace

SplitLanes splitIntoLanes(const EventList& events, Order order, bool withAmounts) {
  SplitLanes result;
  const std::vector<Place> places = sortedPlaces(events, order);

  std::vector<std::uint32_t> laneOf(places.size());
  std::vector<std::size_t> sizes;
  FreeLanes lanes;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::uint32_t lane = lanes.take(places[i].start, places[i].end);
    laneOf[i] = lane;
    if (lane == sizes.size()) sizes.push_back(0);
    ++sizes[lane];
    if (order == Order::kOuterFirst && lane > 0 && lanes.end(lane - 1) < places[i].end) ++result.partialOverlaps;
  }

  std::vector<LaneBuilder> builders;
  builders.reserve(sizes.size());
  for (const std::size_t size : sizes) builders.emplace_back(size, withAmounts);
  if (events.anyCorrelation())
    for (const std::size_t size : sizes) result.correlations.emplace_back().reserve(size);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Event& event = events[places[i].index];
    builders[laneOf[i]].add(event);
    if (events.anyCorrelation()) result.correlations[laneOf[i]].push_back(event.correlation);
  }
  for (LaneBuilder& builder : builders) result.lanes.push_back(std::make_shared<Lane>(builder.finish()));
  return result;
}

}  // namespace lanescope::trace
