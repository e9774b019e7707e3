// SPDX-License-Identifier: GPL-3.0-or-later
// Bars of how many events took how long. Hovering marks a bar and says what it holds; a click, a drag over several bars, or the
// arrows and Enter pick a range of durations. A bar that holds anything is never too low to see. GUI thread only.
#pragma once

#include <QColor>
#include <QWidget>
#include <optional>

#include "views/plots/bins.h"

class QCPBars;
class QCustomPlot;

namespace lanescope::views {

/// "91.9 – 92.1 µs": the unit once where both ends have the same.
QString durationSpan(trace::Ns from, trace::Ns to);

class Histogram : public QWidget {
  Q_OBJECT

 public:
  explicit Histogram(QWidget* parent = nullptr);

  void setBins(Bins bins, QColor colour);
  const Bins& bins() const { return bins_; }

  QStringList axisLabels() const;  ///< below the bars, from left to right
  /// What is said of bins: "12 events · 91.9 – 92.1 µs".
  QString saying(std::size_t first, std::size_t last) const;
  /// The bin at a place of this widget; none beside the bars.
  std::optional<std::size_t> binAt(QPointF at) const;
  QPoint middleOf(std::size_t bin) const;

  QSize sizeHint() const override { return {300, 140}; }
  QSize minimumSizeHint() const override { return {160, 80}; }

 signals:
  void left();  ///< Esc
  void said(const QString& saying);  ///< of the bars that are marked; empty when none are
  /// Durations in [from, to).
  void picked(lanescope::trace::Ns from, lanescope::trace::Ns to);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Run {
    std::size_t first, last;
  };
  bool mouse(QEvent* event);
  void mark(std::optional<Run> run);
  void pick(Run run);
  void style();
  void labelAxes();

  QCustomPlot* plot_;
  QCPBars* bars_;
  QCPBars* marked_;  // the same bars again, in another colour
  Bins bins_;
  QColor colour_;
  double least_ = 0;  // height of a bar that holds anything
  std::optional<std::size_t> pressed_;
  std::optional<Run> run_;
};

}  // namespace lanescope::views
