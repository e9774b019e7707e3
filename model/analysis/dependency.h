// SPDX-License-Identifier: Apache-2.0
// What the run of a process hung on: the chain of calls and GPU work that had to end one after the other for it to end
// when it did, and where the host only waited, as nvprof's dependency analysis tells them (facts 6).
//
// Walks back from the last end. GPU work began when the later of the work before it on its stream and its launch allowed
// it; a call that blocks went on when the last GPU work that ended in it did; any other call hung on what its thread did
// before. What no recorded event explains is kOther. After the critical path as D. Böhme and others define it for traces
// of accelerators ("Identifying the root causes of wait states", 2016). O(events · log). One process; one thread.
#pragma once

#include <vector>

#include "model/analysis/report_input.h"

namespace lanescope::analysis {

struct DependencyLine {
  std::string name;  ///< of kernels and operations, and of calls with their versions; "<Other>" for the rest
  trace::Ns critical = 0;  ///< of the path what went by in it
  trace::Ns waiting = 0;  ///< of calls: blocked until GPU work ended
};

/// Most critical time first; their critical times add up to the path, from the first to the last event.
std::vector<DependencyLine> dependencyAnalysis(const ReportInput& input, std::uint32_t process);

}  // namespace lanescope::analysis
