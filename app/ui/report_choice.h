// SPDX-License-Identifier: GPL-3.0-or-later
// A line above a panel that asks the file of one report, while several are on one timeline: which of them it is of. It
// follows the current row, and another is chosen from its menu. Hidden for one report. GUI thread only.
#pragma once

#include <QFrame>
#include <QPointer>

#include "app/ui/session.h"

class QToolButton;

namespace lanescope::ui {

class ReportChoice : public QFrame {
  Q_OBJECT

 public:
  explicit ReportChoice(QWidget* parent = nullptr);

  void follow(Session* session);  ///< null: none
  QString shown() const;

 private:
  void show();
  void list();

  QPointer<Session> session_;
  QToolButton* report_;
};

}  // namespace lanescope::ui
