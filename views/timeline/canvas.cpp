// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/canvas.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace lanescope::views {
namespace {

constexpr int kRest = 250;             // ms until the tooltip
constexpr std::size_t kPartners = 64;  // of a launch with more, the first are outlined

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
    palette_.learn(*state_.trace());
    hovered_.reset();  // until relayout() is done it may point past the end
    relayout();
    if (pointer_) hover(pointer_);
  });
  connect(&state_, &ViewState::rowRevealed, this, &TimelineCanvas::revealRow);
  connect(&state_, &ViewState::rowsChanged, this, &TimelineCanvas::relayout);
  connect(&state_, &ViewState::visibleChanged, this, &TimelineCanvas::repaintAll);
  connect(&state_, &ViewState::selectionChanged, this, qOverload<>(&QWidget::update));
  connect(&state_, &ViewState::currentChanged, this, qOverload<>(&QWidget::update));
  connect(&state_, &ViewState::currentRowChanged, this, qOverload<>(&QWidget::update));
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    palette_ = Theme::palette();
    palette_.learn(*state_.trace());
    repaintAll();
  });
  palette_.learn(*state_.trace());
  relayout();
}

// --- geometry ------------------------------------------------------------------------------------------------------

int TimelineCanvas::maximumScroll() const { return std::max(0, layout_.height() - height()); }

void TimelineCanvas::setScroll(int y) {
  y = std::clamp(y, 0, maximumScroll());
  if (y == scroll_) return;
  scroll_ = y;
  repaintAll();
  emit scrollChanged(y);
}

void TimelineCanvas::revealRow(std::uint32_t row) {
  const int index = layout_.boxOf(row);
  if (index < 0) return;
  const RowBox& box = layout_.boxes()[static_cast<std::size_t>(index)];
  if (box.y < scroll_) setScroll(box.y);
  else if (box.y + box.height > scroll_ + height()) setScroll(box.y + box.height - height());
}

// Positions are 1/256 of a pixel here: finer than any pointer, and times stay integers.
trace::Ns TimelineCanvas::timeOf(qreal pixels) const {
  const auto fine = static_cast<Wide>(std::llround(pixels * 256));
  return static_cast<trace::Ns>(fine * state_.visible().length() / (std::int64_t{256} * std::max(width(), 1)));
}

trace::Ns TimelineCanvas::timeAt(qreal x) const { return state_.visible().begin + timeOf(x); }

std::uint32_t TimelineCanvas::rowAt(qreal y) const {
  const int index = layout_.boxAt(static_cast<int>(std::floor(y)) + scroll_);
  return index < 0 ? trace::kNone : layout_.boxes()[static_cast<std::size_t>(index)].row;
}

std::optional<Hit> TimelineCanvas::hit(QPointF point) { return hitAt(freshFrame(), *state_.trace(), point); }

trace::Ns TimelineCanvas::snapped(QPointF point, int reach) {
  const trace::Ns time = timeAt(point.x());
  const Strip* strip = freshFrame().stripAt(static_cast<int>(std::floor(point.y() * frame_.ratio)));
  return strip == nullptr ? time : edgeNear(*state_.trace(), *strip, time, timeOf(reach)).value_or(time);
}

void TimelineCanvas::relayout() {
  layout_ = Layout(state_);
  const int y = std::clamp(scroll_, 0, maximumScroll());
  if (y != scroll_) {
    scroll_ = y;
    emit scrollChanged(y);
  }
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
    painter_.render(state_, layout_, size(), devicePixelRatioF(), scroll_, Theme::colours(), palette_, frame_);
    stale_ = false;
    paintedSize_ = size();
    ++framesPainted_;
  }
  return frame_;
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
  freshFrame();
  QPainter painter(this);
  painter.drawImage(QPointF(0, 0), frame_.image);
  if (const int index = layout_.boxOf(state_.currentRow()); index >= 0) {
    const RowBox& box = layout_.boxes()[static_cast<std::size_t>(index)];
    painter.fillRect(0, box.y - scroll_, width(), box.height, Theme::colours().rowHighlight);
  }
  paintSelection(painter);
  paintCurrent(painter);
}

void TimelineCanvas::paintSelection(QPainter& painter) const {
  const auto selection = state_.selection();
  if (!selection) return;
  const ThemeColours& colours = Theme::colours();
  const int left = std::max(frame_.scale.x(selection->begin), -2);
  const int right = std::min(frame_.scale.x(selection->end), frame_.scale.width + 2);
  if (right < 0 || left > frame_.scale.width) return;
  const QRectF band(left / frame_.ratio, 0, std::max(right - left, 1) / frame_.ratio, height());
  painter.fillRect(band, colours.selectionFill);
  painter.fillRect(QRectF(band.left(), 0, 1, height()), colours.accent);
  painter.fillRect(QRectF(band.right() - 1, 0, 1, height()), colours.accent);
}

void TimelineCanvas::paintCurrent(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const trace::Trace& trace = *state_.trace();
  const ThemeColours& colours = Theme::colours();
  const auto current = state_.current();
  if (hovered_ && hovered_ != current) outline(painter, *hovered_, QPen(colours.textDim, 1));
  if (!current) return;
  const auto partners = trace.partners(*current);
  const QPen partnerPen(colours.accent, 1.5);
  for (const trace::EventId id : partners.first(std::min(partners.size(), kPartners)))
    outline(painter, trace.ref(id), partnerPen);
  outline(painter, *current, QPen(colours.text, 2));
}

void TimelineCanvas::outline(QPainter& painter, trace::EventRef event, const QPen& pen) const {
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  for (const QRectF& box : boxesOf(frame_, *state_.trace(), event)) {
    const int air = box.height() < 22 ? kAir - 1 : kAir;
    const QRectF bar = box.adjusted(-0.5, air - 0.5, 0.5, 0.5 - air);
    painter.drawRoundedRect(bar, 2, 2);
  }
}

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

void TimelineCanvas::hover(std::optional<QPointF> point) {
  pointer_ = point;
  const std::uint32_t row = point ? rowAt(point->y()) : trace::kNone;
  if (row != hoveredRow_) {
    hoveredRow_ = row;
    emit hoveredRowChanged(row);
  }
  const std::optional<Hit> under = point ? hit(*point) : std::nullopt;
  const std::optional<trace::EventRef> event = under ? std::optional(under->event) : std::nullopt;
  if (event != hovered_) {
    hovered_ = event;
    update();
  }
  if (!point) {
    rest_.stop();
    tip_.hide();
  } else if (tip_.isVisible()) {
    showTip();  // it follows the pointer from event to event
  } else {
    rest_.start();
  }
}

void TimelineCanvas::showTip() {
  if (!pointer_ || !rect().contains(pointer_->toPoint())) return tip_.hide();
  tip_.showFor(freshFrame(), *state_.trace(), *pointer_, timeAt(pointer_->x()), mapToGlobal(*pointer_).toPoint());
}

}  // namespace lanescope::views
