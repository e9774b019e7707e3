// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/tooltip.h"

#include <QGuiApplication>
#include <QPainter>
#include <QScreen>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "views/plots/metric_curve.h"
#include "views/text.h"
#include "views/timeline/hit.h"
#include "views/timeline/row_figure.h"

namespace lanescope::views {
namespace {

constexpr int kTitleLines = 3;
constexpr qsizetype kTitleCharacters = 400;
constexpr int kWidest = 420, kValueWidest = 300;
constexpr int kPad = 8, kGap = 12, kFromPointer = 16;

QString nameOf(const trace::Trace& trace, trace::NameId id) {
  const std::string_view whole = (*trace.names)[id].text;
  return toQt(whole.substr(0, 4 * kTitleCharacters)).left(kTitleCharacters);
}

TipText tipOfEvent(const trace::Trace& trace, trace::EventRef event) {
  const trace::TimeRange time = trace.time(event);
  TipText tip{nameOf(trace, trace.name(event)), {}};
  tip.fields.emplace_back("Start", toQt(formatExact(time.begin)));
  tip.fields.emplace_back("Duration", trace.lanes[event.lane]->unfinished(event.index)
                                          ? QString("no end recorded")
                                          : toQt(formatExact(time.length())));
  return tip;
}

TipText tipOfColumn(const ViewState& state, const Hit& hit, const ColumnSummary& column) {
  TipText tip;
  tip.title = QString("%1 events").arg(toQt(formatCount(column.events)));
  tip.fields.emplace_back("Busy", toQt(formatShare(std::min(column.busy, column.length), column.length)));
  tip.fields.emplace_back("Mostly", nameOf(*state.trace(), hit.span.name));
  tip.fields.emplace_back("In", toQt(formatDuration(column.length)));
  return tip;
}

TipText tipOfCurves(const trace::Trace& trace, const Strip& strip, trace::Ns time) {
  TipText tip{toQt(trace.rows[strip.row].label), {}};
  for (const std::uint32_t id : trace.rows[strip.row].counters) {
    const trace::Counter& counter = *trace.counters[id];
    const trace::Counter::Extent extent = counter.over({time, time + 1});
    const QString name = trace.rows[strip.row].counters.size() == 1 ? QString("Value") : toQt(counter.name());
    if (extent.any) tip.fields.emplace_back(name, counterValue(counter.unit(), extent.last));
    tip.fields.emplace_back("Axis to", counterValue(counter.unit(), axisMax(counter)));
  }
  tip.fields.emplace_back("At", toQt(formatExact(time)));
  return tip;
}

/// At most kTitleLines lines, broken anywhere if need be: kernel names have no spaces.
QStringList broken(const QString& title, const QFont& font) {
  QTextLayout layout(title, font);
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  QStringList lines;
  layout.beginLayout();
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(kWidest);
    if (lines.size() == kTitleLines) {
      lines.back().back() = QChar(0x2026);
      break;
    }
    lines << title.mid(line.textStart(), line.textLength());
  }
  layout.endLayout();
  return lines;
}

}  // namespace

QString TipText::plain() const {
  QStringList lines(title);
  for (const auto& [label, value] : fields) lines += label + '\t' + value;
  return lines.join('\n');
}

EventTip::EventTip(QWidget* parent) : QWidget(parent, Qt::ToolTip | Qt::FramelessWindowHint) {
  setAttribute(Qt::WA_ShowWithoutActivating);
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

TipText EventTip::textAt(const Frame& frame, const ViewState& state, QPointF point, trace::Ns time) const {
  const trace::Trace& trace = *state.trace();
  const Strip* strip = frame.stripAt(static_cast<int>(std::floor(point.y() * frame.ratio)));
  if (strip != nullptr && strip->curve) return tipOfCurves(trace, *strip, time);
  const std::optional<Hit> hit = hitAt(frame, state, point);
  if (!hit) return {};
  if (hit->span.event == Span::kNoEvent) {
    const ColumnSummary column = summarize(frame, state, *hit->strip, hit->span.x);
    if (column.events != 1) return tipOfColumn(state, *hit, column);  // a lone one is told as itself
  }
  TipText tip = tipOfEvent(trace, hit->event);
  if (details_)
    for (const report::Field& field : details_(hit->event))
      if (field.main && field.label != "Name" && field.label != "Start" && field.label != "Duration")
        tip.fields.emplace_back(toQt(field.label), toQt(field.value));
  return tip;
}

void EventTip::showFor(const Frame& frame, const ViewState& state, QPointF point, trace::Ns time, QPoint global) {
  text_ = textAt(frame, state, point, time);
  if (text_.empty()) return hide();
  arrange();
  QPoint corner = global + QPoint(kFromPointer, kFromPointer);
  if (const QScreen* screen = QGuiApplication::screenAt(global)) {
    const QRect room = screen->availableGeometry();
    if (corner.x() + width() > room.right()) corner.setX(global.x() - kFromPointer - width());
    if (corner.y() + height() > room.bottom()) corner.setY(global.y() - kFromPointer - height());
  }
  move(corner);
  update();
  show();
}

void EventTip::arrange() {
  const QFontMetrics bold(Theme::font(0, true)), plain(Theme::font()), figures(Theme::figures());
  titleLines_ = broken(text_.title, Theme::font(0, true));
  int titleWidth = 0, valueWidth = 0;
  labelWidth_ = 0;
  for (const QString& line : titleLines_) titleWidth = std::max(titleWidth, bold.horizontalAdvance(line));
  for (auto& [label, value] : text_.fields) {
    value = figures.elidedText(value, Qt::ElideRight, kValueWidest);
    label = plain.elidedText(label, Qt::ElideRight, kValueWidest / 2);
    labelWidth_ = std::max(labelWidth_, plain.horizontalAdvance(label));
    valueWidth = std::max(valueWidth, figures.horizontalAdvance(value));
  }
  resize(std::max(titleWidth, labelWidth_ + kGap + valueWidth) + 2 * kPad,
         static_cast<int>(titleLines_.size()) * bold.height() + 4 +
             static_cast<int>(text_.fields.size()) * (plain.height() + 2) + 2 * kPad);
}

void EventTip::paintEvent(QPaintEvent*) {
  const ThemeColours& colours = Theme::colours();
  QPainter painter(this);
  painter.fillRect(rect(), colours.panel);
  painter.setPen(colours.hairline);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));

  int y = kPad;
  painter.setFont(Theme::font(0, true));
  painter.setPen(colours.text);
  for (const QString& line : titleLines_) {
    painter.drawText(kPad, y + painter.fontMetrics().ascent(), line);
    y += painter.fontMetrics().height();
  }
  y += 4;
  const QFontMetrics plain(Theme::font());
  for (const auto& [label, value] : text_.fields) {
    painter.setFont(Theme::font());
    painter.setPen(colours.textDim);
    painter.drawText(kPad, y + plain.ascent(), label);
    painter.setFont(Theme::figures());
    painter.setPen(colours.text);
    painter.drawText(kPad + labelWidth_ + kGap, y + plain.ascent(), value);
    y += plain.height() + 2;
  }
}

}  // namespace lanescope::views
