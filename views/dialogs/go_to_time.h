// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a time or a range to go to, as it is written for --filter-time, and says what is wrong with it. GUI thread only.
#pragma once

#include <QDialog>
#include <functional>

#include "model/trace/time.h"

namespace lanescope::views {

class MarkedField;

class GoToTime : public QDialog {
  Q_OBJECT

 public:
  /// `chosen` gets a range that touches what was recorded.
  GoToTime(trace::TimeRange recorded, std::function<void(trace::TimeRange)> chosen, QWidget* parent);

  MarkedField& field() const { return *field_; }
  void accept() override;

 private:
  trace::TimeRange recorded_;
  std::function<void(trace::TimeRange)> chosen_;
  MarkedField* field_;
};

}  // namespace lanescope::views
