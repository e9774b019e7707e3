// SPDX-License-Identifier: Apache-2.0
#include "model/trace/row_links.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/trace/derived.h"

namespace lanescope::trace {

TracePtr withRowLinks(const TracePtr& trace, std::span<const RowLink> links) {
  if (links.empty()) return trace;
  std::vector<RowRef> wanted;
  for (const RowLink& link : links) wanted.push_back(link.from), wanted.push_back(link.to);
  std::ranges::sort(wanted);
  const auto repeated = std::ranges::unique(wanted);
  wanted.erase(repeated.begin(), repeated.end());

  std::vector<EventId> eventOf(wanted.size(), kNone);
  const auto placeOf = [&](RowRef row) { return std::ranges::lower_bound(wanted, row) - wanted.begin(); };
  for (LaneId lane = 0; lane < trace->lanes.size(); ++lane) {
    const LaneInfo& info = trace->laneInfo[lane];
    if (info.kind == EventKind::kNvtxProjection) continue;  // the range itself has the row
    const auto first = std::ranges::lower_bound(wanted, RowRef{info.table, 0});
    if (first == wanted.end() || first->table != info.table) continue;
    for (std::uint32_t i = 0; i < trace->lanes[lane]->size(); ++i) {
      const RowRef row{info.table, trace->lanes[lane]->sourceRow(i)};
      const auto at = static_cast<std::size_t>(placeOf(row));
      if (at < wanted.size() && wanted[at] == row) eventOf[at] = info.firstEvent + i;
    }
  }

  std::vector<std::pair<EventId, EventId>> pairs;
  for (const RowLink& link : links) {
    const EventId from = eventOf[static_cast<std::size_t>(placeOf(link.from))],
                  to = eventOf[static_cast<std::size_t>(placeOf(link.to))];
    if (from != kNone && to != kNone && from != to) pairs.emplace_back(from, to);
  }
  return withLinks(trace, pairs);
}

}  // namespace lanescope::trace
