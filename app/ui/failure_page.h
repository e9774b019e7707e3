// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in a tab in place of the timeline of a report that could not be read: what happened and what to do about it.
// GUI thread only.
#pragma once

#include <QWidget>

#include "model/error.h"

class QLabel;

namespace lanescope::ui {

class FailurePage : public QWidget {
  Q_OBJECT

 public:
  explicit FailurePage(QWidget* parent = nullptr);
  void setError(const Error& error);
  QString shown() const;

 signals:
  void retried();
  void dismissed();

 private:
  QLabel* title_;
  QLabel* what_;
  QLabel* remedy_;
};

}  // namespace lanescope::ui
