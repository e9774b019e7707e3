// SPDX-License-Identifier: Apache-2.0
#include "model/trace/busy.h"

#include <algorithm>

namespace lanescope::trace {
namespace {

constexpr std::size_t kCheckpointEvery = 64;
constexpr std::size_t kLookEvery = 4096;  // events, at the job

/// Walks the events of all lanes in order of start, from firstOf(lane) on, until visit(start, end) returns false.
template <class FirstOf, class Visit>
void walk(std::span<const KeptLane> lanes, FirstOf firstOf, Visit visit) {
  struct Head {
    Ns start;
    LaneView lane;
    std::size_t index;
    bool operator<(const Head& other) const { return start > other.start; }  // a min-heap
  };
  std::vector<Head> heads;
  heads.reserve(lanes.size());
  for (const KeptLane& each : lanes) {
    const LaneView lane = each.view();
    if (const std::size_t i = lane.next(firstOf(*each.lane)); i < lane->size())
      heads.push_back({lane->start(i), lane, i});
  }
  std::make_heap(heads.begin(), heads.end());

  while (!heads.empty()) {
    std::pop_heap(heads.begin(), heads.end());
    Head& head = heads.back();
    // Events of the lane that is ahead of all others need no heap.
    const Ns others = heads.size() > 1 ? heads.front().start : kMaxTime;
    do {
      if (!visit(head.start, head.lane->end(head.index))) return;
      head.index = head.lane.next(head.index + 1);
      if (head.index == head.lane->size()) break;
      head.start = head.lane->start(head.index);
    } while (head.start <= others);
    if (head.index == head.lane->size()) heads.pop_back();
    else std::push_heap(heads.begin(), heads.end());
  }
}

}  // namespace

namespace {

std::vector<KeptLane> whole(const std::vector<LanePtr>& lanes) {
  std::vector<KeptLane> kept;
  kept.reserve(lanes.size());
  for (const LanePtr& lane : lanes) kept.push_back({lane});
  return kept;
}

}  // namespace

BusyUnion::BusyUnion(const std::vector<LanePtr>& lanes, const Job& job) : BusyUnion(whole(lanes), job) {}

BusyUnion::BusyUnion(std::vector<KeptLane> lanes, const Job& job) : lanes_(std::move(lanes)) {
  if (lanes_.size() == 1) return;  // the lane has prefix sums of its own
  std::vector<Checkpoint> checkpoints;
  Ns busy = 0;
  Ns covered = kMinTime;
  std::size_t count = 0;
  const auto fromTheFirst = [](const Lane&) { return std::size_t{0}; };
  walk(lanes_, fromTheFirst, [&](Ns start, Ns end) {
    if (count % kLookEvery == 0 && job.cancelled()) return false;
    if (count++ % kCheckpointEvery == 0) checkpoints.push_back({start, busy, covered});
    busy += std::max<Ns>(0, end - std::max(start, covered));
    covered = std::max(covered, end);
    return true;
  });
  checkpoints_ = std::make_shared<const std::vector<Checkpoint>>(std::move(checkpoints));
}

BusyUnion::BusyUnion(const BusyUnion& of, std::vector<KeptLane> lanes, Ns by)
    : lanes_(std::move(lanes)), checkpoints_(of.checkpoints_), shift_(of.shift_ + by) {}

Ns BusyUnion::busyBefore(Ns t) const {
  t -= shift_;
  if (lanes_.size() == 1) return lanes_.front().view().busyBefore(t);
  auto found = std::upper_bound(checkpoints_->begin(), checkpoints_->end(), t,
                                [](Ns time, const Checkpoint& checkpoint) { return time < checkpoint.time; });
  if (found == checkpoints_->begin()) return 0;
  --found;
  if (found->covered >= t) return found->busy - (found->covered - t);
  Ns busy = found->busy;
  Ns covered = found->covered;
  // Of events that start together some may stand before the checkpoint; they are covered and add nothing.
  const auto fromCheckpoint = [&](const Lane& lane) { return lane.lowerBound(found->time); };
  walk(lanes_, fromCheckpoint, [&](Ns start, Ns end) {
    if (start >= t) return false;
    busy += std::max<Ns>(0, std::min(end, t) - std::max(start, covered));
    covered = std::max(covered, end);
    return covered < t;
  });
  return busy;
}

Ns unionBusy(std::span<const KeptLane> lanes, TimeRange range, const Job& job) {
  if (range.empty()) return 0;
  Ns busy = 0;
  Ns covered = range.begin;
  std::size_t count = 0;
  const auto fromTouching = [&](const Lane& lane) { return lane.firstTouching(range.begin); };
  walk(lanes, fromTouching, [&](Ns start, Ns end) {
    if (start >= range.end || (count++ % kLookEvery == 0 && job.cancelled())) return false;
    busy += std::max<Ns>(0, std::min(end, range.end) - std::max(start, covered));
    covered = std::max(covered, end);
    return covered < range.end;
  });
  return busy;
}

}  // namespace lanescope::trace
