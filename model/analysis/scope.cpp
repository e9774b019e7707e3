// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/analysis/iterations.h"
#include "model/report/span.h"

namespace lanescope::analysis {

namespace {

/// Where what is not skipped begins: the latest of all threads, so that no warm-up of any of them is in it.
Result<trace::Ns> afterWarmup(const ScopeRequest& request, const trace::Trace& trace, const std::string& file) {
  const auto refuse = [&](std::string why) {
    return tl::unexpected(Error{ErrorCode::kNoSuchRange, file, std::move(why)});
  };
  const auto iterations = findIterations(trace, request.iteration);
  if (!iterations) return refuse("has no NVTX range that repeats and could be an iteration");
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> seen;  // by process and thread
  std::optional<trace::Ns> begin;
  for (const trace::EventRef range : iterations->ranges) {
    const trace::LaneInfo& info = trace.info(range);
    if (seen[{info.process, info.thread}]++ == request.skip) begin = trace.time(range).begin;
  }
  if (!begin)
    return refuse(fmt::format("has {} iterations “{}”, none behind the first {}", iterations->ranges.size(),
                              iterations->name, request.skip));
  return *begin;
}

}  // namespace

Result<Scope> resolve(const ScopeRequest& request, const trace::Trace& trace, report::RowValues& values,
                      const std::string& file) {
  Scope scope;
  const auto narrow = [&](trace::TimeRange range) {
    scope.range = {std::max(scope.range.begin, range.begin), std::min(scope.range.end, range.end)};
  };
  if (request.time) {
    const report::Spans spans = report::spansOf(values.database());
    const auto range = resolve(*request.time, spans.recorded, spans.timeline, file);
    if (!range) return tl::unexpected(range.error());
    narrow(*range);
  }
  if (request.nvtx) {
    const auto range = findRange(*request.nvtx, trace, file);
    if (!range) return tl::unexpected(range.error());
    narrow(*resolve(*request.nvtx, trace, file));
    scope.process = trace.info(*range).process;
  }
  if (request.skip > 0) {
    const auto begin = afterWarmup(request, trace, file);
    if (!begin) return tl::unexpected(begin.error());
    narrow({*begin, scope.range.end});
  }
  if (scope.range.empty())
    return tl::unexpected(Error{ErrorCode::kFilteredOut, file, "the filters leave no time in common"});
  return scope;
}

}  // namespace lanescope::analysis
