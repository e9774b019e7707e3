// SPDX-License-Identifier: Apache-2.0
// Collects the nodes of a call tree in any order. Private to model/analysis.
#pragma once

#include <optional>
#include <unordered_map>

#include "model/analysis/call_tree.h"

namespace lanescope::analysis {

class CallTreeBuilder {
 public:
  explicit CallTreeBuilder(std::size_t mostNodes) : most_(mostNodes) { nodes_.emplace_back(); }

  /// The child of that name, added if it is new; none when the tree is full.
  std::optional<std::uint32_t> child(std::uint32_t parent, std::uint32_t name);
  CallNode& node(std::uint32_t index) { return nodes_[index]; }

  /// Adds every node's total to those around it.
  void sumUp();

  /// The nodes as CallTree holds them: by level, children by total, then in the order in which they came.
  std::vector<CallNode> finish() const;

 private:
  const std::size_t most_;
  std::vector<CallNode> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // parent and name → node
};

}  // namespace lanescope::analysis
