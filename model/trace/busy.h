// SPDX-License-Identifier: Apache-2.0
// How long at least one of several lanes was busy: the union of their events, so never more than the time itself.
// Checkpoints every 64 merged intervals answer any range in O(log n + lanes). Immutable; keeps the lanes alive.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/trace/lane.h"

namespace lanescope::trace {

using LanePtr = std::shared_ptr<const Lane>;

class BusyUnion {
 public:
  explicit BusyUnion(std::vector<LanePtr> lanes);

  /// Union busy time before t.
  Ns busyBefore(Ns t) const;
  Ns busy(TimeRange range) const { return range.empty() ? 0 : busyBefore(range.end) - busyBefore(range.begin); }

 private:
  struct Checkpoint {
    Ns time;  // no event of any lane crosses it
    Ns busy;
  };
  std::vector<LanePtr> lanes_;
  std::vector<Checkpoint> checkpoints_;
};

}  // namespace lanescope::trace
