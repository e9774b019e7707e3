// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/level_lanes.h"

#include <algorithm>

namespace lanescope::views {

std::span<const trace::LaneId> LevelLanes::at(const trace::TracePtr& trace, std::uint32_t row, int level) {
  const trace::Row& r = trace->rows[row];
  if (!r.stacked) return r.lanes;
  if (trace_ != trace) {
    byDepth_.clear();
    trace_ = trace;
  }
  const auto depth = [&](trace::LaneId lane) { return trace->laneInfo[lane].depth; };
  const auto [entry, isNew] = byDepth_.try_emplace(row, r.lanes);
  if (isNew) std::ranges::stable_sort(entry->second, {}, depth);
  return std::ranges::equal_range(entry->second, static_cast<std::uint32_t>(level), {}, depth);
}

}  // namespace lanescope::views
