// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/plain_cells.h"

#include <QAbstractItemView>
#include <QPainter>

#include "views/tables/figure_delegate.h"
#include "views/theme.h"

namespace lanescope::views {

int baselineIn(QRect cell) {
  const QFontMetrics metrics(Theme::font());
  return cell.top() + (cell.height() - metrics.height()) / 2 + metrics.ascent();
}

PlainCells::PlainCells(QAbstractItemView* view) : QStyledItemDelegate(view) {
  view->setItemDelegate(this);
  connect(&Theme::instance(), &Theme::changed, view, &QAbstractItemView::doItemsLayout);  // of another font
  view->setStyleSheet(QStringLiteral("QHeaderView::section { padding: 4px %1px; }").arg(FigureDelegate::kPadding));
}

void PlainCells::paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
  QStyleOptionViewItem option = given;
  initStyleOption(&option, index);
  painter->save();
  if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, Theme::colours().rowHighlight);
  else if (option.state & QStyle::State_MouseOver) painter->fillRect(option.rect, Theme::colours().chrome);
  const QRect inside = option.rect.adjusted(FigureDelegate::kPadding, 0, -FigureDelegate::kPadding, 0);
  const QString text = option.fontMetrics.elidedText(option.text, option.textElideMode, inside.width());
  const int room = inside.width() - option.fontMetrics.horizontalAdvance(text);
  painter->setFont(option.font);
  painter->setPen(option.palette.color(QPalette::Text));
  painter->drawText(inside.left() + (option.displayAlignment & Qt::AlignRight ? room : 0), baselineIn(inside), text);
  painter->restore();
}

QSize PlainCells::sizeHint(const QStyleOptionViewItem& given, const QModelIndex& index) const {
  QStyleOptionViewItem option = given;
  initStyleOption(&option, index);
  return {option.fontMetrics.horizontalAdvance(option.text) + 2 * FigureDelegate::kPadding + 2,
          QFontMetrics(Theme::font()).height() + 8};
}

}  // namespace lanescope::views
