// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/call_tree_builder.h"

#include <algorithm>
#include <numeric>

namespace lanescope::analysis {

std::optional<std::uint32_t> CallTreeBuilder::child(std::uint32_t parent, std::uint32_t name) {
  const std::uint64_t key = std::uint64_t{parent} << 32 | name;
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (nodes_.size() >= most_) return std::nullopt;
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  known_.emplace(key, index);
  CallNode& node = nodes_.emplace_back();
  node.name = name;
  node.parent = parent;
  return index;
}

void CallTreeBuilder::sumUp() {
  for (std::size_t i = nodes_.size(); --i > 0;) nodes_[nodes_[i].parent].total += nodes_[i].total;
}

std::vector<CallNode> CallTreeBuilder::finish() const {
  // The nodes by parent, the largest first: each one's children are then a stretch of this order.
  std::vector<std::uint32_t> order(nodes_.size() - 1);
  std::iota(order.begin(), order.end(), 1U);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    if (nodes_[a].parent != nodes_[b].parent) return nodes_[a].parent < nodes_[b].parent;
    return nodes_[a].total > nodes_[b].total;
  });
  std::vector<std::uint32_t> first(nodes_.size() + 1, 0);  // where in `order` the children of a node begin
  for (const std::uint32_t node : order) ++first[nodes_[node].parent + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());

  std::vector<CallNode> placed;
  placed.reserve(nodes_.size());
  placed.push_back(nodes_[0]);
  std::vector<std::uint32_t> from{0};  // of each placed node its index here
  for (std::uint32_t i = 0; i < placed.size(); ++i) {
    placed[i].firstChild = static_cast<std::uint32_t>(placed.size());
    placed[i].children = first[from[i] + 1] - first[from[i]];
    for (std::uint32_t at = first[from[i]]; at < first[from[i] + 1]; ++at) {
      from.push_back(order[at]);
      placed.push_back(nodes_[order[at]]);
      placed.back().parent = i;
    }
  }
  return placed;
}

}  // namespace lanescope::analysis
