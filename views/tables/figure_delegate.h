// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the cells of a FigureTable: whole rows lit when selected or under the pointer, figures flush right, shares with
// a bar behind them, a colour beside a name. O(1) a cell. GUI thread only.
#pragma once

#include <QStyledItemDelegate>
#include <cstdint>
#include <optional>

namespace lanescope::views {

class FigureDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  static constexpr int kPadding = 12;  ///< left and right of a cell
  static constexpr int kSwatch = 16;  ///< a colour and the gap behind it

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  int hoveredRow = -1;
  std::optional<std::uint64_t> marked;  ///< key of the row that carries the accent's edge
};

}  // namespace lanescope::views
