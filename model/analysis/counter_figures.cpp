// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/counter_figures.h"

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::Counter;
using trace::TimeRange;

/// The part of a range in which a counter has a value.
TimeRange known(const Counter& counter, bool sampled, TimeRange range) {
  range.begin = std::max(range.begin, counter.span().begin);
  if (sampled) range.end = std::min(range.end, counter.span().end);
  return range;
}

}  // namespace

CounterFigures counterFigures(const trace::Trace& trace, std::uint32_t index, TimeRange range) {
  const Counter& counter = *trace.counters[index];
  if (counter.size() == 0 || range.empty()) return {};
  const bool sampled = index < trace.counterInfo.size() && !trace.counterInfo[index].group.empty();
  if (sampled) range.end = std::min(range.end, counter.span().end + 1);  // its last sample is one, too
  if (range.empty()) return {};
  const Counter::Extent extent = counter.over(range);
  if (!extent.any) return {};
  const TimeRange part = known(counter, sampled, range);
  return {true, part.empty() ? extent.last : counter.mean(part), extent.min, extent.max};
}

std::vector<CounterLine> counterLines(const trace::Trace& trace, const Selection& selection, const Job& job) {
  std::vector<bool> wanted(trace.rows.size(), selection.rows.empty());
  for (const std::uint32_t row : selection.rows)
    if (row < wanted.size()) wanted[row] = true;
  std::vector<CounterLine> lines;
  std::vector<bool> taken(trace.counters.size());
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row) {  // parents come before children
    if (const std::uint32_t parent = trace.rows[row].parent; parent != trace::kNone && wanted[parent])
      wanted[row] = true;
    if (!wanted[row]) continue;
    for (const std::uint32_t counter : trace.rows[row].counters) {
      if (job.cancelled()) return lines;
      if (taken[counter]) continue;
      taken[counter] = true;
      lines.push_back({row, counter, counterFigures(trace, counter, selection.range)});
    }
  }
  return lines;
}

}  // namespace lanescope::analysis
