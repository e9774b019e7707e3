// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/flame_graph.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "model/utf8.h"
#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

using analysis::CallNode;
using analysis::CallTree;

constexpr int kPadding = 4;  // left and right of a label
constexpr int kNarrowestLabel = 40;
constexpr std::size_t kMostDrawn = 400;  // bytes of a name

}  // namespace

std::uint32_t sameNode(const CallTree& from, std::uint32_t node, const CallTree& to) {
  std::vector<std::uint32_t> path;
  for (; node != 0; node = from.nodes[node].parent) path.push_back(node);
  std::uint32_t found = 0;
  for (auto each = path.rbegin(); each != path.rend(); ++each) {
    const CallNode& around = to.nodes[found];
    std::uint32_t child = around.firstChild;
    const std::uint32_t end = around.firstChild + around.children;
    while (child < end && to.nameOf(child) != from.nameOf(*each)) ++child;
    if (child == end) break;
    found = child;
  }
  return found;
}

FlameGraph::FlameGraph(QWidget* parent) : QAbstractScrollArea(parent) {
  setObjectName("flameGraph");
  setAccessibleName(tr("Flame graph"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
  connect(&Theme::instance(), &Theme::changed, this, &FlameGraph::arrange);
}

void FlameGraph::setTree(CallTreePtr tree, trace::TracePtr trace, Palette palette) {
  const bool both = tree_ && tree;
  root_ = both ? sameNode(*tree_, root_, *tree) : 0;
  current_ = both ? sameNode(*tree_, current_, *tree) : 0;
  tree_ = std::move(tree);
  trace_ = std::move(trace);
  palette_ = std::move(palette);
  found_.clear();
  arrange();
}

void FlameGraph::setFound(std::vector<Found> found) {
  found_ = std::move(found);
  viewport()->update();
}

bool FlameGraph::stepsBack(const FlameBox& box) const {
  if (found_.empty() || box.node + box.merged > found_.size()) return false;
  const auto first = found_.begin() + box.node;
  // Of several in one box it may be below any.
  const Found least = box.merged > 1 ? Found::kBelow : Found::kHere;
  return std::none_of(first, first + box.merged, [least](Found each) { return each >= least; });
}

int FlameGraph::lineHeight() const { return QFontMetrics(Theme::font()).height() + 4; }

void FlameGraph::arrange() {
  const bool any = tree_ && !tree_->empty();
  boxes_ = any ? flameBoxes(*tree_, root_, viewport()->width()) : std::vector<FlameBox>();
  const int height = boxes_.empty() ? 0 : (boxes_.back().level + 1) * lineHeight();
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(lineHeight());
  verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
  viewport()->update();
}

QRect FlameGraph::rectOf(const FlameBox& box) const {
  return {box.left, box.level * lineHeight() - verticalScrollBar()->value(), box.width, lineHeight()};
}

const FlameBox* FlameGraph::hit(QPoint point) const {
  return boxAt(boxes_, point.x(), (point.y() + verticalScrollBar()->value()) / lineHeight());
}

QString FlameGraph::textAt(QPoint point) const {
  const FlameBox* box = hit(point);
  if (!box) return {};
  if (box->merged == 1) return callSummary(*tree_, box->node);
  std::int64_t total = 0;
  for (std::uint32_t i = 0; i < box->merged; ++i) total += tree_->nodes[box->node + i].total;
  return tr("%1 that are too narrow to show: total %2 (%3)")
      .arg(numberText(box->merged), callAmount(*tree_, total), toQt(formatShare(total, tree_->nodes[0].total)));
}

void FlameGraph::zoomTo(std::uint32_t node) {
  root_ = node;
  arrange();
  moveTo(node);
}

void FlameGraph::setCurrent(std::uint32_t node) {
  if (node == current_ || !tree_ || node >= tree_->nodes.size()) return;
  current_ = node;
  setAccessibleDescription(node == 0 ? QString() : callSummary(*tree_, node));
  viewport()->update();
}

void FlameGraph::moveTo(std::uint32_t node) {
  if (node != current_) {
    setCurrent(node);
    emit currentChanged(node);
  }
  scrollTo(node);
}

void FlameGraph::scrollTo(std::uint32_t node) {
  const auto box = std::ranges::find(boxes_, node, &FlameBox::node);
  if (box == boxes_.end()) return;
  const int top = box->level * lineHeight();
  QScrollBar& bar = *verticalScrollBar();
  bar.setValue(std::clamp(bar.value(), top + lineHeight() - viewport()->height(), top));
}

void FlameGraph::paintBox(QPainter& painter, const FlameBox& box) const {
  const QRect rect = rectOf(box);
  if (!rect.intersects(viewport()->rect())) return;
  const ThemeColours& colours = Theme::colours();
  // A gap to the neighbours, while there is room for it.
  const QRect filled = rect.adjusted(0, 0, rect.width() > 2 ? -1 : 0, -1);
  const bool around = box.width == viewport()->width() && box.node != root_ && box.level < boxes_.back().level &&
                      std::ranges::find(boxes_, root_, &FlameBox::node)->level > box.level;
  QRgb colour = box.merged > 1 ? colours.textFaint.rgb() : callColour(*tree_, box.node, *trace_, palette_);
  if (around || box.node == 0) colour = colours.chip.rgb();
  const bool back = stepsBack(box);
  if (back && box.node != 0) colour = palette_.dimmed(colour);
  painter.fillRect(filled, QColor(colour));
  if (box.node == current_ && current_ != 0 && box.merged == 1) {
    painter.setPen(QPen(hasFocus() ? colours.accent : colours.text, 2));
    painter.drawRect(QRectF(filled).adjusted(1, 1, -1, -1));
  }
  if (box.merged > 1 || rect.width() < kNarrowestLabel) return;
  const QFontMetrics metrics(Theme::font());
  const QRect inside = filled.adjusted(kPadding, 0, -kPadding, 0);
  const QString name = toQt(shownText(tree_->nameOf(box.node).substr(0, kMostDrawn), kMostDrawn));
  painter.setPen(back ? colours.textDim : around || box.node == 0 ? colours.text : QColor(palette_.textOn(colour)));
  painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   metrics.elidedText(name, Qt::ElideRight, inside.width()));
}

void FlameGraph::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), Theme::colours().canvas);
  painter.setFont(Theme::font());
  for (const FlameBox& box : boxes_) paintBox(painter, box);
}

void FlameGraph::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  arrange();
}

void FlameGraph::mousePressEvent(QMouseEvent* event) {
  const FlameBox* box = event->button() == Qt::LeftButton ? hit(event->position().toPoint()) : nullptr;
  if (!box) return QAbstractScrollArea::mousePressEvent(event);
  // Several too narrow to show: what is around them becomes wide, then the largest of them.
  const std::uint32_t around = tree_->nodes[box->node].parent;
  zoomTo(box->merged == 1 || around == root_ ? box->node : around);
}

void FlameGraph::mouseDoubleClickEvent(QMouseEvent* event) {
  const FlameBox* box = event->button() == Qt::LeftButton ? hit(event->position().toPoint()) : nullptr;
  if (box && box->merged == 1) emit longestWanted(box->node);
}

bool FlameGraph::moveBy(int key) {
  const CallNode& at = tree_->nodes[current_];
  switch (key) {
    case Qt::Key_Up:
      if (current_ == 0) return true;
      if (current_ == root_) zoomTo(at.parent);
      else moveTo(at.parent);
      return true;
    case Qt::Key_Down:
      if (at.children > 0 && tree_->nodes[at.firstChild].total > 0) moveTo(at.firstChild);
      return true;
    case Qt::Key_Left:
    case Qt::Key_Right: {
      if (current_ == root_ || current_ == 0) return true;
      const std::uint32_t next = key == Qt::Key_Left ? current_ - 1 : current_ + 1;
      const CallNode& around = tree_->nodes[at.parent];
      if (next >= around.firstChild && next < around.firstChild + around.children) moveTo(next);
      return true;
    }
    default:
      return false;
  }
}

void FlameGraph::keyPressEvent(QKeyEvent* event) {
  if (!tree_ || tree_->empty()) {
    if (event->key() == Qt::Key_Escape) emit left();
    return;
  }
  if (moveBy(event->key())) return;
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (event->modifiers() & Qt::ControlModifier) emit longestWanted(current_);
      else zoomTo(current_);
      return;
    case Qt::Key_Escape:
      if (root_ == 0) emit left();
      else zoomTo(tree_->nodes[root_].parent);
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

void FlameGraph::contextMenuEvent(QContextMenuEvent* event) {
  if (!tree_ || tree_->empty()) return;
  const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
  const FlameBox* box = byMouse ? hit(event->pos()) : nullptr;
  const std::uint32_t node = !byMouse ? current_ : box && box->merged == 1 ? box->node : 0;
  auto* menu = new QMenu(this);
  menu->setObjectName("flameMenu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto name = [tree = tree_](std::uint32_t of) {
    const std::string_view text = tree->nameOf(of);
    return toQt(shownText(text, text.size()));
  };
  QAction* copyName =
      menu->addAction(tr("Copy name"), this, [name, node] { QApplication::clipboard()->setText(name(node)); });
  QAction* copyStack = menu->addAction(tr("Copy stack"), this, [name, node, tree = tree_] {
    QStringList lines;  // innermost first, as Details has it
    for (std::uint32_t at = node; at != 0; at = tree->nodes[at].parent) lines += name(at);
    QApplication::clipboard()->setText(lines.join('\n'));
  });
  menu->addSeparator();
  QAction* zoom = menu->addAction(tr("Make it as wide as the graph"), this, [this, node, tree = tree_] {
    if (tree == tree_) zoomTo(node);
  });
  for (QAction* each : {copyName, copyStack, zoom}) each->setEnabled(node != 0);
  menu->addAction(tr("Show all"), this, [this] { zoomTo(0); })->setEnabled(root_ != 0);
  menu->popup(byMouse ? event->globalPos() : viewport()->mapToGlobal(QPoint()));
}

bool FlameGraph::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const FlameBox* box = hit(help->pos());
  if (box) QToolTip::showText(help->globalPos(), callTip(textAt(help->pos())), viewport(), rectOf(*box));
  else QToolTip::hideText();
  return true;
}

}  // namespace lanescope::views
