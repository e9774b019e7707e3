// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chip.h"

#include <QToolButton>

namespace lanescope::views {

QToolButton* chip(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setToolTip(tip);
  button->setProperty("chip", true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

QToolButton* toggleChip(const QString& text, const QString& tip, QWidget* parent) {
  QToolButton* button = chip(text, tip, parent);
  button->setCheckable(true);
  return button;
}

}  // namespace lanescope::views
