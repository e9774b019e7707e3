// SPDX-License-Identifier: Apache-2.0
// Which event of one trace is which of the other. Iterations are matched first (iteration_pairs.h), then what stands in
// one and the same place between them, in order and by edit distance (match_sequences.h) from strict words to loose
// (side.h): GPU work of one stream, then what moved to another stream of the GPU; NVTX ranges and marks of one thread;
// calls of the CUDA API of one thread, launches with their work. An iteration that only one side has keeps its events to
// itself; without iterations a stream or thread is matched as a whole. O(n · (log n + kMostEdits)). Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/compare/roles.h"
#include "model/job.h"

namespace lanescope::compare {

struct Twins {
  std::vector<trace::EventId> ofA, ofB;  ///< by event, projections too; trace::kNone: none
  std::array<bool, trace::kEventKinds> compared{};  ///< kinds that both sides recorded and that are matched

  /// Of the thread with most of them.
  std::string iterationName;  ///< empty: none that both have
  std::vector<trace::EventRef> iterationsOfA, iterationsOfB;  ///< by start; twins tell which is which
  std::uint64_t steps = 0;  ///< comparisons: what it cost
};

/// What it has when cancelled is of no use.
Twins findTwins(const trace::Trace& a, const trace::Trace& b, const Job& job);

}  // namespace lanescope::compare
