// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody does to the form of a recording.
#pragma once

#include <QCheckBox>
#include <QLineEdit>
#include <QTest>

#include "views/dialogs/marked_field.h"

namespace lanescope::ui {

inline void typeInto(QWidget& dialog, const char* field, const QString& text) {
  QLineEdit& edit = dialog.findChild<views::MarkedField*>(field)->edit();
  edit.setFocus();
  edit.selectAll();
  QTest::keyClick(&edit, Qt::Key_Delete);
  QTest::keyClicks(&edit, text);
}

inline void clickBox(QWidget& dialog, const char* name) {
  auto* box = dialog.findChild<QCheckBox*>(name);
  QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
}

}  // namespace lanescope::ui
