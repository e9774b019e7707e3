// SPDX-License-Identifier: GPL-3.0-or-later
// Where each visible row stands. Pure: the same view state gives the same layout. Heights in logical pixels on the
// 4-pixel grid of shared ui rules: a strip is 24, nested lanes 20 each, curves 36, headings 22, times the size of text.
// Pinned rows come first, each with what is below it, and stay in sight while the others scroll (RowWindow).
// Building costs O(rows that are open and their lanes), so it is done once a change of rows and shared by those who draw
// them (ViewState::layout()): panning, zooming and scrolling build none. Finding a row by y costs O(log n). The height is bounded, so
// that device pixels fit an int: a row that reaches past the bound is squeezed and the last.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "views/timeline/view_state.h"

namespace lanescope::views {

/// One open row on the vertical axis; y counts from the top of all rows.
struct RowBox {
  std::uint32_t row = 0;  ///< index into Trace::rows
  int y = 0;
  int height = 0;
  int lanes = 1;  ///< how many levels of lanes are stacked inside; height is split evenly
  bool curve = false;  ///< a counter, drawn as a curve
  bool heading = false;  ///< nothing to draw but the label
  bool pinned = false;  ///< was pinned itself, so what is above it in the tree is not above it here
  int depth = 0;  ///< in the tree as it is shown
};

/// What a view of some height shows of the rows: pinned ones stand still at the top, as far as half of the view holds
/// them, the rest scrolls below. Logical pixels.
struct RowWindow {
  int scroll = 0;
  int height = 0;
  int still = 0;  ///< height of what does not scroll

  int toView(int y) const { return y < still ? y : y - scroll; }
  int toRows(int viewY) const { return viewY < still ? viewY : viewY + scroll; }
  /// Where the rows that move with `box` begin to be seen.
  int topFor(const RowBox& box) const { return box.y < still ? 0 : still; }
};

class Layout {
 public:
  Layout() = default;
  explicit Layout(const ViewState& state);

  static constexpr int kTallest = 1 << 28;

  std::span<const RowBox> boxes() const { return boxes_; }
  int height() const { return boxes_.empty() ? 0 : boxes_.back().y + boxes_.back().height; }

  /// Index of the box at y, -1 above the first or below the last.
  int boxAt(int y) const;
  /// The boxes that touch [top, bottom).
  std::span<const RowBox> between(int top, int bottom) const;
  RowWindow window(int scroll, int viewHeight) const;
  /// The boxes that are seen: those that stand still, and those that scroll.
  std::array<std::span<const RowBox>, 2> seen(const RowWindow& window) const;
  /// Index of the box of a row, -1 if it is not open.
  int boxOf(std::uint32_t row) const { return row < places_.size() ? places_[row] : -1; }
  double textScale() const { return textScale_; }  ///< Theme::fontScale() that heights were made for

 private:
  void add(const ViewState& state, std::uint32_t root, bool pinned);

  double textScale_ = 1;
  std::vector<RowBox> boxes_;
  std::vector<int> places_;  // the box of each row
  std::vector<bool> isPinned_;  // of each row
  std::size_t pinned_ = 0;  // boxes of pinned rows and what is below them
};

}  // namespace lanescope::views
