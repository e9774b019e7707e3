// SPDX-License-Identifier: Apache-2.0
// GPU time: what shares of a physical GPU are of, from the first to the last work on it, and as far as a scope has
// edges, these: an idle edge of what was asked for is idle. O(lanes · log n). Any thread.
#pragma once

#include <string>
#include <vector>

#include "model/analysis/gpu_work.h"
#include "model/analysis/reports.h"

namespace lanescope::analysis {

struct DeviceWindow {
  std::string label;
  std::vector<std::uint32_t> gpus;  ///< indices into Trace::gpus
  std::vector<trace::LaneId> lanes;  ///< of its work, of all processes
  trace::TimeRange window;  ///< never empty
};

/// GPUs as GpuWork has them, without those that have no time in the scope.
std::vector<DeviceWindow> deviceWindows(const trace::Trace& trace, const Scope& scope, const Job& job = {});

/// The window of some lanes of work; empty if there is none.
trace::TimeRange windowOf(const trace::Trace& trace, std::span<const trace::LaneId> lanes, trace::TimeRange scope);

/// "from first to last GPU work": what a figure that is of a window says of it.
std::string_view windowName(const Scope& scope);

}  // namespace lanescope::analysis
