// SPDX-License-Identifier: GPL-3.0-or-later
// The durations of one line of the selection: its name, how many, their histogram, and what the bar under the pointer
// holds. Shows what it is given. GUI thread only.
#pragma once

#include <QColor>
#include <QWidget>

#include "views/plots/bins.h"

class QLabel;

namespace lanescope::views {

class Histogram;

class DurationsBox : public QWidget {
  Q_OBJECT

 public:
  explicit DurationsBox(QWidget* parent = nullptr);

  void setDurations(const QString& name, std::size_t count, Bins bins, QColor colour);
  Histogram& histogram() { return *histogram_; }

 private:
  void say(const QString& ofBars);

  QLabel* title_;
  QLabel* text_;
  Histogram* histogram_;
};

}  // namespace lanescope::views
