// SPDX-License-Identifier: GPL-3.0-or-later
// The column of row headers: the tree with its arrows, a label and one figure a row, at the same heights as the canvas.
// Figures are worked out once per visible range, and only for rows on screen; means of counters wait until the view
// rests, for they cost O(samples). Busy shares under a filter come from another thread; until then they are "…". A header
// can be dragged to another place among those beside it. Takes no keyboard focus. GUI thread only.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "views/latest_job.h"
#include "views/timeline/layout.h"
#include "views/timeline/row_figure.h"
#include "views/timeline/view_state.h"

class QMenu;

namespace lanescope::views {

class Headers : public QWidget {
  Q_OBJECT

 public:
  explicit Headers(ViewState& state, QWidget* parent = nullptr);

  int scrollY() const { return scrollY_; }
  void setScrollY(int y);
  /// Collapsed rows that hide a partner of the current event, ascending: each carries a sign that opens it.
  void setHidingRows(const std::vector<std::uint32_t>& rows);
  /// Counters tell their value there.
  void setCursorTime(std::optional<trace::Ns> time);

  /// The figure as it is shown. Cheap when it was asked before.
  const RowFigure& figure(std::uint32_t row);
  int figuresComputed() const { return figuresComputed_; }  ///< for tests

  QSize sizeHint() const override { return {268, 400}; }
  QSize minimumSizeHint() const override { return {80, 40}; }

 signals:
  void scrolled(int pixels);  ///< a wheel turn over the headers; positive goes down
  void rowPressed();  ///< the canvas should take the focus

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void relayout();
  void forgetFigures(bool ofCountersOnly = false);
  void askFiltered();
  const trace::Row& row(std::uint32_t index) const { return state_.trace()->rows[index]; }
  const trace::Row& row(const RowBox& box) const { return row(box.row); }
  RowWindow window() const { return layout_->window(scrollY_, height()); }
  int topOf(const RowBox& box) const { return window().toView(box.y); }
  const RowBox* boxAt(int y) const;
  const RowBox* bottomEdgeAt(int y) const;  // the row whose lower edge is within reach of the pointer
  void paintRow(QPainter& painter, const RowBox& box, bool alternate);
  QString labelOf(QPainter& painter, const RowBox& box, int room) const;
  bool isHiding(std::uint32_t row) const;
  QRect signOf(const RowBox& box) const;
  void select(std::uint32_t row, Qt::KeyboardModifiers modifiers);
  void toggle(std::uint32_t row, bool allBelow);
  QString toolTipOf(const RowBox& box);
  void dragTo(QPoint at);
  void paintDrop(QPainter& painter);
  void addArranging(QMenu& menu, std::uint32_t row);

  ViewState& state_;
  std::shared_ptr<const Layout> layout_;
  int scrollY_ = 0;
  std::optional<trace::Ns> cursor_;
  std::vector<std::uint32_t> hiding_;

  std::unordered_map<std::uint32_t, RowFigure> figures_;
  std::unordered_map<std::uint32_t, RowFigure> cursorFigures_;
  LatestJob filteredJob_{this};  // busy shares of what passes a filter
  QTimer rest_, asking_;
  int figuresComputed_ = 0;

  struct Resize {
    std::uint32_t row;
    int pressedAt;
    int height;
    double scale;
  };
  std::optional<Resize> resize_;
  struct Drag {  // of a row to another place among those beside it
    std::uint32_t row;
    int pressedAt;
    bool moved = false;
    std::uint32_t target = trace::kNone;
    bool behind = false;
  };
  std::optional<Drag> drag_;
};

}  // namespace lanescope::views
