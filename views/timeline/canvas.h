// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline itself: shows the rows of a ViewState and turns gestures into changes of it. The picture is made once
// for a view and kept; what moves often (selection, outlines, hover) is painted over it, so that a hover costs no
// slicing. Scrolls its rows itself, in logical pixels. GUI thread.
#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "views/timeline/frame.h"
#include "views/timeline/gestures.h"
#include "views/timeline/hit.h"
#include "views/timeline/relations.h"
#include "views/timeline/tooltip.h"

namespace lanescope::views {

class TimelineCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineCanvas(ViewState& state, QWidget* parent = nullptr);

  /// What the tooltip says of an event besides its name and times.
  void setDetails(EventTip::Details details) { tip_.setDetails(std::move(details)); }

  const Layout& rowLayout() const { return *layout_; }
  int scroll() const { return scroll_; }
  RowWindow window() const { return layout_->window(scroll_, height()); }
  int maximumScroll() const;
  void setScroll(int y);  ///< clamped
  void revealRow(std::uint32_t row);

  trace::Ns timeAt(qreal x) const;
  trace::Ns timeOf(qreal pixels) const;  ///< how long so many pixels are
  std::uint32_t rowAt(qreal y) const;    ///< kNone below the last
  std::optional<Hit> hit(QPointF point);
  /// The time at a point, or the edge of an event of that row within `reach` pixels.
  trace::Ns snapped(QPointF point, int reach);

  /// The sign at the edge of the picture under a point, or null: a partner lies beyond.
  const EdgeSign* signAt(QPointF point);
  /// What belongs to the current event, as it is painted.
  const Relations& relations();

  Gestures& gestures() { return gestures_; }  ///< for widgets beside the canvas that take the same ones
  const std::optional<trace::EventRef>& hovered() const { return hovered_; }
  /// An event with the outline of one that is pointed at: the twin of one that is, elsewhere.
  void setEchoed(std::optional<trace::EventRef> event);
  const std::optional<trace::EventRef>& echoed() const { return echoed_; }

  const FrameStats& stats() const { return frame_.stats; }
  /// Frames painted anew so far.
  int framesPainted() const { return framesPainted_; }

 signals:
  void scrollChanged(int y);
  void layoutChanged();
  void hoveredRowChanged(std::uint32_t row);
  void hoveredChanged();
  void findWanted(const QString& name);  ///< of the event that was clicked, whole
  void hidingRowsChanged(const std::vector<std::uint32_t>& rows);  ///< collapsed rows that hide a partner

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  const Frame& freshFrame();
  QString wordsForNothing() const;
  void repaintAll();
  void relayout();
  void keepInPlace(const std::string& key, int top);
  void noteTopRow();
  void hover(std::optional<QPointF> point);
  void showTip();
  void showCursor();
  QString textOf(const EdgeSign& sign) const;
  QPointF placeOfCurrent();
  void follow();
  void learnColours();

  ViewState& state_;
  Gestures gestures_;
  std::shared_ptr<const Layout> layout_;
  Palette palette_;
  FramePainter painter_;
  Frame frame_;
  bool stale_ = true;
  QSize paintedSize_;
  int framesPainted_ = 0;
  int scroll_ = 0;
  std::string topKey_;  // of the first row that scrolls and is seen
  int topOffset_ = 0;   // where it begins in the view

  std::optional<analysis::Related> related_;  // to the current event
  RowsOfLanes rowsOfLanes_;
  Relations relations_;  // in the frame of that number
  int relationsFrame_ = -1;
  std::vector<QRectF> found_;  // in the frame of that number
  int foundFrame_ = -1;

  std::optional<QPointF> pointer_;
  std::optional<trace::EventRef> hovered_, echoed_;
  std::uint32_t hoveredRow_ = trace::kNone;
  QTimer rest_;  // until the pointer has rested long enough for the tooltip
  EventTip tip_;
};

}  // namespace lanescope::views
