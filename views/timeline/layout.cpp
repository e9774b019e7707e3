// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/layout.h"

#include <algorithm>
#include <cmath>

#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr int kHeading = 22, kStrip = 24, kNested = 20, kCurve = 36;

RowBox boxOfRow(const ViewState& state, std::uint32_t index) {
  const trace::Row& row = state.trace()->rows[index];
  RowBox box;
  box.row = index;
  box.lanes = std::max(levelsOf(*state.trace(), row), 1);
  box.curve = !row.counters.empty();
  const bool shownBelow = row.summary && !row.children.empty() && state.isExpanded(index);
  box.heading = !box.curve && (row.lanes.empty() || shownBelow);
  if (box.heading) box.lanes = 1;
  // A row keeps its height while data arrives: its levels share what there was when it came.
  const int levels = state.levelsWhileLoading(index).value_or(box.lanes);
  const bool low = box.heading || (!box.curve && levels == 0);
  const double plain = low ? kHeading : box.curve ? kCurve : levels == 1 ? kStrip : kNested * 1.0 * levels;
  // Larger text needs room; smaller is in no need of it.
  const double textScale = std::max(1.0, Theme::instance().fontScale());
  const double scale = (low ? 1 : state.rowScale(index) * state.allRowsScale()) * textScale;
  box.height = static_cast<int>(std::lround(std::min<double>(plain * scale, Layout::kTallest)));
  return box;
}

}  // namespace

Layout::Layout(const ViewState& state)
    : textScale_(Theme::instance().fontScale()),
      places_(state.trace()->rows.size(), -1),
      isPinned_(state.trace()->rows.size()) {
  const trace::Trace& trace = *state.trace();
  const RowArrangement& arrangement = state.arrangement();
  std::vector<std::uint32_t> pinned;
  for (const std::string& key : arrangement.pinned)
    if (const std::uint32_t row = state.rowWithKey(key); row != trace::kNone && !isPinned_[row]) {
      pinned.push_back(row);
      isPinned_[row] = true;
    }
  for (const std::uint32_t row : pinned) add(state, row, true);
  pinned_ = boxes_.size();
  for (const std::uint32_t row : arrangedChildren(trace, arrangement, trace::kNone))
    if (!isPinned_[row]) add(state, row, false);
}

/// A row that is not hidden and what is open below it, but for what is pinned on its own.
void Layout::add(const ViewState& state, std::uint32_t root, bool pinned) {
  const trace::Trace& trace = *state.trace();
  const RowArrangement& arrangement = state.arrangement();
  const int above = pinned ? trace.rows[root].depth : 0;
  int y = height();
  std::vector<std::uint32_t> pending{root};
  while (!pending.empty() && y < kTallest) {
    const std::uint32_t row = pending.back();
    pending.pop_back();
    if (arrangement.isHidden(trace.rows[row]) || !state.isShown(row)) continue;
    if (row != root && isPinned_[row]) continue;
    RowBox box = boxOfRow(state, row);
    box.y = y;
    box.height = std::min(box.height, kTallest - y);
    box.pinned = pinned && row == root;
    box.depth = trace.rows[row].depth - above;
    y += box.height;
    places_[row] = static_cast<int>(boxes_.size());
    boxes_.push_back(box);
    if (!state.isExpanded(row)) continue;
    const auto children = arrangedChildren(trace, arrangement, row);
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
}

RowWindow Layout::window(int scroll, int viewHeight) const {
  RowWindow window{scroll, viewHeight, 0};
  for (std::size_t i = 0; i < pinned_ && window.still + boxes_[i].height <= viewHeight / 2; ++i)
    window.still += boxes_[i].height;
  return window;
}

std::array<std::span<const RowBox>, 2> Layout::seen(const RowWindow& window) const {
  return {between(0, window.still), between(window.scroll + window.still, window.scroll + window.height)};
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

}  // namespace lanescope::views
