// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flow_layout.h"

#include <QHBoxLayout>
#include <QWidgetItem>
#include <algorithm>

namespace lanescope::views {
namespace {

QSize sizeOf(const QLayoutItem& item) {
  return item.sizeHint().expandedTo(item.minimumSize()).boundedTo(item.maximumSize());
}

}  // namespace

QWidget* together(QWidget* parent, std::initializer_list<QWidget*> widgets) {
  auto* group = new QWidget(parent);
  auto* row = new QHBoxLayout(group);
  row->setContentsMargins({});
  row->setSpacing(4);
  for (QWidget* widget : widgets) row->addWidget(widget);
  return group;
}

FlowLayout::~FlowLayout() { qDeleteAll(items_); }

void FlowLayout::insertWidget(int index, QWidget* widget) {
  addChildWidget(widget);
  items_.insert(index, new QWidgetItem(widget));
  invalidate();
}

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

QSize FlowLayout::sizeHint() const {
  int width = 0, shown = 0;
  for (const QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    width += sizeOf(*item).width();
    ++shown;
  }
  const QMargins margins = contentsMargins();
  width += std::max(shown - 1, 0) * spacing() + margins.left() + margins.right();
  return {width, heightForWidth(width)};
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : items_)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  place(rect, true);
}

int FlowLayout::place(QRect rect, bool move) const {
  const QRect inside = rect.marginsRemoved(contentsMargins());
  int x = inside.left(), y = inside.top();
  for (qsizetype begin = 0; begin < items_.size();) {
    // The items of a line, then their places, in the middle of its height.
    qsizetype end = begin;
    int width = 0, height = 0, before = 0;  // up to what stands at the right
    for (; end < items_.size(); ++end) {
      if (items_[end]->isEmpty()) continue;
      const QSize size = sizeOf(*items_[end]);
      const int wider = width + (width == 0 ? 0 : spacing()) + size.width();
      if (width > 0 && wider > inside.width()) break;
      width = wider;
      if (end < items_.size() - atEnd_) before = width;
      height = std::max(height, size.height());
    }
    if (width == 0) break;
    if (y > inside.top()) y += spacing();
    x = inside.left();
    for (; begin < end; ++begin) {
      if (items_[begin]->isEmpty()) continue;
      QSize size = sizeOf(*items_[begin]).boundedTo({inside.width(), height});
      if (expanding_ && items_[begin]->widget() == expanding_) size.rwidth() += std::max(inside.width() - width, 0);
      if (begin >= items_.size() - atEnd_ && before >= 0) {
        x = std::max(x, inside.right() + 1 - (width - before - (before > 0 ? spacing() : 0)));
        before = -1;
      }
      if (move) items_[begin]->setGeometry({{x, y + (height - size.height()) / 2}, size});
      x += size.width() + spacing();
    }
    y += height;
  }
  return y + contentsMargins().bottom() - rect.top();
}

}  // namespace lanescope::views
