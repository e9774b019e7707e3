// SPDX-License-Identifier: Apache-2.0
// The events of a range of time and some rows as a list in any order, for a table of millions of rows: the list keeps
// four bytes an event, as many again for their order in time where that is another, two where they nest, and everything
// else stays where it is, in the lanes. Immutable once made; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/analysis/find.h"
#include "model/analysis/selection.h"
#include "model/sort_keyed.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

enum class EventOrder : std::uint8_t {
  kStart,
  kDuration,  ///< those without an end last either way
  kName,
  kRow,
  kPartner,  ///< the other end of their correlation, in order of time; those without last either way
  kNested,  ///< by thread or row, and there each event before those that it holds
};

struct EventListQuestion {
  trace::TracePtr trace;
  Selection selection;
  std::optional<Query> query;  ///< only hits of it, also of kinds that a selection leaves out unless rows name them
  EventOrder order = EventOrder::kStart;
  bool descending = false;  ///< equals stay in order of time
  std::vector<std::uint32_t> rowOfLane;  ///< where events are at home
};

class EventList {
 public:
  EventList() = default;

  /// O(n) of the events that the question is of (model/sort_keyed.h), O(n log n) of their names. Incomplete once the job
  /// was cancelled, as is the other one.
  static EventList make(EventListQuestion question, const Job& job = {});
  /// The same events in another order, for half of that.
  EventList inOrder(EventOrder order, bool descending, const Job& job = {}) const;

  std::size_t size() const { return ids_->size(); }
  trace::EventRef at(std::size_t i) const { return question_.trace->ref(id(i)); }  ///< O(log lanes)
  trace::EventId id(std::size_t i) const { return (*ids_)[i]; }
  unsigned depth(std::size_t i) const { return depths_.empty() ? 0 : depths_[i]; }  ///< of kNested
  const EventListQuestion& question() const { return question_; }

  /// Where an event stands; none if it is not in the list. O(log n · log lanes).
  std::optional<std::size_t> placeOf(trace::EventRef event) const;

  std::size_t bytes() const;

 private:
  using Ids = std::shared_ptr<const std::vector<trace::EventId>>;
  std::uint64_t rank(trace::EventRef event) const;
  bool before(trace::EventRef a, trace::EventRef b) const;
  std::vector<Keyed> collect(const Job& job) const;
  std::vector<Keyed> ranked(const Job& job);
  void putInOrder(const Job& job);
  void putLongestFirst(std::vector<Keyed>& places) const;
  void rankNames();
  void measureDepths();

  EventListQuestion question_;
  Ids byStart_ = std::make_shared<const std::vector<trace::EventId>>();
  Ids ids_ = byStart_;
  std::vector<std::uint16_t> depths_;
  std::vector<std::uint32_t> nameRank_;  // by NameId
};

}  // namespace lanescope::analysis
