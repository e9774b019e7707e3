// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/call_kinds.h"
#include "model/analysis/rule_list.h"

namespace lanescope::analysis {

using trace::EventRef;

RuleResult synchronizationCalls(const RuleInput& input) {
  const ReportInput& in = input.events;
  std::unordered_map<trace::NameId, bool> known;
  std::vector<EventRef> calls;
  for (const trace::LaneId id : in.lanes(std::array{trace::EventKind::kCudaApi})) {
    const auto [first, last] = in.events(id);
    for (std::size_t i = first; i < last; ++i) {
      const EventRef call{id, static_cast<std::uint32_t>(i)};
      const auto [is, isNew] = known.try_emplace(in.trace.name(call));
      if (isNew)
        is->second = callKindOf(in.text(call)) == CallKind::kSynchronization &&
                     in.text(call).find("EventSynchronize") == std::string_view::npos;
      if (is->second) calls.push_back(call);
    }
  }
  return longestFirst(input, std::move(calls),
                      {{"Duration", ColumnKind::kTime},
                       {"Start", ColumnKind::kTime},
                       {"PID", ColumnKind::kId},
                       {"TID", ColumnKind::kId},
                       {"API Name", ColumnKind::kText}},
                      [&](EventRef call) -> std::vector<Cell> {
                        const trace::TimeRange time = in.trace.time(call);
                        return {time.length(), time.begin, in.pidOf(call), in.tidOf(call), KeptText(in.text(call))};
                      });
}

}  // namespace lanescope::analysis
