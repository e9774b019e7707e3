// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/wheel_needs_focus.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>

namespace lanescope::views {
namespace {

class WithoutWheel : public QObject {
 public:
  explicit WithoutWheel(QWidget* watched) : QObject(watched) {
    watched->setFocusPolicy(Qt::StrongFocus);  // the wheel gives none
    watched->installEventFilter(this);
  }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
    event->ignore();  // it goes on to what scrolls
    return true;
  }
};

}  // namespace

void wheelNeedsFocus(QWidget& within) {
  for (QComboBox* each : within.findChildren<QComboBox*>()) new WithoutWheel(each);
  for (QAbstractSpinBox* each : within.findChildren<QAbstractSpinBox*>()) new WithoutWheel(each);
}

}  // namespace lanescope::views
