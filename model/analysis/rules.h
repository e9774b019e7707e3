// SPDX-License-Identifier: Apache-2.0
// The rules of `analyze`: what Nsight Systems looks for (facts 3, 2.5), with its columns, order and figures, and ours:
// the checklist and why GPUs were idle. A rule gives a table, where in the trace each row is, and a figure to hold a
// limit against; it prints nothing. O(events of its kinds · log). Any thread, one a RowValues.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/analysis/checklist.h"
#include "model/analysis/reports.h"
#include "model/analysis/table.h"
#include "model/analysis/time_filter.h"

namespace lanescope::analysis {

/// What stands behind a rule's name.
struct RuleArguments {
  std::size_t rows = 50;              ///< at most so many
  trace::Ns gap = 500'000'000;        ///< gpu_gaps: those longer than this
  trace::Ns least = 1000;             ///< idle: gaps longer than this
  double threshold = 50;              ///< gpu_time_util: per cent, below which time is reported
  std::size_t chunks = 30;            ///< gpu_time_util: parts that the time is cut into
  std::optional<TimeFilter> time;     ///< start and end
  std::string iteration;              ///< what an iteration is (iterations.h); not behind a name
  std::optional<NvtxFilter> nvtx;     ///< not looked at where there is a time
};

struct RuleInput {
  const ReportInput& events;
  const RuleArguments& arguments;
};

struct RuleResult {
  Table table;                     ///< at most the rows asked for
  std::vector<Evidence> evidence;  ///< of each row; empty where a row is of no place
  std::size_t found = 0;           ///< rows, with those beyond
  double figure = 0;               ///< what --fail-on holds its limit against
  std::vector<Check> checks = {};  ///< of the checklist
};

struct Rule {
  std::string_view name;    ///< "cuda_api_sync"
  std::string_view title;   ///< "CUDA Synchronization APIs"
  std::string_view data;    ///< what it needs
  std::string_view about;   ///< what it finds
  std::string_view clean;   ///< said where it finds nothing; {} is the length that it looks for
  std::string_view advice;  ///< said where it finds something
  std::string_view figure;  ///< what RuleResult::figure is: "findings", "% idle"
  double limit;             ///< above which --fail-on fails, unless it says another
  std::vector<trace::EventKind> kinds;  ///< that a trace has to hold; none: everything
  std::vector<trace::EventKind> needs;  ///< of these some, or there is nothing to say
  enum : std::uint8_t { kRows = 1, kGap = 2, kLeast = 4, kChunks = 8 };
  std::uint8_t arguments;  ///< of its own; start, end and nvtx may stand behind any
  bool usual;              ///< also when nobody asks for one
  RuleResult (*make)(const RuleInput& input);
};

/// All there are, those made unasked first and the checklist before them.
const std::vector<Rule>& rules();

/// A rule as it is asked for: NAME[:OPTION=VALUE]…
struct RuleCall {
  const Rule* rule = nullptr;
  RuleArguments arguments = {};
  std::string name;  ///< as it was written
};

/// What a rule says where it finds nothing: "No GPU was without work for more than 500 ms."
std::string cleanText(const RuleCall& call);

/// "all" stands for every one of them. The error says what is wrong.
tl::expected<std::vector<RuleCall>, std::string> findRules(std::string_view asked);

/// The checklist as a table: a row a line, all of it.
Table checklistTable(std::span<const Check> checks);

/// Nothing where the trace has no such data. An error where the rule's own filters leave nothing of it.
Result<std::optional<RuleResult>> apply(const RuleCall& call, const trace::Trace& trace, report::RowValues& file,
                                        const Scope& scope = {}, const std::string& fileName = {}, const Job& job = {});

}  // namespace lanescope::analysis
