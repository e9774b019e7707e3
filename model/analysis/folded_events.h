// SPDX-License-Identifier: Apache-2.0
// A nested list of events of which some are folded: what lies inside those stands in no row. The list stays as it is; 8
// bytes are kept for each folded event that is not inside another one. Immutable once made; any thread.
#pragma once

#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "model/analysis/event_list.h"

namespace lanescope::analysis {

/// Which events are folded, by id, so that it outlives the list.
struct Folds {
  bool all = false;  ///< those that nobody touched
  std::unordered_set<trace::EventId> others;  ///< are the other way

  bool folded(trace::EventId event) const { return all != others.contains(event); }
  void set(trace::EventId event, bool folded) {
    if (folded == all) others.erase(event);
    else others.insert(event);
  }
};

class FoldedEvents {
 public:
  /// O(events) where anything is folded. Incomplete once the job was cancelled.
  explicit FoldedEvents(std::shared_ptr<const EventList> list, const Folds& folds = {}, const Job& job = {});

  const EventList& list() const { return *list_; }
  const std::shared_ptr<const EventList>& listPtr() const { return list_; }
  std::size_t size() const {
    return list_->size() - (hidden_.empty() ? 0 : hidden_.back().before + hidden_.back().count());
  }

  // By row; O(log folds).
  std::size_t place(std::size_t row) const;  ///< in the list
  trace::EventRef at(std::size_t row) const { return list_->at(place(row)); }
  trace::EventId id(std::size_t row) const { return list_->id(place(row)); }
  unsigned depth(std::size_t row) const { return list_->depth(place(row)); }
  bool holdsOthers(std::size_t row) const { return holds(place(row)); }
  bool folded(std::size_t row) const;
  std::optional<std::size_t> around(std::size_t row) const;  ///< the row of the event that it is in. O(rows between)

  /// The row of this event; of one that is inside a folded one, with `orAround` the row of that one, else none.
  std::optional<std::size_t> rowOf(trace::EventRef event, bool orAround = false) const;

 private:
  /// Places of the list that are in no row.
  struct Range {
    std::uint32_t first, last;
    std::uint32_t before;  ///< so many in the ranges before
    std::uint32_t count() const { return last - first; }
  };
  bool holds(std::size_t place) const {
    return place + 1 < list_->size() && list_->depth(place + 1) > list_->depth(place);
  }

  std::shared_ptr<const EventList> list_;
  std::vector<Range> hidden_;
};

}  // namespace lanescope::analysis
