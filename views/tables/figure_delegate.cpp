// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/figure_delegate.h"

#include <QPainter>
#include <algorithm>

#include "views/tables/plain_cells.h"
#include "views/tables/table_model.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr int kBarAlpha = 56;
constexpr int kEdge = 3;
constexpr int kMostDrawn = 400;  // characters; a name may have a million

/// How far a share goes, behind its figure; more than all fills the cell.
void paintShare(QPainter& painter, QRect cell, double share, QColor colour) {
  cell.adjust(4, 3, -4, -3);
  const double part = std::clamp(share, 0.0, 1.0);
  if (part * cell.width() < 0.5) return;
  colour.setAlpha(kBarAlpha);
  painter.fillRect(QRectF(cell.left(), cell.top(), part * cell.width(), cell.height()), colour);
}

void paintSwatch(QPainter& painter, QRect cell, const QColor& colour) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(QRectF(cell.left(), cell.center().y() - 3.5, 8, 8), 2, 2);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace

void FigureDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const ThemeColours& colours = Theme::colours();
  const bool selected = option.state & QStyle::State_Selected;
  painter->save();
  if (selected) painter->fillRect(option.rect, colours.rowHighlight);
  else if (index.row() == hoveredRow) painter->fillRect(option.rect, colours.chrome);

  if (marked && index.column() == 0 && index.data(TableModel::kKeyRole).toULongLong() == *marked)
    painter->fillRect(option.rect.left(), option.rect.top(), kEdge, option.rect.height(), colours.accent);

  const QVariant colour = index.data(Qt::DecorationRole);
  const QVariant share = index.data(TableModel::kShareRole);
  if (share.isValid()) paintShare(*painter, option.rect, share.toDouble(), colour.value<QColor>());
  QRect inside = option.rect.adjusted(kPadding, 0, -kPadding, 0);
  if (colour.isValid() && !share.isValid()) {
    paintSwatch(*painter, inside, colour.value<QColor>());
    inside.setLeft(inside.left() + kSwatch);
  }
  if (!index.data(TableModel::kWarningRole).toString().isEmpty()) {
    painter->setFont(Theme::font());
    painter->setPen(colours.warning);
    painter->drawText(inside, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("⚠"));
    inside.setRight(inside.right() - kSwatch);
  }
  const QFont font = index.data(Qt::FontRole).value<QFont>();
  const bool tail = index.data(TableModel::kTailRole).toBool();
  const QString whole = index.data(Qt::DisplayRole).toString();
  const QString text = tail ? whole.right(kMostDrawn) : whole.left(kMostDrawn);
  painter->setFont(font);
  painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
  const QFontMetrics metrics(font);
  const QString shown = metrics.elidedText(text, tail ? Qt::ElideLeft : Qt::ElideRight, inside.width());
  const bool right = index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
  painter->drawText(inside.left() + (right ? inside.width() - metrics.horizontalAdvance(shown) : 0), baselineIn(inside),
                    shown);
  painter->restore();
}

}  // namespace lanescope::views
