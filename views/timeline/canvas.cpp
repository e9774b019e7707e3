// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/canvas.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "views/text.h"
#include "views/timeline/empty_text.h"
#include "views/timeline/filtering.h"
#include "views/timeline/found.h"
#include "views/timeline/overlay.h"

namespace lanescope::views {
namespace {

constexpr int kRest = 250;  // ms until the tooltip

QString lengthText(trace::Ns ns) { return QString::fromStdString(formatDuration(ns, 3)); }

}  // namespace

TimelineCanvas::TimelineCanvas(ViewState& state, QWidget* parent)
    : QWidget(parent), state_(state), gestures_(state, *this), palette_(Theme::palette()), tip_(this) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  rest_.setSingleShot(true);
  rest_.setInterval(kRest);
  connect(&rest_, &QTimer::timeout, this, &TimelineCanvas::showTip);

  connect(&state_, &ViewState::traceChanged, this, [this] {
    learnColours();
    hovered_.reset();  // until relayout() is done it may point past the end
    echoed_.reset();
    rowsOfLanes_ = RowsOfLanes(*state_.trace());
    follow();
    const std::string key = topKey_;
    const int top = topOffset_;
    relayout();
    keepInPlace(key, top);
    if (pointer_) hover(pointer_);
  });
  connect(&state_, &ViewState::rowRevealed, this, &TimelineCanvas::revealRow);
  connect(&state_, &ViewState::rowsChanged, this, &TimelineCanvas::relayout);
  connect(&state_, &ViewState::passingChanged, this, [this] {
    hovered_.reset();
    follow();
    relayout();
  });
  connect(&state_, &ViewState::visibleChanged, this, &TimelineCanvas::repaintAll);
  connect(&state_, &ViewState::selectionChanged, this, qOverload<>(&QWidget::update));
  connect(&state_, &ViewState::guideChanged, this, qOverload<>(&QWidget::update));
  connect(&state_, &ViewState::changesChanged, this, [this] {
    learnColours();
    repaintAll();
  });
  connect(&state_, &ViewState::measureChanged, this, qOverload<>(&QWidget::update));
  connect(&state_.marks(), &Marks::changed, this, qOverload<>(&QWidget::update));
  connect(&state_, &ViewState::hitsChanged, this, [this] {
    foundFrame_ = -1;
    update();
  });
  connect(&state_, &ViewState::selectedRowsChanged, this, qOverload<>(&QWidget::update));
  connect(&state_, &ViewState::currentChanged, this, &TimelineCanvas::follow);
  connect(&state_, &ViewState::chosenNameChanged, this, [this] {
    palette_.choose(state_.chosenName());
    repaintAll();
  });
  connect(&state_, &ViewState::currentRowChanged, this, qOverload<>(&QWidget::update));
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    palette_ = Theme::palette();
    learnColours();
    relayout();  // text may have another size
  });
  learnColours();
  rowsOfLanes_ = RowsOfLanes(*state_.trace());
  relayout();
}

void TimelineCanvas::learnColours() {
  palette_.learn(*state_.trace());
  palette_.choose(state_.chosenName());
  palette_.setChanges(state_.changes());
}

void TimelineCanvas::follow() {
  related_.reset();
  if (const auto current = state_.current()) related_.emplace(state_.trace(), *current);
  relationsFrame_ = -1;
  update();
}

// --- geometry ------------------------------------------------------------------------------------------------------

int TimelineCanvas::maximumScroll() const { return std::max(0, layout_->height() - height()); }

void TimelineCanvas::setScroll(int y) {
  y = std::clamp(y, 0, maximumScroll());
  if (y == scroll_) return;
  scroll_ = y;
  noteTopRow();
  repaintAll();
  emit scrollChanged(y);
}

void TimelineCanvas::revealRow(std::uint32_t row) {
  const int index = layout_->boxOf(row);
  if (index < 0) return;
  const RowBox& box = layout_->boxes()[static_cast<std::size_t>(index)];
  const int still = window().still;
  if (box.y < still) return;
  if (box.y < scroll_ + still) setScroll(box.y - still);
  else if (box.y + box.height > scroll_ + height()) setScroll(box.y + box.height - height());
}

// Positions are 1/256 of a pixel here: finer than any pointer, and times stay integers.
trace::Ns TimelineCanvas::timeOf(qreal pixels) const {
  const auto fine = static_cast<Wide>(std::llround(pixels * 256));
  return static_cast<trace::Ns>(fine * state_.visible().length() / (std::int64_t{256} * std::max(width(), 1)));
}

trace::Ns TimelineCanvas::timeAt(qreal x) const { return state_.visible().begin + timeOf(x); }

std::uint32_t TimelineCanvas::rowAt(qreal y) const {
  const int index = layout_->boxAt(window().toRows(static_cast<int>(std::floor(y))));
  return index < 0 ? trace::kNone : layout_->boxes()[static_cast<std::size_t>(index)].row;
}

std::optional<Hit> TimelineCanvas::hit(QPointF point) { return hitAt(freshFrame(), state_, point); }

trace::Ns TimelineCanvas::snapped(QPointF point, int reach) {
  const trace::Ns time = timeAt(point.x());
  const Strip* strip = freshFrame().stripAt(static_cast<int>(std::floor(point.y() * frame_.ratio)));
  return strip == nullptr ? time : edgeNear(state_, *strip, time, timeOf(reach)).value_or(time);
}

/// Rows that come above what is seen must not push it away.
void TimelineCanvas::keepInPlace(const std::string& key, int top) {
  const std::uint32_t row = scroll_ > 0 ? state_.rowWithKey(key) : trace::kNone;
  if (const int index = row == trace::kNone ? -1 : layout_->boxOf(row); index >= 0)
    setScroll(layout_->boxes()[static_cast<std::size_t>(index)].y - top);
}

void TimelineCanvas::noteTopRow() {
  const auto moving = layout_->seen(window())[1];
  topKey_ = moving.empty() ? std::string() : state_.trace()->rows[moving.front().row].key;
  topOffset_ = moving.empty() ? 0 : window().toView(moving.front().y);
}

void TimelineCanvas::relayout() {
  layout_ = state_.layout();
  const int y = std::clamp(scroll_, 0, maximumScroll());
  if (y != scroll_) {
    scroll_ = y;
    emit scrollChanged(y);
  }
  noteTopRow();
  repaintAll();
  emit layoutChanged();
}

// --- painting ------------------------------------------------------------------------------------------------------

void TimelineCanvas::repaintAll() {
  stale_ = true;
  tip_.hide();
  update();
}

const Frame& TimelineCanvas::freshFrame() {
  if (stale_ || paintedSize_ != size() || frame_.ratio != devicePixelRatioF()) {
    painter_.render(state_, *layout_, size(), devicePixelRatioF(), scroll_, Theme::colours(), palette_, frame_);
    stale_ = false;
    paintedSize_ = size();
    ++framesPainted_;
  }
  return frame_;
}

/// Why there is nothing to see; empty where there is something.
QString TimelineCanvas::wordsForNothing() const {
  if (QString words = emptyText(*state_.trace()); !words.isEmpty()) return words;
  return layout_->boxes().empty() && state_.passing() ? tr("Nothing passes the filter") : QString();
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
  freshFrame();
  QPainter painter(this);
  painter.drawImage(QPointF(0, 0), frame_.image);
  if (const int index = layout_->boxOf(state_.currentRow()); index >= 0) {
    const RowBox& box = layout_->boxes()[static_cast<std::size_t>(index)];
    const int y = window().toView(box.y), top = std::max(y, window().topFor(box));
    painter.fillRect(0, top, width(), y + box.height - top, Theme::colours().rowHighlight);
  }
  if (const int still = window().still) painter.fillRect(0, still - 1, width(), 1, Theme::colours().textFaint);
  if (const QString words = wordsForNothing(); !words.isEmpty()) {
    painter.setPen(Theme::colours().textDim);
    painter.setFont(Theme::font());
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, words);
  }
  if (foundFrame_ != framesPainted_) {
    found_ = state_.hits() ? foundBars(*state_.hits(), frame_, *state_.trace()) : std::vector<QRectF>();
    foundFrame_ = framesPainted_;
  }
  paintFound(painter, found_);
  paintSelection(painter, frame_, state_, *layout_);
  paintMarks(painter, frame_, state_.marks().all());
  if (state_.guide() && state_.visible().contains(*state_.guide()))
    painter.fillRect(Scale{state_.visible(), width()}.x(*state_.guide()), 0, 1, height(), Theme::colours().textFaint);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& pointed : {hovered_, echoed_})
    if (pointed && pointed != state_.current())
      for (const QRectF& bar : boxesOf(frame_, *state_.trace(), *pointed))
        paintOutline(painter, bar, QPen(Theme::colours().textDim, 1));
  relations();
  paintRelations(painter, relations_, pointer_ ? relations_.signAt(*pointer_) : nullptr);
  painter.setRenderHint(QPainter::Antialiasing, false);
  paintMeasure(painter, frame_, state_, *layout_);
}

const Relations& TimelineCanvas::relations() {
  freshFrame();
  if (relationsFrame_ == framesPainted_) return relations_;
  relationsFrame_ = framesPainted_;
  const std::vector<std::uint32_t> hiding = std::move(relations_.hiding);
  relations_ = related_ ? relationsOf(*related_, frame_, *state_.trace(), *layout_, rowsOfLanes_, state_.currentRow(),
                                      state_.dimsRest() ? nullptr : state_.passing().get())
                        : Relations();
  if (relations_.hiding != hiding) emit hidingRowsChanged(relations_.hiding);
  return relations_;
}

const EdgeSign* TimelineCanvas::signAt(QPointF point) { return relations().signAt(point); }

// --- events --------------------------------------------------------------------------------------------------------

bool TimelineCanvas::event(QEvent* event) {
  // Letters and arrows are gestures while the canvas has the focus, before any shortcut of the window.
  if (event->type() == QEvent::ShortcutOverride) {
    if (gestures_.knows(*static_cast<QKeyEvent*>(event))) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  setScroll(scroll_);
  update();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) { event->setAccepted(gestures_.wheel(*event)); }

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
  tip_.hide();
  rest_.stop();
  event->setAccepted(gestures_.press(*event));
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!gestures_.move(*event)) hover(event->position());
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) { event->setAccepted(gestures_.release(*event)); }

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) { event->setAccepted(gestures_.doubleClick(*event)); }

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
  if (!gestures_.key(*event)) QWidget::keyPressEvent(event);
}

void TimelineCanvas::leaveEvent(QEvent*) { hover(std::nullopt); }

/// Where the menu of a key belongs: to the current event, as far as it is seen, else to the current row.
QPointF TimelineCanvas::placeOfCurrent() {
  const QRectF all = rect();
  if (const auto current = state_.current())
    for (const QRectF& bar : boxesOf(freshFrame(), *state_.trace(), *current))
      if (bar.intersects(all)) return bar.intersected(all).center();
  const int index = layout_->boxOf(state_.currentRow());
  if (index < 0) return all.center();
  const RowBox& box = layout_->boxes()[static_cast<std::size_t>(index)];
  return {all.center().x(), std::clamp(window().toView(box.y) + box.height / 2.0, 0.0, all.bottom() - 1)};
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) {
  tip_.hide();
  rest_.stop();
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  const QPointF at = byKey ? placeOfCurrent() : QPointF(event->pos());
  const std::optional<Hit> hit = this->hit(at);
  const std::optional<trace::EventRef> under = byKey ? state_.current()
                                               : hit ? std::optional(hit->event)
                                                     : std::nullopt;
  const QString tip = tip_.textAt(freshFrame(), state_, at, timeAt(at.x())).plain();
  QMenu menu(this);
  menu.addAction(tr("Copy tooltip"), this, [tip] { QGuiApplication::clipboard()->setText(tip); })
      ->setEnabled(!tip.isEmpty());
  if (under) {
    const trace::EventRef event = *under;
    state_.setCurrent(event);
    if (const std::uint32_t row = rowAt(at.y()); row != trace::kNone && !byKey) state_.setCurrentRow(row);
    menu.addAction(tr("Zoom to it"), this, [this, time = state_.trace()->time(event)] { state_.zoomTo(time); });
    const trace::Trace& trace = *state_.trace();
    menu.addAction(tr("Find all of this name"), this,
                   [this, name = toQt((*trace.names)[trace.name(event)].text)] { emit findWanted(name); });
  }
  menu.addSeparator();
  Filtering::of(state_).addMenu(menu, under, byKey ? state_.currentRow() : rowAt(at.y()));
  menu.exec(byKey ? mapToGlobal(at.toPoint()) : event->globalPos());
}

void TimelineCanvas::hover(std::optional<QPointF> point) {
  pointer_ = point;
  const std::uint32_t row = point ? rowAt(point->y()) : trace::kNone;
  if (row != hoveredRow_) {
    hoveredRow_ = row;
    emit hoveredRowChanged(row);
  }
  const bool onSign = point && signAt(*point);
  const std::optional<Hit> under = point && !onSign ? hit(*point) : std::nullopt;
  const std::optional<trace::EventRef> event = under ? std::optional(under->event) : std::nullopt;
  if (event != hovered_) {
    hovered_ = event;
    update();
    emit hoveredChanged();
  }
  showCursor();
  if (!point) {
    rest_.stop();
    tip_.hide();
  } else if (tip_.isVisible()) {
    showTip();  // it follows the pointer from event to event
  } else {
    rest_.start();
  }
}

void TimelineCanvas::setEchoed(std::optional<trace::EventRef> event) {
  if (event == echoed_) return;
  echoed_ = event;
  update();
}

void TimelineCanvas::showCursor() {
  if (pointer_ && signAt(*pointer_)) setCursor(Qt::PointingHandCursor);
  else if (pointer_ && gestures_.otherEdge(pointer_->x())) setCursor(Qt::SizeHorCursor);
  else unsetCursor();
}

/// "cudaLaunchKernel, 3.2 ms earlier", of a partner out of sight.
QString TimelineCanvas::textOf(const EdgeSign& sign) const {
  const trace::Trace& trace = *state_.trace();
  const std::string_view label = (*trace.names)[trace.name(sign.event)].label;
  const trace::TimeRange time = trace.time(sign.event), visible = state_.visible();
  QString text = toQt(label, 200);
  if (sign.edge == Qt::LeftEdge) text += tr(", %1 before the view").arg(lengthText(visible.begin - time.end));
  if (sign.edge == Qt::RightEdge) text += tr(", %1 after the view").arg(lengthText(time.begin - visible.end));
  if (sign.count > 1) text += tr(" and %1 more").arg(sign.count - 1);
  return text + tr("\nClick to go there");
}

void TimelineCanvas::showTip() {
  if (!pointer_ || !rect().contains(pointer_->toPoint())) return tip_.hide();
  if (const EdgeSign* sign = signAt(*pointer_)) {
    tip_.hide();
    return QToolTip::showText(mapToGlobal(*pointer_).toPoint(), textOf(*sign), this, sign->box.toRect());
  }
  tip_.showFor(freshFrame(), state_, *pointer_, timeAt(pointer_->x()), mapToGlobal(*pointer_).toPoint());
}

}  // namespace lanescope::views
