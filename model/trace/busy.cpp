// SPDX-License-Identifier: Apache-2.0
#include "model/trace/busy.h"

#include <algorithm>

namespace lanescope::trace {
namespace {

constexpr std::size_t kCheckpointEvery = 64;

/// Walks the events of all lanes from time `from` in order of start, merging those that touch, and calls
/// visit(begin, end) for each merged interval until it returns false.
template <class Visit>
void mergeFrom(std::span<const LanePtr> lanes, Ns from, Visit visit) {
  struct Head {
    Ns start;
    const Lane* lane;
    std::size_t index;
    bool operator<(const Head& other) const { return start > other.start; }  // a min-heap
  };
  std::vector<Head> heads;
  heads.reserve(lanes.size());
  for (const LanePtr& lane : lanes)
    if (const std::size_t i = lane->lowerBound(from); i < lane->size())
      heads.push_back({lane->start(i), lane.get(), i});
  std::make_heap(heads.begin(), heads.end());

  bool open = false;
  Ns begin = 0;
  Ns end = 0;
  while (!heads.empty()) {
    std::pop_heap(heads.begin(), heads.end());
    Head& head = heads.back();
    // Events of the lane that is ahead of all others need no heap.
    const Ns others = heads.size() > 1 ? heads.front().start : kMaxTime;
    do {
      const Ns eventEnd = head.lane->end(head.index);
      if (open && head.start <= end) {
        end = std::max(end, eventEnd);
      } else {
        if (open && !visit(begin, end)) return;
        open = true, begin = head.start, end = eventEnd;
      }
      ++head.index;
      if (head.index == head.lane->size()) break;
      head.start = head.lane->start(head.index);
    } while (head.start <= others);
    if (head.index == head.lane->size()) heads.pop_back();
    else std::push_heap(heads.begin(), heads.end());
  }
  if (open) visit(begin, end);
}

}  // namespace

BusyUnion::BusyUnion(std::vector<LanePtr> lanes) : lanes_(std::move(lanes)) {
  if (lanes_.size() == 1) return;  // the lane has prefix sums of its own
  Ns busy = 0;
  std::size_t count = 0;
  mergeFrom(lanes_, kMinTime, [&](Ns begin, Ns end) {
    if (count++ % kCheckpointEvery == 0) checkpoints_.push_back({begin, busy});
    busy += end - begin;
    return true;
  });
}

Ns BusyUnion::busyBefore(Ns t) const {
  if (lanes_.size() == 1) return lanes_.front()->busyBefore(t);
  auto found = std::upper_bound(checkpoints_.begin(), checkpoints_.end(), t,
                                [](Ns time, const Checkpoint& checkpoint) { return time < checkpoint.time; });
  if (found == checkpoints_.begin()) return 0;
  --found;
  Ns busy = found->busy;
  mergeFrom(lanes_, found->time, [&](Ns begin, Ns end) {
    if (begin >= t) return false;
    busy += std::min(end, t) - begin;
    return end < t;
  });
  return busy;
}

}  // namespace lanescope::trace
