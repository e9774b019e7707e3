// SPDX-License-Identifier: Apache-2.0
// What changed between two aligned traces: by name, by row, and the events that changed most. Times are differences of
// durations, B less A. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/compare/alignment.h"

namespace lanescope::compare {

/// By name id of each side, to colour what stands for many events. O(events · log) to make.
struct NameChanges {
  std::vector<Change> a, b;
  Change ofA(trace::NameId name) const { return name < a.size() ? a[name] : Change::kNotCompared; }
  Change ofB(trace::NameId name) const { return name < b.size() ? b[name] : Change::kNotCompared; }
};

/// By the median of the ratios of twins of a name; the same within 2 %. Only here: no event of that name has a twin.
NameChanges nameChanges(const trace::Trace& a, const trace::Trace& b, const Alignment& alignment);

struct ChangedEvent {
  trace::EventId a = trace::kNone, b = trace::kNone;  ///< twins, or one of them alone
  trace::Ns difference = 0;  ///< of an event alone its duration, negative if it is of A
  Change change = Change::kSame;
};

inline constexpr std::size_t kMostChanges = 10'000;

/// Events that changed or are alone, by how much they differ, at most so many. A range stands before what made it longer.
/// O(events + most · log).
std::vector<ChangedEvent> biggestChanges(const trace::Trace& a, const trace::Trace& b, const Alignment& alignment,
                                         std::size_t most = kMostChanges);

/// How many events of a pair of rows did what; of rows that are one on both sides as events of both.
struct RowChange {
  std::uint64_t same = 0, slower = 0, faster = 0, onlyInA = 0, onlyInB = 0;
  bool differs() const { return slower + faster + onlyInA + onlyInB > 0; }
};

/// For each of the pairs. O(events of their rows).
std::vector<RowChange> rowChanges(const trace::Trace& a, const trace::Trace& b, const Alignment& alignment,
                                  std::span<const RowPair> pairs);

}  // namespace lanescope::compare
