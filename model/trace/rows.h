// SPDX-License-Identifier: Apache-2.0
// The row tree as Nsight Systems users know it: process → CUDA HW → kernels, memory, streams; process → threads →
// NVTX, CUDA API, OS runtime; GPU metrics; CPU cores. The one place that says which rows there are, in which order,
// under which label. Cost: O(lanes), plus a merge of the lanes of rows that show a busy share, which is cached.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::trace {

/// Unions of busy time by the lanes they cover, kept from snapshot to snapshot.
using BusyCache = std::map<std::vector<LaneId>, std::shared_ptr<const BusyUnion>>;

/// Fills Trace::rows and rootRows from everything else in the trace.
void buildRows(Trace& trace, BusyCache& cache);

}  // namespace lanescope::trace
