// SPDX-License-Identifier: Apache-2.0
// The zoomed-out picture of a lane: time bins that double in width from level to level, each with the busy fraction
// and the name that fills most of it. Reading a pixel column costs one or two bins whatever the number of events.
//
// The finest bin is the power of two that gives at least four events a bin on average, so the whole pyramid costs
// about three bytes an event. A bin that any event touches has a busy fraction above zero. Immutable once built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/trace/names.h"
#include "model/trace/time.h"

namespace lanescope::trace {

class Lane;
class LaneView;

class Pyramid {
 public:
  static constexpr std::uint16_t kFull = 0xFFFF;

  struct Bin {
    std::uint16_t busy = 0;  ///< 0 empty, kFull all of it; never 0 where there is an event
    NameId name =
        0;  ///< the one with most time of the first eight names in the bin; where levels merge, that of the busier half
  };

  Pyramid() = default;
  explicit Pyramid(const Lane& lane);
  explicit Pyramid(const LaneView& events);  ///< of some of a lane's events

  unsigned levels() const { return static_cast<unsigned>(first_.size()); }
  Ns origin() const { return origin_; }
  /// log2 of the bin width of a level, in ns.
  unsigned shift(unsigned level) const { return finestShift_ + level; }
  std::size_t bins(unsigned level) const { return size_[level]; }
  Bin bin(unsigned level, std::size_t index) const {
    const std::size_t i = first_[level] + index;
    return {(*busy_)[i], (*name_)[i]};
  }

  /// The coarsest level whose bins are at most `width` ns wide, or -1 if even the finest are wider.
  int levelFor(Ns width) const;

  std::size_t bytes() const;

  /// The same picture `by` later, sharing its bins.
  Pyramid moved(Ns by) const;
  /// The same picture with other names for the ids, sharing how busy bins are.
  Pyramid renamed(std::span<const NameId> to) const;

 private:
  Ns origin_ = 0;
  unsigned finestShift_ = 0;
  std::vector<std::size_t> first_;  // per level: where its bins begin
  std::vector<std::size_t> size_;
  std::shared_ptr<const std::vector<std::uint16_t>> busy_;  // null: no bins; as the next
  std::shared_ptr<const std::vector<NameId>> name_;
};

}  // namespace lanescope::trace
