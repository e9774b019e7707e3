// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/flame_layout.h"

#include <algorithm>

#include "model/wide.h"

namespace lanescope::views {
namespace {

using analysis::CallNode;

/// Adds the children of a box beside each other below it.
void addChildren(const analysis::CallTree& tree, const FlameBox box, std::vector<FlameBox>& boxes) {
  const CallNode& around = tree.nodes[box.node];
  if (around.total <= 0) return;
  const auto edge = [&](std::int64_t before) {
    return box.left + static_cast<int>(Wide{before} * box.width / around.total);
  };
  std::int64_t before = 0;
  for (std::uint32_t i = 0; i < around.children; ++i) {
    const std::uint32_t node = around.firstChild + i;
    const std::int64_t total = tree.nodes[node].total;
    if (total <= 0) return;
    const int left = edge(before), right = edge(before + total);
    if (Wide{total} * box.width >= around.total) {
      boxes.push_back({node, 1, box.level + 1, left, right - left});
      before += total;
      continue;
    }
    // All further ones are as narrow: together they go as far as they go, and are seen if there is a pixel for them.
    std::int64_t rest = 0;
    std::uint32_t merged = 0;
    for (; i + merged < around.children && tree.nodes[node + merged].total > 0; ++merged)
      rest += tree.nodes[node + merged].total;
    const int end = std::max(edge(before + rest), left + 1);
    if (end <= box.left + box.width) boxes.push_back({node, merged, box.level + 1, left, end - left});
    return;
  }
}

}  // namespace

std::vector<FlameBox> flameBoxes(const analysis::CallTree& tree, std::uint32_t root, int width) {
  std::vector<FlameBox> boxes;
  if (width <= 0 || root >= tree.nodes.size()) return boxes;
  for (std::uint32_t node = root; node != trace::kNone; node = tree.nodes[node].parent)
    boxes.push_back({node, 1, 0, 0, width});
  std::ranges::reverse(boxes);
  for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i].level = static_cast<int>(i);
  for (std::size_t i = boxes.size() - 1; i < boxes.size(); ++i)
    if (boxes[i].merged == 1) addChildren(tree, boxes[i], boxes);
  return boxes;
}

const FlameBox* boxAt(std::span<const FlameBox> boxes, int x, int level) {
  const auto box = std::ranges::find_if(
      boxes, [&](const FlameBox& each) { return each.level == level && x >= each.left && x < each.left + each.width; });
  return box == boxes.end() ? nullptr : &*box;
}

}  // namespace lanescope::views
