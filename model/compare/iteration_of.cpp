// SPDX-License-Identifier: Apache-2.0
#include "model/compare/iteration_of.h"

#include <algorithm>

namespace lanescope::compare {

IterationOf::IterationOf(const trace::Trace& trace, const analysis::Iterations& iterations) {
  for (std::uint32_t i = 0; i < iterations.ranges.size(); ++i) {
    const trace::EventRef range = iterations.ranges[i];
    byThread_[trace.info(range).thread].push_back({trace.time(range), i});
  }
  for (const auto& [thread, spans] : byThread_) {
    if (thread >= trace.threads.size()) continue;
    const auto [lead, isFirst] = leading_.emplace(trace.threads[thread].process, thread);
    const std::size_t most = byThread_.at(lead->second).size();
    if (spans.size() > most || (spans.size() == most && thread < lead->second)) lead->second = thread;
  }
}

std::uint32_t IterationOf::host(std::uint32_t thread, std::uint32_t process, trace::Ns begin) const {
  auto spans = byThread_.find(thread);
  if (spans == byThread_.end()) {
    const auto lead = leading_.find(process);
    if (lead == leading_.end()) return trace::kNone;
    spans = byThread_.find(lead->second);
  }
  const auto after =
      std::ranges::upper_bound(spans->second, begin, {}, [](const Span& span) { return span.time.begin; });
  if (after == spans->second.begin()) return trace::kNone;
  const Span& span = *std::prev(after);
  return begin < span.time.end ? span.index : trace::kNone;
}

}  // namespace lanescope::compare
