// SPDX-License-Identifier: GPL-3.0-or-later
// The ruler above the timeline: ticks, the selection with a pill that tells its exact length, the time under the
// pointer. Spans the row headers too, where it writes the base that its labels count from. Dragging selects a range,
// a click clears it, a double click on the selection zooms to it. Marks carry flags there: a click on one makes it the
// current one. Follows ViewState. GUI thread only.
#pragma once

#include <QWidget>
#include <optional>

#include "views/scale.h"
#include "views/timeline/ticks.h"
#include "views/timeline/view_state.h"

namespace lanescope::views {

/// The ticks of a ruler over a canvas of this width, logical pixels: the grid lines of the canvas stand under them.
Ticks rulerTicks(trace::TimeRange visible, int width);

class Ruler : public QWidget {
  Q_OBJECT

 public:
  explicit Ruler(ViewState& state, QWidget* parent = nullptr);

  /// Where the canvas lies below, in this widget's pixels.
  void setCanvasSpan(int left, int width);
  void setCursorTime(std::optional<trace::Ns> time);
  QSize sizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  Scale scale() const { return {state_.visible(), std::max(1, width_)}; }
  int x(trace::Ns time) const { return left_ + scale().x(time); }
  trace::Ns timeAt(double x) const;
  void paintTicks(QPainter& painter);
  void paintSelection(QPainter& painter);
  void paintMarks(QPainter& painter);
  std::optional<std::size_t> markAt(QPointF point) const;
  void paintCursor(QPainter& painter);

  ViewState& state_;
  int left_ = 0;
  int width_ = 1;
  std::optional<trace::Ns> cursor_;
  std::optional<trace::Ns> dragFrom_;
  double pressedAt_ = 0;
};

}  // namespace lanescope::views
