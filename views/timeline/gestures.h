// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of mouse and keyboard gestures on the timeline: to change a gesture, change the table in gestures.cpp.
// Acts on a ViewState and through a TimelineCanvas; keeps only the drag under way. GUI thread.
#pragma once

#include <QPointF>
#include <QString>
#include <optional>
#include <vector>

#include "model/trace/time.h"

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace lanescope::views {

class TimelineCanvas;
class ViewState;

/// A line of the sheet of keys: "W · + · =" and "Zoom in".
struct GestureLine {
  QString how, what;
};

/// Every gesture of the table, those that do the same together.
std::vector<GestureLine> gestureSheet();

class Gestures {
 public:
  Gestures(ViewState& state, TimelineCanvas& canvas) : state_(state), canvas_(canvas) {}

  // Each returns true if it used the event.
  bool wheel(const QWheelEvent& event);
  bool press(const QMouseEvent& event);
  bool move(const QMouseEvent& event);
  bool release(const QMouseEvent& event);
  bool doubleClick(const QMouseEvent& event);
  bool key(const QKeyEvent& event);
  bool knows(const QKeyEvent& event) const;  ///< key() would use it

  bool dragging() const { return drag_.has_value(); }
  void cancelDrag();
  /// The edge of the selection that would stay if a drag began at x; none where no edge is within reach.
  std::optional<trace::Ns> otherEdge(qreal x) const;

  enum class Action;

 private:
  struct Drag {
    Action action;
    QPointF pressed;
    trace::Ns pressedTime = 0;
    trace::TimeRange visible;  // when it began
    int scroll = 0;
    bool moved = false;        // further than a click may tremble
  };
  void dragTo(QPointF point);
  void selectRows(qreal y, qreal otherY);

  ViewState& state_;
  TimelineCanvas& canvas_;
  std::optional<Drag> drag_;
  bool pressedSign_ = false;  // whose second click means nothing: the picture has moved under it
  qint64 lastWheel_ = -1;  // its timestamp: turns in quick succession are one gesture
};

}  // namespace lanescope::views
