// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/layout.h"

#include <algorithm>
#include <cmath>

#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr int kHeading = 22, kStrip = 24, kNested = 20, kCurve = 36;

int stackedLanes(const trace::Trace& trace, const trace::Row& row) {
  int deepest = 0;
  if (row.stacked)
    for (const trace::LaneId lane : row.lanes)
      deepest = std::max(deepest, static_cast<int>(trace.laneInfo[lane].depth));
  return deepest + 1;
}

RowBox boxOfRow(const ViewState& state, std::uint32_t index) {
  const trace::Row& row = state.trace()->rows[index];
  RowBox box;
  box.row = index;
  box.lanes = stackedLanes(*state.trace(), row);
  box.curve = !row.counters.empty();
  const bool shownBelow = row.summary && !row.children.empty() && state.isExpanded(index);
  box.heading = !box.curve && (row.lanes.empty() || shownBelow);
  if (box.heading) box.lanes = 1;
  const double textScale =
      std::max(1.0, Theme::instance().fontScale());  // larger text needs room, smaller is in no need
  const double plain = box.heading      ? kHeading
                       : box.curve      ? kCurve
                       : box.lanes == 1 ? kStrip
                                        : kNested * 1.0 * box.lanes;
  const double scale = box.heading ? 1 : state.rowScale(index) * state.allRowsScale();
  box.height = static_cast<int>(std::lround(std::min<double>(plain * scale * textScale, Layout::kTallest)));
  return box;
}

}  // namespace

Layout::Layout(const ViewState& state) {
  const trace::Trace& trace = *state.trace();
  int y = 0;
  std::vector<std::uint32_t> pending(trace.rootRows.rbegin(), trace.rootRows.rend());
  while (!pending.empty() && y < kTallest) {
    const std::uint32_t row = pending.back();
    pending.pop_back();
    if (!state.isShown(row)) continue;
    RowBox box = boxOfRow(state, row);
    box.y = y;
    box.height = std::min(box.height, kTallest - y);
    y += box.height;
    boxes_.push_back(box);
    const auto& children = trace.rows[row].children;
    if (state.isExpanded(row)) pending.insert(pending.end(), children.rbegin(), children.rend());
  }
}

int Layout::boxAt(int y) const {
  const auto after =
      std::upper_bound(boxes_.begin(), boxes_.end(), y, [](int at, const RowBox& b) { return at < b.y; });
  if (after == boxes_.begin() || y >= height()) return -1;
  return static_cast<int>(after - boxes_.begin()) - 1;
}

std::span<const RowBox> Layout::between(int top, int bottom) const {
  const auto first =
      std::partition_point(boxes_.begin(), boxes_.end(), [&](const RowBox& b) { return b.y + b.height <= top; });
  const auto last = std::partition_point(first, boxes_.end(), [&](const RowBox& b) { return b.y < bottom; });
  return {first, last};
}

int Layout::boxOf(std::uint32_t row) const {
  const auto found = std::find_if(boxes_.begin(), boxes_.end(), [row](const RowBox& b) { return b.row == row; });
  return found == boxes_.end() ? -1 : static_cast<int>(found - boxes_.begin());
}

}  // namespace lanescope::views
