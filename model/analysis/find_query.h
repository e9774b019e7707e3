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

}  // namespace lanescope::analysis
