// SPDX-License-Identifier: GPL-3.0-or-later
// A line above the timeline that says one thing until somebody closes it. Hidden while there is nothing to say. GUI
// thread only.
#pragma once

#include <QFrame>

class QLabel;

namespace lanescope::views {

class NoteLine : public QFrame {
  Q_OBJECT

 public:
  explicit NoteLine(QWidget* parent = nullptr);

  void say(const QString& sentence);
  QString text() const;

 private:
  QLabel* line_;
  QString sentence_;
};

}  // namespace lanescope::views
