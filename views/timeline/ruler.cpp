// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/ruler.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "model/format.h"
#include "views/theme.h"
#include "views/timeline/marks.h"

namespace lanescope::views {
namespace {

constexpr int kPad = 8;
constexpr int kMajor = 8, kMinor = 4;  // lengths of ticks
constexpr int kBeside = 4;  // of a label, right of its tick
constexpr int kFlag = 8, kFlagHeight = 13, kLeastFlag = 36, kMostFlag = 160;  // of a mark
constexpr int kMostTip = 500;  // characters

/// The finest power of ten that a pixel can tell.
trace::Ns resolution(trace::Ns perPixel) {
  trace::Ns unit = 1;
  while (unit * 10 <= perPixel) unit *= 10;
  return unit;
}

}  // namespace

Ticks rulerTicks(trace::TimeRange visible, int width) {
  // Labels of minutes and seconds are the widest: "12 h 05 min".
  const int label = QFontMetrics(Theme::figures(-1)).horizontalAdvance(u'0') * 16;
  return ticksFor(visible, width, std::max(90, label));
}

Ruler::Ruler(ViewState& state, QWidget* parent) : QWidget(parent), state_(state) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFixedHeight(sizeHint().height());
  const auto repaint = qOverload<>(&QWidget::update);
  connect(&state, &ViewState::visibleChanged, this, repaint);
  connect(&state, &ViewState::selectionChanged, this, repaint);
  connect(&state, &ViewState::traceChanged, this, repaint);
  connect(&state.marks(), &Marks::changed, this, repaint);
  connect(&state.marks(), &Marks::currentChanged, this, repaint);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    setFixedHeight(sizeHint().height());
    update();
  });
}

QSize Ruler::sizeHint() const { return {400, QFontMetrics(Theme::figures(-1)).height() + 12}; }

void Ruler::setCanvasSpan(int left, int width) {
  left_ = left;
  width_ = width;
  update();
}

void Ruler::setCursorTime(std::optional<trace::Ns> time) {
  if (cursor_ == time) return;
  cursor_ = time;
  update();
}

trace::Ns Ruler::timeAt(double x) const {
  return scale().time(std::clamp(static_cast<int>(std::floor(x)) - left_, 0, width_));
}

void Ruler::paintEvent(QPaintEvent*) {
  const ThemeColours& c = Theme::colours();
  QPainter painter(this);
  painter.fillRect(rect(), c.chrome);
  painter.fillRect(0, height() - 1, width(), 1, c.hairline);
  painter.save();
  painter.setClipRect(QRect(left_, 0, width_, height()));
  paintTicks(painter);
  paintMarks(painter);
  paintCursor(painter);
  paintSelection(painter);  // over it: the length of what is being dragged is what a person wants to read
  painter.restore();
}

void Ruler::paintTicks(QPainter& painter) {
  const ThemeColours& c = Theme::colours();
  painter.setFont(Theme::figures(-1));
  const Ticks ticks = rulerTicks(state_.visible(), width_);
  for (const Tick& tick : ticks.ticks) {
    const int at = x(tick.time);
    const int length = tick.major() ? kMajor : kMinor;
    painter.fillRect(at, height() - length, 1, length, tick.major() ? c.textFaint : c.hairline);
    if (!tick.major()) continue;
    const QString label = QString::fromStdString(tick.label);
    const int from = at + kBeside;
    if (from + painter.fontMetrics().horizontalAdvance(label) > left_ + width_) continue;  // whole or not at all
    painter.setPen(c.textDim);
    painter.drawText(QRect(from, 0, width_, height() - 4), Qt::AlignLeft | Qt::AlignVCenter, label);
  }
  if (ticks.baseLabel.empty()) return;
  painter.setClipping(false);
  painter.setPen(c.textDim);
  painter.drawText(QRect(0, 0, left_ - kPad, height() - 4), Qt::AlignRight | Qt::AlignVCenter,
                   QString::fromStdString(ticks.baseLabel));
  painter.setClipping(true);
}

void Ruler::paintSelection(QPainter& painter) {
  const auto selection = state_.selection();
  if (!selection) return;
  const ThemeColours& c = Theme::colours();
  const int from = x(selection->begin), to = std::max(x(selection->end), from + 1);
  const int shownFrom = std::max(from, left_), shownTo = std::min(to, left_ + width_);
  if (shownFrom > shownTo) return;
  painter.fillRect(shownFrom, 0, shownTo - shownFrom, height(), c.selectionFill);
  painter.fillRect(from, 0, 1, height(), c.accent);
  painter.fillRect(to, 0, 1, height(), c.accent);

  painter.setFont(Theme::font(-1, true));
  const QString length = QString::fromStdString(formatExact(selection->length()));
  const int pillWidth = painter.fontMetrics().horizontalAdvance(length) + 24;
  const int pillHeight = painter.fontMetrics().height() + 4;
  const int centre = std::clamp((shownFrom + shownTo) / 2, left_ + pillWidth / 2,
                                std::max(left_ + width_ - pillWidth / 2, left_ + pillWidth / 2));
  const QRect pill(centre - pillWidth / 2, (height() - pillHeight) / 2, pillWidth, pillHeight);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(c.accent);
  painter.drawRoundedRect(pill, pillHeight / 2.0, pillHeight / 2.0);
  painter.setPen(c.textOnAccent);
  painter.drawText(pill, Qt::AlignCenter, length);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

/// A flag at the top of each, with its name as far as the next one leaves room; ranges have a bar along the edge.
void Ruler::paintMarks(QPainter& painter) {
  const ThemeColours& c = Theme::colours();
  const auto& marks = state_.marks().all();
  painter.setFont(Theme::font(-2, true));
  const QFontMetrics metrics = painter.fontMetrics();
  int covered = left_;  // names end there
  for (std::size_t i = marks.size(); i-- > 0;) {
    const Mark& mark = marks[i];
    if (mark.time.begin > state_.visible().end || mark.time.end < state_.visible().begin) continue;
    const int at = std::max(x(mark.time.begin), left_ - 1), end = std::min(x(mark.time.end), left_ + width_);
    if (mark.isRange()) painter.fillRect(at, 0, std::max(end - at, 1), 3, c.marker);
    painter.fillRect(at, 0, 1, height(), c.marker);
    const int next = i + 1 == marks.size() ? left_ + width_ : covered;
    const int room = std::min(next - at - 2, kMostFlag);
    covered = at;
    const bool current = state_.marks().current() == i;
    const bool named = room >= kLeastFlag;
    const QString name =
        named ? metrics.elidedText(mark.name.left(kMostFlag).simplified(), Qt::ElideRight, room - 8) : QString();
    const int width = named ? metrics.horizontalAdvance(name) + 8 : kFlag;
    painter.fillRect(at, 0, width, kFlagHeight, c.marker);
    if (current) painter.fillRect(at, kFlagHeight, width, 2, c.accent);
    painter.setPen(QColor(Theme::palette().textOn(c.marker.rgb())));
    painter.drawText(QRect(at + 4, 0, width, kFlagHeight), Qt::AlignLeft | Qt::AlignVCenter, name);
  }
}

std::optional<std::size_t> Ruler::markAt(QPointF point) const {
  const auto& marks = state_.marks().all();
  if (point.y() > kFlagHeight) return std::nullopt;
  for (std::size_t i = marks.size(); i-- > 0;)
    if (const double from = point.x() - x(marks[i].time.begin); from >= -1 && from <= kFlag) return i;
  return std::nullopt;
}

bool Ruler::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto index = markAt(help->pos());
  if (!index) {
    QToolTip::hideText();
    return true;
  }
  const Mark& mark = state_.marks().all()[*index];
  QString text = mark.name.left(kMostTip) + '\n' + QString::fromStdString(formatExact(mark.time.begin));
  if (mark.isRange()) text += tr(", %1 long").arg(QString::fromStdString(formatExact(mark.time.length())));
  if (!mark.note.isEmpty()) text += '\n' + mark.note.left(kMostTip);
  QToolTip::showText(help->globalPos(), "<p style='white-space:pre-wrap'>" + text.toHtmlEscaped() + "</p>", this);
  return true;
}

void Ruler::paintCursor(QPainter& painter) {
  if (!cursor_ || !state_.visible().contains(*cursor_)) return;
  const ThemeColours& c = Theme::colours();
  const trace::Ns unit = resolution(scale().perPixel());
  const QString text = QString::fromStdString(timeLabel(*cursor_ - *cursor_ % unit, unit));
  painter.setFont(Theme::figures(-1));
  const int boxWidth = painter.fontMetrics().horizontalAdvance(text) + 12;
  const int at = x(*cursor_);
  // Beside the pointer, on the side where there is room.
  const int left = at + 1 + boxWidth <= left_ + width_ ? at + 1 : at - boxWidth;
  const QRect box(left, 2, boxWidth, height() - 4);
  painter.fillRect(box, c.field);
  painter.fillRect(at, 0, 1, height(), c.textDim);
  painter.setPen(c.text);
  painter.drawText(box, Qt::AlignCenter, text);
}

void Ruler::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || event->position().x() < left_) return event->ignore();
  if (const auto mark = markAt(event->position())) {
    state_.marks().setCurrent(mark);
    if (const Mark& chosen = state_.marks().all()[*mark]; chosen.isRange()) state_.setSelection(chosen.time);
    return;
  }
  pressedAt_ = event->position().x();
  dragFrom_ = timeAt(pressedAt_);
}

void Ruler::mouseMoveEvent(QMouseEvent* event) {
  const double at = event->position().x();
  setCursorTime(at >= left_ ? std::optional(timeAt(at)) : std::nullopt);
  if (!dragFrom_ || std::abs(at - pressedAt_) < QApplication::startDragDistance() / 2.0) return;
  const trace::Ns to = timeAt(at);
  if (to != *dragFrom_) state_.setSelection(trace::TimeRange{std::min(*dragFrom_, to), std::max(*dragFrom_, to)});
}

void Ruler::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !dragFrom_) return;
  dragFrom_.reset();
  const bool click = std::abs(event->position().x() - pressedAt_) < QApplication::startDragDistance() / 2.0;
  const auto selection = state_.selection();
  if (click && selection && !selection->contains(timeAt(pressedAt_))) state_.setSelection(std::nullopt);
}

void Ruler::mouseDoubleClickEvent(QMouseEvent* event) {
  const auto selection = state_.selection();
  if (selection && selection->contains(timeAt(event->position().x()))) state_.zoomToSelection();
}

void Ruler::leaveEvent(QEvent*) { setCursorTime(std::nullopt); }

}  // namespace lanescope::views
