// SPDX-License-Identifier: Apache-2.0
// Durations of many events by group: the one engine behind the table by name of a selection and the stats reports.
// Reads columns, looks at a name once however many events carry it, and keeps four bytes an event of what it is asked
// for. Cost follows the events in the range, not the names of the trace. One thread an object.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "model/analysis/selection.h"

namespace lanescope::analysis {

struct Group {
  Statistics time;
  std::uint64_t unfinished = 0;
  std::uint64_t bytes = 0;
  trace::Ns nested = 0;  ///< time of `time.total` in which something of the same thread ran inside
};

/// Where an event's part in a range begins and ends: indices into its lane.
struct Touching {
  std::size_t first = 0, last = 0;
  std::size_t size() const { return last - first; }
};

/// The events that touch a range (selection.h says which those are). O(log n).
Touching touching(const trace::Lane& lane, trace::TimeRange range);

/// What an event counts for in a range: its part in it, or the whole of it.
trace::Ns timeIn(const trace::Lane& lane, std::size_t event, trace::TimeRange range, Clip clip);
std::uint64_t bytesIn(const trace::Lane& lane, std::size_t event, trace::TimeRange range, Clip clip);

class Grouping {
 public:
  /// `passing` null: of all events. What nests inside an event is taken off its own time whether it passes or not.
  Grouping(const trace::Trace& trace, trace::TimeRange range, Clip clip, const Job& job,
           const Passing* passing = nullptr);

  /// Says which group a name belongs to: 0, 1, 2, … in the order in which groups are first met.
  using GroupOf = std::function<std::uint32_t(trace::NameId)>;

  /// The groups of some lanes. Where wanted, `instances` become the times of each.
  std::vector<Group> of(std::span<const trace::LaneId> lanes, const GroupOf& groupOf,
                        std::vector<std::vector<trace::Ns>>* instances = nullptr);

  /// The same, a group a text; `names` becomes the Name::same of each.
  std::vector<Group> byName(std::span<const trace::LaneId> lanes, std::vector<trace::NameId>& names);

  std::uint64_t events() const { return events_; }  ///< looked at so far

 private:
  struct Parts {
    trace::LaneId lane;
    Touching touching;
  };
  struct Long {
    std::uint32_t group;
    trace::Ns time;
  };

  void count(const Parts& parts, const GroupOf& groupOf);
  std::uint32_t meet(trace::NameId name, const GroupOf& groupOf);
  void place(const Parts& parts);
  void placeSome(const trace::LaneView& lane, Touching touching);
  void placeOne(const trace::Lane& lane, std::size_t event);
  void addNested(const Parts& parts, std::vector<Group>& groups);
  std::uint32_t groupAt(trace::NameId name) const { return slot_[name] - 1; }

  const trace::Trace& trace_;
  const trace::TimeRange range_;
  const Clip clip_;
  const Job job_;
  const Passing* passing_;
  std::uint64_t events_ = 0;

  // By name its group + 1, 0 for not met. From calloc, which costs only the pages that are touched: a trace may have
  // millions of names. Emptied name by name.
  struct Free {
    void operator()(std::uint32_t* p) const { std::free(p); }
  };
  std::unique_ptr<std::uint32_t[], Free> slot_;
  std::vector<trace::NameId> met_;
  std::vector<std::size_t> counts_;  // per group: events met, then where the next one goes
  std::unique_ptr<std::uint32_t[]> times_;
  std::size_t room_ = 0;
  std::vector<Long> long_;
  std::vector<std::uint64_t> unfinished_, bytes_;
};

}  // namespace lanescope::analysis
