// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets beside each other, on as many lines as the width asks for: a line of controls that never makes a window
// wider. The last widgets stand at the right end of theirs. GUI thread only.
#pragma once

#include <QLayout>
#include <QList>
#include <initializer_list>

namespace lanescope::views {

/// Widgets that keep beside each other, as one.
QWidget* together(QWidget* parent, std::initializer_list<QWidget*> widgets);

class FlowLayout : public QLayout {
 public:
  /// `atEnd`: how many of the last widgets stand at the right.
  explicit FlowLayout(QWidget* parent, int atEnd = 1) : QLayout(parent), atEnd_(atEnd) {}
  ~FlowLayout() override;

  void insertWidget(int index, QWidget* widget);
  /// Gets what is left of its line.
  void setExpanding(QWidget* widget) { expanding_ = widget; }

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

  int atEnd_;
  QWidget* expanding_ = nullptr;
  QList<QLayoutItem*> items_;
};

}  // namespace lanescope::views
