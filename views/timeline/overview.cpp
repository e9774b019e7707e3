// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/overview.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "model/analysis/report_times.h"
#include "model/format.h"
#include "views/text.h"
#include "views/theme.h"
#include "views/timeline/raster.h"
#include "views/timeline/slice.h"

namespace lanescope::views {
namespace {

constexpr int kEdgeReach = 4, kLeastWindow = 3, kLabelX = 12, kTick = 7;

std::vector<trace::LaneId> lanesOf(const trace::Trace& trace, std::initializer_list<trace::EventKind> kinds) {
  std::vector<trace::LaneId> lanes;
  for (trace::LaneId id = 0; id < trace.laneInfo.size(); ++id) {
    const trace::LaneInfo& info = trace.laneInfo[id];
    const bool wanted = std::find(kinds.begin(), kinds.end(), info.kind) != kinds.end();
    // What nests inside another range says nothing about when something went on.
    if (wanted && (trace::isGpuWork(info.kind) || info.depth == 0)) lanes.push_back(id);
  }
  return lanes;
}

LaneSlice sliceOf(const ViewState& state, const std::vector<trace::LaneId>& lanes, const Scale& scale,
                  const Palette& palette) {
  std::vector<LaneSlice> slices;
  for (const trace::LaneId id : lanes)
    slices.push_back(sliceLane(state.lane(id), state.trace()->laneInfo[id], scale, palette, id));
  if (slices.size() == 1) return std::move(slices.front());
  std::vector<const LaneSlice*> pointers;
  for (const LaneSlice& slice : slices) pointers.push_back(&slice);
  return mergeSlices(pointers, scale.width);
}

}  // namespace

OverviewLanes overviewLanes(const trace::Trace& trace) {
  using enum trace::EventKind;
  OverviewLanes lanes{lanesOf(trace, {kKernel, kGraphLaunch}), lanesOf(trace, {kCopy, kMemset})};
  if (!lanes.upper.empty() || !lanes.lower.empty()) return lanes;
  lanes.upper = lanesOf(trace, {kCudaApi});
  if (lanes.upper.empty()) lanes.upper = lanesOf(trace, {kLibraryCall});
  lanes.lower = lanesOf(trace, {kNvtxRange, kNvtxStartEnd});
  if (lanes.lower.empty()) lanes.lower = lanesOf(trace, {kOsRuntime});
  for (const auto kind : {kCpuCore, kThreadState, kCpuSample, kPythonSample, kGilWait})
    if (lanes.upper.empty() && lanes.lower.empty()) lanes.upper = lanesOf(trace, {kind});
  return lanes;
}

Overview::Overview(ViewState& state, QWidget* parent) : QWidget(parent), state_(state) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFixedHeight(sizeHint().height());
  connect(&state, &ViewState::visibleChanged, this, qOverload<>(&QWidget::update));
  connect(&state, &ViewState::traceChanged, this, &Overview::forgetStrip);
  connect(&state, &ViewState::passingChanged, this, &Overview::forgetStrip);
  connect(&state, &ViewState::changesChanged, this, &Overview::forgetStrip);
  connect(&state, &ViewState::hitsChanged, this, &Overview::forgetTicks);
  connect(&Theme::instance(), &Theme::changed, this, &Overview::forgetStrip);
}

void Overview::forgetStrip() {
  strip_ = QImage();
  forgetTicks();
}

void Overview::forgetTicks() {
  ticks_.clear();
  update();
}

const std::vector<bool>& Overview::ticks() {
  const auto& hits = state_.hits();
  if (ticks_.empty() && hits && hits->count > 0)
    ticks_ = analysis::hitColumns(*state_.trace(), *hits, scale().range, scale().width);
  return ticks_;
}

void Overview::setCanvasSpan(int left, int width) {
  if (width != width_) forgetStrip();
  left_ = left;
  width_ = width;
  update();
}

Scale Overview::scale() const {
  const trace::TimeRange whole = state_.trace()->range;
  return {whole.empty() ? trace::TimeRange{0, 1} : whole, std::max(1, width_)};
}

trace::Ns Overview::timeAt(double x) const {
  return scale().time(std::clamp(static_cast<int>(std::floor(x)) - left_, 0, width_));
}

QRect Overview::windowRect() const {
  const Scale whole = scale();
  const auto pixel = [&](trace::Ns t) { return std::clamp(whole.x(t), 0, whole.width); };
  const trace::TimeRange visible = state_.visible();
  int from = pixel(visible.begin), to = pixel(visible.end);
  // A window narrower than this could neither be seen nor grabbed.
  if (to - from < kLeastWindow)
    from = std::clamp((from + to) / 2 - 1, 0, std::max(0, whole.width - kLeastWindow)), to = from + kLeastWindow;
  return {left_ + from, 1, to - from, height() - 2};
}

void Overview::paintStrip() {
  const qreal ratio = devicePixelRatioF();
  const QSize size = (QSizeF(stripRect().size()) * ratio).toSize();
  if (size.isEmpty()) return;
  ++stripsPainted_;
  const trace::Trace& trace = *state_.trace();
  strip_ = QImage(size, QImage::Format_RGB32);
  const std::vector<QRgb> background(static_cast<std::size_t>(size.width()), Theme::colours().field.rgb());
  paintBackground(strip_, {0, size.height()}, background);

  Palette palette = Theme::palette();
  palette.learn(trace);
  palette.setChanges(state_.changes());
  const OverviewLanes lanes = overviewLanes(trace);
  const Scale device{scale().range, size.width()};
  const int gap = std::max(1, static_cast<int>(ratio));
  // The halves share the strip, unless one of them has nothing to show.
  const bool both = !lanes.upper.empty() && !lanes.lower.empty();
  const int half = both ? (size.height() - gap) / 2 : size.height();
  if (!lanes.upper.empty())
    paintSlice(strip_, {0, half}, gap, sliceOf(state_, lanes.upper, device, palette), background, ratio);
  if (!lanes.lower.empty())
    paintSlice(strip_, {size.height() - half, half}, gap, sliceOf(state_, lanes.lower, device, palette), background,
               ratio);
  strip_.setDevicePixelRatio(ratio);
}

void Overview::paintEvent(QPaintEvent*) {
  const ThemeColours& c = Theme::colours();
  if (strip_.isNull()) paintStrip();
  QPainter painter(this);
  painter.fillRect(rect(), c.window);
  painter.fillRect(0, height() - 1, width(), 1, c.hairline);
  painter.fillRect(left_, 0, width_, height() - 1, c.field);
  painter.drawImage(stripRect().topLeft(), strip_);

  const trace::TimeRange whole = state_.trace()->range;
  painter.setFont(Theme::font(-1));
  painter.setPen(c.textDim);
  const QString label = whole.empty()
                            ? QStringLiteral("Overview")
                            : QStringLiteral("Overview  ") + QString::fromStdString(formatDuration(whole.length(), 3));
  painter.drawText(QRect(kLabelX, 0, left_ - kLabelX - 4, height() - 1), Qt::AlignLeft | Qt::AlignVCenter, label);
  if (whole.empty()) return;

  const QRect window = windowRect();
  if (window.width() < width_) {
    QColor veil = c.field;
    veil.setAlpha(110);
    painter.fillRect(QRect(QPoint(left_, 0), QPoint(window.left() - 1, height() - 2)), veil);
    painter.fillRect(QRect(QPoint(window.right() + 1, 0), QPoint(left_ + width_ - 1, height() - 2)), veil);
    painter.fillRect(window, c.selectionFill);
  }
  painter.setPen(QPen(c.accent, 1));
  painter.drawRect(window.adjusted(-2, 0, 1, -1));  // or it would hide what lies at its very ends
  // Over all: what is searched for must not hide under the window.
  for (std::size_t x = 0; x < ticks().size(); ++x)
    if (ticks_[x]) painter.fillRect(left_ + static_cast<int>(x), 1, 1, kTick, c.marker);
}

bool Overview::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QStringList lines;
  if (help->x() < left_)
    for (const analysis::NamedTime& time : analysis::reportTimes(*state_.trace()))
      lines += "<b>" + toQt(time.name).toHtmlEscaped() + "</b> " + toQt(time.text()).toHtmlEscaped();
  QToolTip::showText(help->globalPos(), lines.join(QStringLiteral("<br>")), this);
  return true;
}

void Overview::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) forgetStrip();
  QWidget::changeEvent(event);
}

Overview::Grip Overview::gripAt(QPoint at) const {
  if (state_.trace()->range.empty() || at.x() < left_ || at.x() > left_ + width_) return Grip::kNone;
  const QRect window = windowRect();
  const int toLeft = std::abs(at.x() - window.left()), toRight = std::abs(at.x() - window.right());
  // In a window too narrow for three grips the middle is the one that is missed most.
  const int reach = std::min(kEdgeReach, std::max(1, window.width() / 4));
  if (std::min(toLeft, toRight) <= reach && window.width() > kLeastWindow)
    return toLeft < toRight ? Grip::kLeftEdge : Grip::kRightEdge;
  if (window.width() >= width_) return Grip::kBeside;  // all is visible: nowhere to drag the window to
  return window.adjusted(-1, 0, 1, 0).contains(at) ? Grip::kWindow : Grip::kBeside;
}

void Overview::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  pressedAt_ = event->position().toPoint();
  grip_ = gripAt(pressedAt_);
  pressedRange_ = state_.visible();
  moved_ = false;
}

void Overview::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  if (grip_ == Grip::kNone) {
    switch (gripAt(at)) {
      case Grip::kLeftEdge:
      case Grip::kRightEdge:
        setCursor(Qt::SizeHorCursor);
        break;
      case Grip::kWindow:
        setCursor(Qt::OpenHandCursor);
        break;
      default:
        unsetCursor();
    }
    return;
  }
  if (!moved_ && std::abs(at.x() - pressedAt_.x()) < QApplication::startDragDistance() / 2) return;
  const trace::Ns from = timeAt(pressedAt_.x()), to = timeAt(at.x());
  trace::TimeRange range = pressedRange_;
  switch (grip_) {
    case Grip::kWindow:
      range = {range.begin + to - from, range.end + to - from};
      break;
    case Grip::kLeftEdge:
      range.begin = std::min(range.begin + to - from, range.end - ViewState::kShortestView);
      break;
    case Grip::kRightEdge:
      range.end = std::max(range.end + to - from, range.begin + ViewState::kShortestView);
      break;
    case Grip::kBeside:
      range = {std::min(from, to), std::max(from, to)};
      break;
    case Grip::kNone:
      return;
  }
  state_.setVisible(range, moved_);
  moved_ = true;
}

void Overview::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (grip_ == Grip::kBeside && !moved_) {
    const trace::Ns half = pressedRange_.length() / 2, centre = timeAt(pressedAt_.x());
    state_.setVisible({centre - half, centre - half + pressedRange_.length()});
  }
  grip_ = Grip::kNone;
}

}  // namespace lanescope::views
