// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets beside each other, on as many lines as the width asks for: a line of controls that never makes a window
// wider. The last widget stands at the right end of its line. GUI thread only.
#pragma once

#include <QLayout>
#include <QList>

namespace lanescope::views {

class FlowLayout : public QLayout {
 public:
  using QLayout::QLayout;
  ~FlowLayout() override;

  void insertWidget(int index, QWidget* widget);

  void addItem(QLayoutItem* item) override { items_ += item; }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return place({0, 0, width, 0}, false); }
  QSize sizeHint() const override;     ///< on one line
  QSize minimumSize() const override;  ///< as wide as the widest
  void setGeometry(const QRect& rect) override;

 private:
  int place(QRect rect, bool move) const;  // gives the height

  QList<QLayoutItem*> items_;
};

}  // namespace lanescope::views
