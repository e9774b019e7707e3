// SPDX-License-Identifier: GPL-3.0-or-later
// Where the nodes of a call tree lie in a flame graph: callers above what they call, widths by totals. Pure. Its cost
// follows the pixels, not the nodes: those narrower than one are merged with their smaller neighbours.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/analysis/call_tree.h"

namespace lanescope::views {

struct FlameBox {
  std::uint32_t node = 0;  ///< of several the first, and the largest
  std::uint32_t merged = 1;  ///< how many nodes with the same parent, one behind the other
  int level = 0;  ///< 0 at the top
  int left = 0, width = 1;  ///< pixels; boxes of a level do not overlap
  bool operator==(const FlameBox&) const = default;
};

/// `root` fills the width, below those around it. Boxes level by level, from the left; empty without a width.
std::vector<FlameBox> flameBoxes(const analysis::CallTree& tree, std::uint32_t root, int width);

/// The box at a point; null: none. O(boxes).
const FlameBox* boxAt(std::span<const FlameBox> boxes, int x, int level);

}  // namespace lanescope::views
