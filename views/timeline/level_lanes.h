// SPDX-License-Identifier: GPL-3.0-or-later
// Which lanes stand in a level of a stacked row. A hostile row has millions of levels, of which a frame shows a few:
// the lanes of a row are sorted by depth when it is first asked for, then each level costs O(log lanes). One snapshot
// at a time; another trace starts it anew. GUI thread.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::views {

class LevelLanes {
 public:
  /// Lanes of one depth share a level; a row that is not stacked has all of its lanes in level 0.
  std::span<const trace::LaneId> at(const trace::TracePtr& trace, std::uint32_t row, int level);

 private:
  trace::TracePtr trace_;
  std::unordered_map<std::uint32_t, std::vector<trace::LaneId>> byDepth_;  // of rows
};

}  // namespace lanescope::views
