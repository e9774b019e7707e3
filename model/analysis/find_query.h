// SPDX-License-Identifier: Apache-2.0
// What a query asks for, once its words are understood. Private to the find; immutable, any thread.
#pragma once

#include <re2/re2.h>

#include <bitset>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "model/analysis/find.h"

namespace lanescope::analysis {

struct Query::Parts {
  using Numbers = std::vector<std::int64_t>;  // one of them
  /// What goes by a number and may have a name: one of these.
  struct Named {
    Numbers numbers;
    std::vector<std::unique_ptr<re2::RE2>> names;
  };

  std::unique_ptr<re2::RE2> text;  // null: any name
  bool labelsToo = false;          // an expression is tried on what is drawn as well
  std::optional<std::bitset<trace::kEventKinds>> kinds;
  std::vector<Named> streams, threads;  // one a term; all have to hold
  std::vector<Numbers> tids, pids, gpus;
  bool durations = false;
  trace::Ns shortest = 0, longest = std::numeric_limits<trace::Ns>::max();

  bool empty() const {
    return !text && !kinds && !durations && streams.empty() && threads.empty() && tids.empty() && pids.empty() &&
           gpus.empty();
  }
};

/// A query held against a trace: each name, stream and thread is looked at once. Refers to both.
class Matching {
 public:
  Matching(const trace::Trace& trace, const Query& query, const Job& job);

  /// Whether events of such a lane may match; those of background kinds only `withBackground` or where kind: names them.
  bool asksFor(const trace::LaneInfo& lane, bool withBackground) const;
  bool anyName() const { return !parts_.text; }
  /// By name, 1 where it matches; empty where any does.
  const std::vector<std::uint8_t>& names() const { return isWanted_; }
  bool anyDuration() const { return !parts_.durations; }
  bool hasLength(const trace::Lane& lane, std::size_t i) const {
    const trace::Ns duration = lane.duration(i);
    return duration >= parts_.shortest && duration <= parts_.longest && !lane.unfinished(i);
  }

 private:
  void matchNames(const Job& job);

  const trace::Trace& trace_;
  const Query::Parts& parts_;
  std::vector<std::uint8_t> isWanted_;
  std::vector<bool> isStream_, isThread_;
};

}  // namespace lanescope::analysis
