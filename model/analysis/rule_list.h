// SPDX-License-Identifier: Apache-2.0
// The functions behind the table of rules.cpp, a file a family, and how they hand over what they find. Private to
// model/analysis.
#pragma once

#include "model/analysis/rules.h"

namespace lanescope::analysis {

// rules_copies.cpp
RuleResult pageableCopies(const RuleInput& input);
RuleResult synchronousCopies(const RuleInput& input);
RuleResult synchronousMemsets(const RuleInput& input);

// rules_api.cpp
RuleResult synchronizationCalls(const RuleInput& input);

// rules_gpu.cpp
RuleResult gpuGaps(const RuleInput& input);
RuleResult gpuTimeUtilization(const RuleInput& input);

// rules_own.cpp
RuleResult checklistRule(const RuleInput& input);
RuleResult idleSummary(const RuleInput& input);
RuleResult idleGaps(const RuleInput& input);

/// Events as findings: longest first, of one length by start; those that are shown become rows.
template <class Row>
RuleResult longestFirst(const RuleInput& input, std::vector<trace::EventRef> events, std::vector<Column> columns,
                        Row row) {
  const trace::Trace& trace = input.events.trace;
  std::stable_sort(events.begin(), events.end(), [&](trace::EventRef a, trace::EventRef b) {
    const trace::TimeRange x = trace.time(a), y = trace.time(b);
    return x.length() != y.length() ? x.length() > y.length() : x.begin < y.begin;
  });
  RuleResult result;
  result.found = events.size();
  result.figure = static_cast<double>(events.size());
  events.resize(std::min(events.size(), input.arguments.rows));
  result.table.columns = std::move(columns);
  for (const trace::EventRef event : events) {
    result.table.rows.push_back(row(event));
    result.evidence.push_back({trace.time(event), event});
  }
  return result;
}

}  // namespace lanescope::analysis
