// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/headers.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "model/analysis/selection.h"
#include "views/text.h"
#include "views/theme.h"
#include "views/timeline/arrange.h"
#include "views/timeline/filtering.h"

namespace lanescope::views {
namespace {

constexpr int kIndent = 14, kFirstLabel = 26, kArrow = 14, kPad = 8;
constexpr int kEdgeReach = 3;
constexpr int kRestMs = 60;
constexpr std::size_t kLongestLabel = 400;  // bytes; more never fits

int labelX(const RowBox& box) { return kFirstLabel + kIndent * box.depth; }

bool isStrong(const trace::Row& row) {
  using trace::RowKind;
  switch (row.kind) {
    case RowKind::kReport:
    case RowKind::kProcess:
    case RowKind::kGpu:
    case RowKind::kThreads:
    case RowKind::kThread:
    case RowKind::kCpu:
    case RowKind::kGpuMetrics:
    case RowKind::kCounters:
      return true;
    default:
      return false;
  }
}

void paintArrow(QPainter& painter, QPointF centre, bool open, const QColor& colour) {
  QPainterPath path;
  if (open) {
    path.moveTo(-3.5, -2);
    path.lineTo(3.5, -2);
    path.lineTo(0, 2.5);
  } else {
    path.moveTo(-2, -3.5);
    path.lineTo(2.5, 0);
    path.lineTo(-2, 3.5);
  }
  path.closeSubpath();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(centre);
  painter.fillPath(path, colour);
  painter.restore();
}

/// Down and to the right: what you look for is inside.
void paintSign(QPainter& painter, const QRect& box, const QColor& colour) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  const QPointF tip(box.right() - 1.5, box.bottom() - 1.5);
  painter.drawLine(QPointF(box.left() + 1.5, box.top() + 1.5), tip);
  painter.drawPolyline(QPolygonF{tip - QPointF(5, 0), tip, tip - QPointF(0, 5)});
  painter.restore();
}

}  // namespace

Headers::Headers(ViewState& state, QWidget* parent) : QWidget(parent), state_(state) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setFocusPolicy(Qt::NoFocus);
  setMouseTracking(true);
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this, [this] {
    if (state_.counted()) forgetFigures(true), askFiltered();
    else forgetFigures();
    update();
  });
  connect(&asking_, &QTimer::timeout, this, &Headers::askFiltered);
  asking_.setSingleShot(true);
  connect(&state, &ViewState::visibleChanged, this, [this] {
    // Busy shares follow at once; figures of counters stay until the view rests.
    // … nor do those that come from another thread.
    if (!state_.counted())
      std::erase_if(figures_, [this](const auto& entry) { return state_.trace()->rows[entry.first].counters.empty(); });
    rest_.start();
    update();
  });
  connect(&state, &ViewState::traceChanged, this, [this] {
    resize_.reset();  // rows are numbered anew
    drag_.reset();
    forgetFigures();
    relayout();
  });
  connect(&state, &ViewState::rowsChanged, this, &Headers::relayout);
  connect(&state, &ViewState::passingChanged, this, &Headers::relayout);
  connect(&state, &ViewState::countedChanged, this, [this] {
    forgetFigures();
    update();
  });
  connect(&state, &ViewState::currentRowChanged, this, qOverload<>(&QWidget::update));
  connect(&state, &ViewState::selectedRowsChanged, this, qOverload<>(&QWidget::update));
  connect(&Theme::instance(), &Theme::changed, this, &Headers::relayout);
  relayout();
}

void Headers::relayout() {
  layout_ = state_.layout();
  update();
}

void Headers::forgetFigures(bool ofCountersOnly) {
  std::erase_if(figures_, [&](const auto& entry) {
    return !ofCountersOnly || !state_.trace()->rows[entry.first].counters.empty();
  });
  cursorFigures_.clear();
}

void Headers::askFiltered() {
  std::vector<std::uint32_t> rows;
  for (const auto& boxes : layout_->seen(window()))
    for (const RowBox& box : boxes)
      if (row(box).busy) rows.push_back(box.row);
  filteredJob_.start(
      [trace = state_.trace(), passing = state_.counted(), range = state_.visibleRecorded(), rows](const Job& job) {
        std::vector<analysis::RowFigures> figures;
        for (const std::uint32_t row : rows)
          if (!job.cancelled()) figures.push_back(analysis::rowFigures(*trace, row, range, job, passing.get()));
        return std::pair(range, std::move(figures));
      },
      [this, trace = state_.trace(), passing = state_.counted()](const auto& answer) {
        if (trace != state_.trace() || passing != state_.counted() || answer.first != state_.visibleRecorded()) return;
        for (const analysis::RowFigures& each : answer.second)
          figures_.insert_or_assign(each.row, filteredBusyFigure(each.busy, answer.first));
        update();
      });
}

void Headers::setScrollY(int y) {
  if (scrollY_ == y) return;
  scrollY_ = y;
  update();
}

void Headers::setCursorTime(std::optional<trace::Ns> time) {
  if (cursor_ == time) return;
  cursor_ = time;
  cursorFigures_.clear();
  for (const auto& boxes : layout_->seen(window()))
    for (const RowBox& box : boxes)
      if (box.curve) update(0, topOf(box), width(), box.height);
}

void Headers::setHidingRows(const std::vector<std::uint32_t>& rows) {
  hiding_ = rows;
  update();
}

bool Headers::isHiding(std::uint32_t row) const { return std::binary_search(hiding_.begin(), hiding_.end(), row); }

QRect Headers::signOf(const RowBox& box) const { return {2, topOf(box) + box.height / 2 - 5, 10, 10}; }

const RowFigure& Headers::figure(std::uint32_t index) {
  const trace::Trace& trace = *state_.trace();
  const trace::Row& row = trace.rows[index];
  const bool atCursor = cursor_ && !row.counters.empty();
  auto& cache = atCursor ? cursorFigures_ : figures_;
  const auto found = cache.find(index);
  if (found != cache.end()) return found->second;
  if (state_.counted() && row.busy) {
    asking_.start(0);
    return cache.insert_or_assign(index, RowFigure{QStringLiteral("…"), tr("Busy share being figured")}).first->second;
  }
  ++figuresComputed_;
  const RowFigure figure = row.counters.empty()
                               ? busyFigure(row, state_.visibleRecorded())
                               : counterFigure(trace, row.counters.front(), state_.visibleRecorded(), cursor_);
  return cache.insert_or_assign(index, figure).first->second;
}

void Headers::paintEvent(QPaintEvent* event) {
  const ThemeColours& c = Theme::colours();
  QPainter painter(this);
  painter.fillRect(event->rect(), c.chrome);
  const auto paint = [&](std::span<const RowBox> boxes) {
    for (const RowBox& box : boxes)
      if (event->rect().intersects(QRect(0, topOf(box), width(), box.height)))
        paintRow(painter, box, ((&box - layout_->boxes().data()) & 1) != 0);
  };
  const auto [still, moving] = layout_->seen(window());
  paint(moving);
  if (!still.empty()) {
    painter.fillRect(0, 0, width(), window().still, c.chrome);
    paint(still);
    painter.fillRect(0, window().still - 1, width(), 1, c.textFaint);
  }
  paintDrop(painter);
}

void Headers::paintRow(QPainter& painter, const RowBox& box, bool alternate) {
  const ThemeColours& c = Theme::colours();
  const trace::Row& row = this->row(box);
  const QRect area(0, topOf(box), width(), box.height);
  if (alternate) painter.fillRect(area, c.panel);
  if (box.row == state_.currentRow()) {
    painter.fillRect(area, c.rowHighlight);
    painter.fillRect(area.left(), area.top(), 2, area.height(), c.accent);
  }
  if (state_.isSelected(box.row)) {
    painter.fillRect(area, c.selectionFill);
    painter.fillRect(area.right() - 2, area.top(), 3, area.height(), c.accent);
  }
  if (isHiding(box.row)) paintSign(painter, signOf(box), c.accent);
  painter.fillRect(area.left(), area.bottom(), area.width(), 1, c.hairline);

  const int left = labelX(box);
  const QRectF text = QRectF(area).adjusted(left, 0, -kPad, -1);
  if (!row.children.empty())
    paintArrow(painter, {left - kArrow + 4.0, text.center().y()}, state_.isExpanded(box.row), c.textDim);

  const QString& figureText = figure(box.row).text;
  painter.setFont(Theme::figures(-1));
  const int figureWidth = figureText.isEmpty() ? 0 : painter.fontMetrics().horizontalAdvance(figureText) + 12;
  const bool figureFits = text.width() - figureWidth > 40;
  if (figureFits) {
    painter.setPen(c.textDim);
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, figureText);
  }
  const bool strong = isStrong(row);
  painter.setFont(Theme::font(0, strong));
  painter.setPen(c.text);
  const qreal room = text.width() - (figureFits ? figureWidth : 0);
  painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, labelOf(painter, box, static_cast<int>(room)));
}

/// A pinned row says where it comes from, as far as there is room.
QString Headers::labelOf(QPainter& painter, const RowBox& box, int room) const {
  const QFontMetrics metrics = painter.fontMetrics();
  const QString label = toQt(row(box).label, kLongestLabel);
  const std::string above = box.pinned ? pathAbove(*state_.trace(), box.row) : std::string();
  if (above.empty()) return metrics.elidedText(label, Qt::ElideRight, room);
  const QString path = toQt(above) + QStringLiteral(" › ");
  const int left = room - metrics.horizontalAdvance(label);
  if (left < metrics.horizontalAdvance(QStringLiteral("…abc"))) return metrics.elidedText(label, Qt::ElideRight, room);
  return metrics.elidedText(path, Qt::ElideLeft, left) + label;
}

const RowBox* Headers::boxAt(int y) const {
  const int index = layout_->boxAt(window().toRows(y));
  return index < 0 ? nullptr : &layout_->boxes()[static_cast<std::size_t>(index)];
}

const RowBox* Headers::bottomEdgeAt(int y) const {
  const RowBox* box = boxAt(y - kEdgeReach);
  if (!box) return nullptr;
  const int edge = topOf(*box) + box->height;
  return !box->heading && std::abs(edge - y) <= kEdgeReach ? box : nullptr;
}

QString Headers::toolTipOf(const RowBox& box) {
  const trace::Row& row = this->row(box);
  QString tip = toQt(row.label, kLongestLabel).toHtmlEscaped();
  if (row.label.size() > kLongestLabel) tip += QStringLiteral("…");
  if (box.pinned && row.parent != trace::kNone)
    tip += QStringLiteral("<br>") + toQt(pathAbove(*state_.trace(), box.row)).toHtmlEscaped();
  const RowFigure& shown = figure(box.row);
  if (!shown.text.isEmpty()) tip += QStringLiteral("<br>%1: %2").arg(shown.meaning, shown.text);
  if (row.counters.size() > 1)
    for (const std::uint32_t index : row.counters) {
      const trace::Counter& counter = *state_.trace()->counters[index];
      const RowFigure each = counterFigure(*state_.trace(), index, state_.visibleRecorded(), cursor_);
      tip += QStringLiteral("<br>%1: %2").arg(QString::fromStdString(counter.name()).toHtmlEscaped(), each.text);
    }
  return QStringLiteral("<qt>%1</qt>").arg(tip);
}

bool Headers::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const RowBox* box = boxAt(help->pos().y());
  if (box) QToolTip::showText(help->globalPos(), toolTipOf(*box), this, QRect(0, topOf(*box), width(), box->height));
  else QToolTip::hideText();
  return true;
}

void Headers::toggle(std::uint32_t row, bool allBelow) {
  const bool open = !state_.isExpanded(row);
  if (allBelow) return state_.setExpandedBelow(row, open);
  state_.setExpanded(row, open);
}

void Headers::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  const QPoint at = event->position().toPoint();
  if (const RowBox* edge = bottomEdgeAt(at.y())) {
    resize_ = Resize{edge->row, at.y(), edge->height, state_.rowScale(edge->row)};
    return;
  }
  const RowBox* box = boxAt(at.y());
  if (!box) return;
  emit rowPressed();
  const std::uint32_t pressed = box->row;
  if (isHiding(pressed) && signOf(*box).adjusted(-2, -4, 2, 4).contains(at)) return showRowsBelow(state_, pressed);
  const bool onArrow = !row(*box).children.empty() && at.x() < labelX(*box);
  if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) return select(pressed, event->modifiers());
  state_.setCurrentRow(pressed);
  if (onArrow || (event->modifiers() & Qt::AltModifier)) toggle(pressed, event->modifiers() & Qt::AltModifier);
  else drag_ = Drag{pressed, at.y()};
}

void Headers::dragTo(QPoint at) {
  if (!drag_->moved && std::abs(at.y() - drag_->pressedAt) < QApplication::startDragDistance()) return;
  drag_->moved = true;
  drag_->target = trace::kNone;
  const RowBox* box = rect().contains(at) ? boxAt(at.y()) : nullptr;
  std::uint32_t target = box ? box->row : trace::kNone;
  while (target != trace::kNone && !areBeside(state_, drag_->row, target)) target = row(target).parent;
  if (target != trace::kNone && target != drag_->row) {
    drag_->target = target;
    drag_->behind = box->row != target || at.y() >= topOf(*box) + box->height / 2;
  }
  update();
}

/// The line where the dragged row would go.
void Headers::paintDrop(QPainter& painter) {
  if (!drag_ || drag_->target == trace::kNone) return;
  const auto boxes = layout_->boxes();
  auto at = static_cast<std::size_t>(layout_->boxOf(drag_->target));
  const int left = labelX(boxes[at]) - kArrow;
  int y = topOf(boxes[at]);
  if (drag_->behind) {
    const int depth = boxes[at].depth;
    while (at + 1 < boxes.size() && boxes[at + 1].depth > depth) ++at;
    y = topOf(boxes[at]) + boxes[at].height;
  }
  painter.fillRect(left, y - 1, width() - left, 2, Theme::colours().accent);
}

/// Ctrl adds or takes back a row; Shift takes all from the current row to this one.
void Headers::select(std::uint32_t row, Qt::KeyboardModifiers modifiers) {
  if (modifiers & Qt::ControlModifier) {
    state_.setCurrentRow(row);
    return state_.toggleSelectedRow(row);
  }
  const auto [first, last] = std::minmax({std::max(layout_->boxOf(state_.currentRow()), 0), layout_->boxOf(row)});
  std::vector<std::uint32_t> rows;
  for (int i = first; i <= last; ++i) rows.push_back(layout_->boxes()[static_cast<std::size_t>(i)].row);
  state_.setSelectedRows(std::move(rows));
}

void Headers::contextMenuEvent(QContextMenuEvent* event) {
  const RowBox* box = boxAt(event->pos().y());
  if (!box) return;
  const std::uint32_t row = box->row;
  QMenu menu(this);
  menu.addAction(tr("Select this row only"), this, [this, row] { state_.setSelectedRows({row}); });
  menu.addAction(state_.isSelected(row) ? tr("Leave this row out of the selection") : tr("Select this row too"), this,
                 [this, row] { state_.toggleSelectedRow(row); });
  menu.addAction(tr("Clear the selection of rows"), this, [this] { state_.setSelectedRows({}); })
      ->setEnabled(!state_.selectedRows().empty());
  if (!state_.trace()->rows[row].children.empty()) {
    menu.addSeparator();
    menu.addAction(tr("Expand all below"), this, [this, row] { state_.setExpandedBelow(row, true); });
    menu.addAction(tr("Collapse all below"), this, [this, row] { state_.setExpandedBelow(row, false); });
  }
  addArranging(menu, row);
  menu.addSeparator();
  Filtering::of(state_).addMenu(menu, std::nullopt, row);
  menu.exec(event->globalPos());
}

void Headers::addArranging(QMenu& menu, std::uint32_t row) {
  menu.addSeparator();
  const bool pinned = state_.arrangement().isPinned(this->row(row));
  menu.addAction(pinned ? tr("Unpin") : tr("Pin to the top"), this, [this, row] { togglePin(state_, row); });
  menu.addAction(tr("Hide"), this, [this, row] { hideRow(state_, row); });
  menu.addAction(tr("Move up"), this, [this, row] { moveRow(state_, row, -1); });
  menu.addAction(tr("Move down"), this, [this, row] { moveRow(state_, row, 1); });
  menu.addSeparator();
  menu.addAction(tr("Copy the name"), this,
                 [this, row] { QGuiApplication::clipboard()->setText(toQt(this->row(row).label)); });
}

void Headers::mouseMoveEvent(QMouseEvent* event) {
  if (drag_ && (event->buttons() & Qt::LeftButton)) return dragTo(event->position().toPoint());
  const int y = event->position().toPoint().y();
  if (resize_) {
    const int height = resize_->height + y - resize_->pressedAt;
    state_.setRowScale(resize_->row, resize_->scale * height / resize_->height);
    return;
  }
  const RowBox* box = boxAt(y);
  if (box && isHiding(box->row) && signOf(*box).adjusted(-2, -4, 2, 4).contains(event->position().toPoint()))
    setCursor(Qt::PointingHandCursor);
  else if (bottomEdgeAt(y)) setCursor(Qt::SizeVerCursor);
  else unsetCursor();
}

void Headers::mouseReleaseEvent(QMouseEvent*) {
  resize_.reset();
  const std::optional<Drag> drag = std::exchange(drag_, std::nullopt);
  if (drag && drag->target != trace::kNone) moveRowTo(state_, drag->row, drag->target, drag->behind);
  update();
}

void Headers::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  const QPoint at = event->position().toPoint();
  if (const RowBox* edge = bottomEdgeAt(at.y())) return state_.setRowScale(edge->row, 1);
  const RowBox* box = boxAt(at.y());
  if (!box || row(*box).children.empty()) return;
  // The second press of two on the arrow is a second toggle; anywhere else on the row it is the first.
  toggle(box->row, event->modifiers() & Qt::AltModifier);
}

void Headers::wheelEvent(QWheelEvent* event) {
  // While Alt is held Qt turns the wheel sideways.
  const QPoint pixels = event->pixelDelta(), angle = event->angleDelta();
  const int delta = !pixels.isNull() ? pixels.y() : (angle.y() ? angle.y() : angle.x()) * 3 / 5;
  emit scrolled(-delta);
  event->accept();
}

}  // namespace lanescope::views
