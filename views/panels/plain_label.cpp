// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/plain_label.h"

#include <QLabel>

namespace lanescope::views {

QLabel* plainLabel(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  // A word may be a path or a name of any length.
  QSizePolicy policy = label->sizePolicy();
  policy.setHorizontalPolicy(QSizePolicy::Ignored);
  label->setSizePolicy(policy);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace lanescope::views
