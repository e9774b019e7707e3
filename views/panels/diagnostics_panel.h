// SPDX-License-Identifier: GPL-3.0-or-later
// What was lost, repaired or strange: first what reading the report found, then what the profiler said while it
// recorded, worst first and those alike by time. A click goes to when it was. Shows what it is given. GUI thread only.
#pragma once

#include <QWidget>
#include <span>

#include "model/report/diagnostics.h"
#include "model/trace/trace.h"

class QLabel;

namespace lanescope::views {

class CopyableTree;

class DiagnosticsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit DiagnosticsPanel(QWidget* parent = nullptr);

  void setReport(std::span<const trace::Issue> issues, std::span<const report::Diagnostic> said);
  /// No report, and why.
  void setMessage(const QString& message);

  QSize sizeHint() const override { return {600, 180}; }

 signals:
  void timeWanted(trace::Ns time);  ///< by a click or Enter

 private:
  QLabel* message_;
  CopyableTree* list_;
};

}  // namespace lanescope::views
