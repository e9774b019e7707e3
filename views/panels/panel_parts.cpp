// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/panel_parts.h"

#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace lanescope::views {

QPushButton* flatButton(const QString& text, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setFlat(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

void putListBeside(QWidget* panel, QWidget* list, QWidget* chosen) {
  auto* body = new QSplitter(Qt::Horizontal, panel);
  body->addWidget(list);
  body->addWidget(chosen);
  body->setStretchFactor(1, 1);
  body->setChildrenCollapsible(false);
  body->setHandleWidth(1);
  body->setSizes({kListWidth, 4 * kListWidth});
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins({});
  layout->addWidget(body);
}

}  // namespace lanescope::views
