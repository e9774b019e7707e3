// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/overlay.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/theme.h"
#include "views/timeline/commands.h"

namespace lanescope::views {
namespace {

constexpr qreal kNarrow = 6;       // bars below it are underlined: an outline would hide them
constexpr qreal kUnderline = 2.5;
constexpr qreal kHead = 7;         // of an arrow
constexpr qreal kLeastBend = 28;   // how far an arrow swings out before its bar

void paintHead(QPainter& painter, QPointF tip, QPointF direction, const QColor& colour) {
  const qreal length = std::hypot(direction.x(), direction.y());
  if (length == 0) return;
  const QPointF along = direction / length, across(-along.y(), along.x());
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  const QPointF points[] = {tip, tip - along * kHead + across * kHead / 2, tip - along * kHead - across * kHead / 2};
  painter.drawPolygon(points, 3);
  painter.setBrush(Qt::NoBrush);
}

/// Over a line of the ground's colour, so that it is seen on every bar.
void paintArrow(QPainter& painter, const Arrow& arrow) {
  const ThemeColours& colours = Theme::colours();
  const QPointF way = arrow.to - arrow.from;
  const QPointF last = arrow.sideways ? QPointF(1, 0) : way;
  const qreal bend = std::max(kLeastBend, std::abs(way.x()) / 3);
  const QPointF tip = arrow.to;
  const QPointF neck = arrow.sideways ? tip - QPointF(kHead - 1, 0) : tip;
  QPainterPath path(arrow.from);
  if (arrow.sideways) path.cubicTo(arrow.from + QPointF(0, way.y() / 2), neck - QPointF(bend, 0), neck);
  else path.quadTo(arrow.from + QPointF(0, way.y()), neck);
  painter.setBrush(Qt::NoBrush);
  painter.strokePath(path, QPen(colours.canvas, 4, Qt::SolidLine, Qt::RoundCap));
  painter.strokePath(path, QPen(colours.accent, 1.75, Qt::SolidLine, Qt::RoundCap));
  if (arrow.sideways) paintHead(painter, tip, last, colours.accent);
}

void paintSign(QPainter& painter, const EdgeSign& sign, bool hovered) {
  const ThemeColours& colours = Theme::colours();
  painter.setPen(QPen(colours.accent, 1));
  painter.setBrush(hovered ? colours.accent : colours.chip);
  painter.drawRoundedRect(sign.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  const QPointF direction = sign.edge == Qt::LeftEdge    ? QPointF(-1, 0)
                            : sign.edge == Qt::RightEdge ? QPointF(1, 0)
                            : sign.edge == Qt::TopEdge   ? QPointF(0, -1)
                                                         : QPointF(0, 1);
  paintHead(painter, sign.box.center() + direction * kHead / 2, direction,
            hovered ? colours.textOnAccent : colours.accent);
}

}  // namespace

void paintSelection(QPainter& painter, const Frame& frame, const ViewState& state, const Layout& layout) {
  if (!state.selection()) return;
  const ThemeColours& colours = Theme::colours();
  const int left = std::max(frame.scale.x(state.selection()->begin), -2);
  const int right = std::min(frame.scale.x(state.selection()->end), frame.scale.width + 2);
  if (right < 0 || left > frame.scale.width) return;
  const qreal height = frame.image.height() / frame.ratio;
  const QRectF band(left / frame.ratio, 0, std::max(right - left, 1) / frame.ratio, height);
  if (state.selectedRows().empty()) painter.fillRect(band, colours.selectionFill);
  else
    for (const auto& boxes : layout.seen(frame.window))
      for (const RowBox& box : boxes)
        if (state.isInSelection(box.row)) {
          const int y = frame.window.toView(box.y), top = std::max(y, frame.window.topFor(box));
          painter.fillRect(QRectF(band.left(), top, band.width(), y + box.height - top), colours.selectionFill);
        }
  painter.fillRect(QRectF(band.left(), 0, 1, height), colours.accent);
  painter.fillRect(QRectF(band.right() - 1, 0, 1, height), colours.accent);
}

void paintMarks(QPainter& painter, const Frame& frame, const std::vector<Mark>& marks) {
  const QColor& colour = Theme::colours().marker;
  QColor fill = colour;
  fill.setAlphaF(0.08F);
  const int height = static_cast<int>(frame.image.height() / frame.ratio);
  painter.setPen(QPen(colour, 1, Qt::DashLine));
  int drawn = -1;  // marks of one pixel have one line
  for (const Mark& mark : marks) {
    if (mark.time.begin > frame.scale.range.end) break;
    if (mark.time.end < frame.scale.range.begin) continue;
    const int left = static_cast<int>(std::max(frame.scale.x(mark.time.begin), -2) / frame.ratio);
    const int right = static_cast<int>(std::min(frame.scale.x(mark.time.end), frame.scale.width + 2) / frame.ratio);
    if (std::exchange(drawn, left) != left) painter.drawLine(left, 0, left, height);
    if (!mark.isRange()) continue;
    painter.drawLine(right, 0, right, height);
    painter.fillRect(left, 0, right - left, height, fill);
  }
}

void paintMeasure(QPainter& painter, const Frame& frame, const ViewState& state, const Layout& layout) {
  const auto& measure = state.measure();
  if (!measure) return;
  const ThemeColours& colours = Theme::colours();
  const QSize size = QSizeF(QSizeF(frame.image.size()) / frame.ratio).toSize();
  const auto x = [&](trace::Ns time) {
    return static_cast<int>(std::clamp(frame.scale.x(time), -2, frame.scale.width + 2) / frame.ratio);
  };
  const int from = x(measure->from), to = x(measure->to.value_or(measure->from));
  const int index = measure->row == trace::kNone ? -1 : layout.boxOf(measure->row);
  int y = size.height() / 2;
  if (index >= 0) {
    const RowBox& box = layout.boxes()[static_cast<std::size_t>(index)];
    y = frame.window.toView(box.y) + box.height / 2;
  }
  painter.setFont(Theme::font(-1, true));
  const QString text = measureText(state);
  const QSize pill(painter.fontMetrics().horizontalAdvance(text) + 20, painter.fontMetrics().height() + 4);
  y = std::clamp(y, pill.height(), std::max(pill.height(), size.height() - pill.height()));
  painter.setPen(QPen(colours.marker, 1));
  painter.drawLine(from, 0, from, size.height());
  painter.drawLine(to, 0, to, size.height());
  painter.drawLine(from, y, to, y);
  QRect box(QPoint((from + to) / 2 - pill.width() / 2, y - pill.height() / 2), pill);
  box.moveLeft(std::clamp(box.left(), 2, std::max(2, size.width() - pill.width() - 2)));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(colours.field);
  painter.drawRoundedRect(QRectF(box), pill.height() / 2.0, pill.height() / 2.0);
  painter.setPen(colours.text);
  painter.drawText(box, Qt::AlignCenter, text);
  painter.setBrush(Qt::NoBrush);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintFound(QPainter& painter, const std::vector<QRectF>& bars) {
  for (const QRectF& bar : bars)
    painter.fillRect(QRectF(bar.left(), bar.bottom() - kUnderline, bar.width(), kUnderline), Theme::colours().marker);
}

void paintOutline(QPainter& painter, const QRectF& strip, const QPen& pen) {
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  const int air = strip.height() < 22 ? kAir - 1 : kAir;
  painter.drawRoundedRect(strip.adjusted(-0.5, air - 0.5, 0.5, 0.5 - air), 2, 2);
}

void paintRelations(QPainter& painter, const Relations& relations, const EdgeSign* hovered) {
  const ThemeColours& colours = Theme::colours();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const QRectF& bar : relations.inside) {
    if (bar.width() >= kNarrow) paintOutline(painter, bar, QPen(colours.accent, 1));
    else painter.fillRect(QRectF(bar.left(), bar.bottom() - 2, bar.width(), 2), colours.accent);
  }
  for (const QRectF& bar : relations.ends) paintOutline(painter, bar, QPen(colours.accent, 1.5));
  for (const Arrow& arrow : relations.arrows) paintArrow(painter, arrow);
  for (const QRectF& bar : relations.current) paintOutline(painter, bar, QPen(colours.text, 2));
  for (const EdgeSign& sign : relations.signs) paintSign(painter, sign, &sign == hovered);
}

}  // namespace lanescope::views
