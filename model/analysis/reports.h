// SPDX-License-Identifier: Apache-2.0
// The stats reports: tables of a whole trace with the names, columns, order and figures that Nsight Systems gives them
// (facts 2.1, 2.2, 2.5), so that scripts may ask either program. O(events of its kinds). Any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/analysis/table.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

struct StatsReport {
  std::string_view name;   ///< "cuda_gpu_kern_sum"
  std::string_view title;  ///< "CUDA GPU Kernel Summary"
  std::string_view data;   ///< what it needs: "FILE does not contain CUDA kernel data"
  std::string_view about;  ///< one line of help
  std::vector<trace::EventKind> kinds;  ///< all that a trace has to hold for it
  Table (*rows)(const trace::Trace& trace, std::span<const trace::LaneId> lanes, bool shortNames);
};

/// All there are, in the order in which they are made when nobody asks for one.
const std::vector<StatsReport>& statsReports();

/// A report as it is asked for: NAME or NAME:base, which prints kernels by their short names.
struct ReportCall {
  const StatsReport* report = nullptr;
  bool shortNames = false;
  bool operator==(const ReportCall&) const = default;
};
std::optional<ReportCall> findReport(std::string_view asked);

/// The table, or nothing where the trace has no events of its kinds at all.
std::optional<Table> makeReport(const ReportCall& call, const trace::Trace& trace);

}  // namespace lanescope::analysis
