// SPDX-License-Identifier: GPL-3.0-or-later
// One line above the timeline when a report lost something that touches numbers: the most important loss in words,
// how many more there are, where to read on. Hidden while nothing is lost, and for good once it is closed. GUI thread
// only.
#pragma once

#include <QFrame>

#include "model/trace/trace.h"

class QLabel;
class QToolButton;

namespace lanescope::views {

/// What the line says: "2 graph launches were … (and 2 more)"; empty when every number is whole. Pure.
QString bannerText(const trace::Trace& trace);

class LossBanner : public QFrame {
  Q_OBJECT

 public:
  explicit LossBanner(QWidget* parent = nullptr);

  /// Shows what the trace lost, unless the banner has been closed.
  void setTrace(const trace::Trace& trace);
  QString text() const { return text_; }

 signals:
  void detailsWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  QString text_;
  QLabel* icon_;
  QLabel* line_;
  QToolButton* close_;
  bool closed_ = false;
};

}  // namespace lanescope::views
