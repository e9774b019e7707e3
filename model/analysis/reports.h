// SPDX-License-Identifier: Apache-2.0
// The stats reports: tables of a whole trace with the names, columns, order and figures that Nsight Systems gives them
// (facts 2.1, 2.2, 2.5), so that scripts may ask either program, and ours beside them. O(events of its kinds), traces
// also a sort. Any thread, one a RowValues.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/analysis/scope.h"
#include "model/analysis/table.h"
#include "model/job.h"
#include "model/report/row_values.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

enum class KernelNaming : std::uint8_t {
  kWhole,
  kBase,     ///< without parameters and templates
  kMangled,  ///< whole, where the file does not have it
};

/// What stands behind a report's name.
struct ReportArguments {
  KernelNaming kernels = KernelNaming::kWhole;
  bool nvtxName = false;  ///< kernels behind the innermost NVTX range that their launch is in
  std::optional<std::size_t> rows = {};  ///< at most so many
  std::string iteration = {};            ///< the range whose instances are iterations; empty: found by itself
  bool operator==(const ReportArguments&) const = default;
};

struct ReportInput;

struct StatsReport {
  std::string_view name;   ///< "cuda_gpu_kern_sum"
  std::vector<std::string_view> aliases;  ///< what it was called before: "gpukernsum"
  std::string_view title;  ///< "CUDA GPU Kernel Summary"
  std::string_view data;   ///< what it needs: "FILE does not contain CUDA kernel data"
  std::string_view about;  ///< one line of help
  std::vector<trace::EventKind> kinds;  ///< all that a trace has to hold for it
  std::vector<trace::EventKind> needs;  ///< of these some, for there to be a table; none: of any of its kinds
  enum : std::uint8_t { kKernelArguments = 1, kNvtxName = 2, kRows = 4 };
  std::uint8_t arguments;  ///< what may stand behind its name
  enum class When : std::uint8_t {
    kUsual,  ///< also when nobody asks for one
    kAsked,
    kAskedWithPartners,  ///< of a trace loaded with LoadOptions::partners
  } when;
  std::optional<Table> (*make)(const ReportInput& input);

  bool usual() const { return when == When::kUsual; }
};

/// All there are, those made unasked first.
const std::vector<StatsReport>& statsReports();

/// A report as it is asked for: NAME[:ARGUMENT]…
struct ReportCall {
  const StatsReport* report = nullptr;
  ReportArguments arguments = {};
  bool operator==(const ReportCall&) const = default;

  std::string name() const;  ///< "cuda_gpu_kern_sum:base"
  std::vector<trace::EventKind> kinds() const;  ///< that have to be loaded
  bool needsPartners() const;  ///< LoadOptions::partners
};

/// By name or alias, of which some stand for several; empty if there is none, or it takes no such argument.
std::vector<ReportCall> findReports(std::string_view asked);

/// What is wrong with a name that findReports() does not find: which part of it.
std::string whyNoReport(std::string_view asked);

/// What a report that makeReport() does not make looks for in vain: "CUDA kernel data".
std::string missingFrom(const ReportCall& call, const trace::Trace& trace, const Scope& scope = {});

/// The table, or nothing where the trace has no data for it. With instances of those reports whose rows merge
/// (merged_table.h), eight bytes each.
std::optional<Table> makeReport(const ReportCall& call, const trace::Trace& trace, report::RowValues& file,
                                const Scope& scope = {}, const Job& job = {}, bool withInstances = false);

}  // namespace lanescope::analysis
