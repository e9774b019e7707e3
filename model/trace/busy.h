// SPDX-License-Identifier: Apache-2.0
// How long at least one of several lanes was busy: the union of their events, so never more than the time itself.
// Checkpoints every 64 events answer any range in O(lanes · log n). Immutable; keeps the lanes alive.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/job.h"
#include "model/trace/lane_part.h"

namespace lanescope::trace {

using LanePtr = std::shared_ptr<const Lane>;

class BusyUnion {
 public:
  /// O(events · log lanes). Of no use once the job was cancelled: it then knows of the first events only.
  explicit BusyUnion(const std::vector<LanePtr>& lanes, const Job& job = {});
  explicit BusyUnion(std::vector<KeptLane> lanes, const Job& job = {});  ///< of parts of lanes

  /// The same union `by` later, of lanes that are those of `of` but for their names. O(lanes).
  BusyUnion(const BusyUnion& of, std::vector<KeptLane> lanes, Ns by);

  const std::vector<KeptLane>& lanes() const { return lanes_; }  ///< as they lie before it was moved

  /// Union busy time before t.
  Ns busyBefore(Ns t) const;
  Ns busy(TimeRange range) const { return range.empty() ? 0 : busyBefore(range.end) - busyBefore(range.begin); }

 private:
  struct Checkpoint {
    Ns time;     // start of an event
    Ns busy;     // union of the events before it, whole
    Ns covered;  // their last end: all of [time, covered) is busy, if that is anything
  };
  std::vector<KeptLane> lanes_;
  std::shared_ptr<const std::vector<Checkpoint>> checkpoints_;  // null: one lane
  Ns shift_ = 0;  // of what is asked against lanes and checkpoints
};

/// The union in one range, without preparation: O(events in the range · log lanes). Too little once the job was cancelled.
Ns unionBusy(std::span<const KeptLane> lanes, TimeRange range, const Job& job = {});

}  // namespace lanescope::trace
