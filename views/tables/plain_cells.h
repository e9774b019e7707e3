// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the cells of a list that is no FigureTable as one paints those: the same room left and right, whole rows lit,
// and texts of every font on one baseline. GUI thread only.
#pragma once

#include <QStyledItemDelegate>

class QAbstractItemView;

namespace lanescope::views {

/// Where texts of a cell stand, whatever their font.
int baselineIn(QRect cell);

class PlainCells : public QStyledItemDelegate {
  Q_OBJECT

 public:
  /// Paints this view from now on, with titles that stand above their cells.
  explicit PlainCells(QAbstractItemView* view);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace lanescope::views
