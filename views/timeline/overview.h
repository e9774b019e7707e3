// SPDX-License-Identifier: GPL-3.0-or-later
// The whole trace in one strip: GPU kernels above, copies below (without GPU work: API calls above, NVTX ranges or OS
// runtime below), and the visible range as a window in it. Drag the window or its edges; click beside it to bring it
// there; drag beside it to choose a new one. Hits of a search are ticks over it. The strip is painted only when the trace, the size or the theme changes,
// in O(lanes × pixels). GUI thread only.
#pragma once

#include <QImage>
#include <QWidget>
#include <vector>

#include "views/scale.h"
#include "views/timeline/view_state.h"

namespace lanescope::views {

class Overview : public QWidget {
  Q_OBJECT

 public:
  explicit Overview(ViewState& state, QWidget* parent = nullptr);

  /// Where the canvas lies below, in this widget's pixels.
  void setCanvasSpan(int left, int width);

  /// Pixels of the canvas in which a hit lies; empty where nothing is searched for.
  const std::vector<bool>& ticks();
  int stripsPainted() const { return stripsPainted_; }  ///< for tests
  QSize sizeHint() const override { return {400, 36}; }

 protected:
  bool event(QEvent* event) override;  // the label's tooltip
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  enum class Grip { kNone, kWindow, kLeftEdge, kRightEdge, kBeside };

  Scale scale() const;
  trace::Ns timeAt(double x) const;
  QRect stripRect() const { return {left_, 4, width_, height() - 8}; }
  QRect windowRect() const;
  Grip gripAt(QPoint at) const;
  void paintStrip();
  void forgetStrip();
  void forgetTicks();

  ViewState& state_;
  int left_ = 0;
  int width_ = 1;
  QImage strip_;
  std::vector<bool> ticks_;
  int stripsPainted_ = 0;

  Grip grip_ = Grip::kNone;
  QPoint pressedAt_;
  trace::TimeRange pressedRange_;
  bool moved_ = false;
};

/// The lanes of each half of the strip.
struct OverviewLanes {
  std::vector<trace::LaneId> upper, lower;
};
OverviewLanes overviewLanes(const trace::Trace& trace);

}  // namespace lanescope::views
