// SPDX-License-Identifier: GPL-3.0-or-later
// Labels and buttons that show as much of their text as there is room for, an ellipsis for the rest, and all of it in
// the tooltip. What a text says never makes a window wider. GUI thread only.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace lanescope::views {

/// One line of plain text, cut at its end.
class ElidedLabel : public QLabel {
 public:
  explicit ElidedLabel(QWidget* parent = nullptr) : ElidedLabel(QString(), parent) {}
  explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);

  QString shown() const;  ///< what there is room for
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
};

/// A QToolButton or QPushButton, cut in the middle, where names differ least; at most about fifty characters wide.
template <class Button>
class Elided : public Button {
 public:
  using Button::Button;

  QString shown() const;  ///< what there is room for
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
};

extern template class Elided<QToolButton>;
extern template class Elided<QPushButton>;
using ElidedToolButton = Elided<QToolButton>;
using ElidedPushButton = Elided<QPushButton>;

}  // namespace lanescope::views
