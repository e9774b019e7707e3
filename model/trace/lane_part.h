// SPDX-License-Identifier: Apache-2.0
// Some of the events of a lane: one bit an event, with what makes the part as quick to search and to draw as the lane.
// Indices are the lane's own, so an event keeps its id. Immutable once built, any thread; it does not keep the lane
// alive. Three bits an event, and a pyramid of what is left. LaneView is a lane seen through such a part, or whole.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/trace/lane.h"

namespace lanescope::trace {

class LanePart {
 public:
  /// Bit i % 64 of word i / 64 says whether event i is of the part; bits past the last event are 0.
  /// O(events / 64 + events of the part).
  LanePart(const Lane& lane, std::vector<std::uint64_t> bits);

  bool has(std::size_t i) const { return (levels_.front()[i / 64] >> (i % 64) & 1) != 0; }
  std::size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  std::size_t countBefore(std::size_t i) const;  ///< of the part, before event i of the lane. O(1)

  /// The first of the part at or after event i; the lane's size if there is none. O(log n), whatever is left out.
  std::size_t next(std::size_t i) const;
  /// The last of the part before event i.
  std::optional<std::size_t> previous(std::size_t i) const;

  Ns busyBefore(const Lane& lane, Ns t) const;  ///< O(log n)
  const Pyramid& pyramid() const { return pyramid_; }
  std::size_t bytes() const;

 private:
  std::size_t size_;  // of the lane
  std::size_t count_ = 0;
  std::vector<std::vector<std::uint64_t>> levels_;  // the bits; over each level a bit for each of its words not 0
  std::vector<std::uint32_t> countBefore_;  // each word
  std::vector<Ns> busyBefore_;  // each word
  Pyramid pyramid_;
};

/// The events of a lane that count. Cheap to copy; holds neither alive.
class LaneView {
 public:
  /// `part` null: all of them.
  LaneView(const Lane& lane, const LanePart* part = nullptr) : lane_(&lane), part_(part) {}

  const Lane& lane() const { return *lane_; }
  const Lane* operator->() const { return lane_; }
  bool whole() const { return part_ == nullptr; }
  bool has(std::size_t i) const { return part_ == nullptr || part_->has(i); }
  bool empty() const { return part_ ? part_->empty() : lane_->empty(); }
  std::size_t count() const { return part_ ? part_->count() : lane_->size(); }
  /// Those among events [first, last) of the lane.
  std::size_t countOf(std::size_t first, std::size_t last) const {
    if (first >= last) return 0;
    return part_ ? part_->countBefore(last) - part_->countBefore(first) : last - first;
  }
  std::size_t next(std::size_t i) const { return part_ ? part_->next(i) : i; }
  std::optional<std::size_t> previous(std::size_t i) const {
    if (part_) return part_->previous(i);
    return i > 0 ? std::optional(i - 1) : std::nullopt;
  }
  Ns busyBefore(Ns t) const { return part_ ? part_->busyBefore(*lane_, t) : lane_->busyBefore(t); }
  Ns busy(TimeRange range) const { return busyBefore(range.end) - busyBefore(range.begin); }
  const Pyramid& pyramid() const { return part_ ? part_->pyramid() : lane_->pyramid(); }

 private:
  const Lane* lane_;
  const LanePart* part_;
};

/// What a LaneView looks at, kept alive; no part: all of the lane.
struct KeptLane {
  std::shared_ptr<const Lane> lane;
  std::shared_ptr<const LanePart> part = {};
  LaneView view() const { return {*lane, part.get()}; }
};

}  // namespace lanescope::trace
