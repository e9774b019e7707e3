// SPDX-License-Identifier: GPL-3.0-or-later
// A call tree as a flame graph, all at the top: a click makes a node as wide as the widget, Esc or the node above goes
// back, a double click asks for its longest range. Arrows move, Enter makes wide; a menu copies names and stacks. What is
// looked for keeps its colour, all else steps back. What is painted is what is hit. GUI
// thread only.
#pragma once

#include <QAbstractScrollArea>

#include "views/panels/flame_layout.h"
#include "views/tables/call_table.h"

namespace lanescope::views {

class FlameGraph : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit FlameGraph(QWidget* parent = nullptr);

  /// A node of another tree stays wide, and current, if its path of names is there.
  void setTree(CallTreePtr tree, trace::TracePtr trace, Palette palette);  ///< null: nothing
  const std::vector<FlameBox>& boxes() const { return boxes_; }
  QRect rectOf(const FlameBox& box) const;  ///< in the viewport

  std::uint32_t root() const { return root_; }  ///< what fills the width
  void zoomTo(std::uint32_t node);
  std::uint32_t current() const { return current_; }  ///< 0: all
  void setCurrent(std::uint32_t node);
  void setFound(std::vector<Found> found);  ///< of nodesWith(); until another tree comes
  QString textAt(QPoint point) const;  ///< what hovering says; empty if nothing is there

 signals:
  void currentChanged(std::uint32_t node);
  void longestWanted(std::uint32_t node);
  void left();  ///< Esc where nothing is wide

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void arrange();
  int lineHeight() const;
  const FlameBox* hit(QPoint point) const;
  bool stepsBack(const FlameBox& box) const;
  void paintBox(QPainter& painter, const FlameBox& box) const;
  void moveTo(std::uint32_t node);
  bool moveBy(int key);
  void scrollTo(std::uint32_t node);

  CallTreePtr tree_;
  trace::TracePtr trace_;
  Palette palette_;
  std::uint32_t root_ = 0, current_ = 0;
  std::vector<Found> found_;
  std::vector<FlameBox> boxes_;
};

/// The node of `to` with the same path of names as a node of `from`, or as much of it as is there.
std::uint32_t sameNode(const analysis::CallTree& from, std::uint32_t node, const analysis::CallTree& to);

}  // namespace lanescope::views
