// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/row_arrangement.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace lanescope::views {

bool RowArrangement::isPinned(const trace::Row& row) const {
  return std::find(pinned.begin(), pinned.end(), row.key) != pinned.end();
}

std::vector<std::uint32_t> arrangedChildren(const trace::Trace& trace, const RowArrangement& arrangement,
                                            std::uint32_t parent) {
  const bool root = parent == trace::kNone;
  std::vector<std::uint32_t> children = root ? trace.rootRows : trace.rows[parent].children;
  if (arrangement.order.empty()) return children;
  const auto order = arrangement.order.find(root ? std::string() : trace.rows[parent].key);
  if (order == arrangement.order.end()) return children;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < order->second.size(); ++i) places.emplace(order->second[i], i);
  const auto place = [&](std::uint32_t row) {
    const auto found = places.find(trace.rows[row].key);
    return found == places.end() ? places.size() : found->second;
  };
  std::stable_sort(children.begin(), children.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  return children;
}

std::string pathAbove(const trace::Trace& trace, std::uint32_t row, std::size_t most) {
  std::string path;
  for (std::uint32_t above = trace.rows[row].parent; above != trace::kNone; above = trace.rows[above].parent)
    path = trace.rows[above].label.substr(0, most) + (path.empty() ? "" : " › ") + path;
  return path;
}

}  // namespace lanescope::views
