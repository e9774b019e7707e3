// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline.h"

#include <QGridLayout>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "views/timeline/filtering.h"
#include "views/timeline/scroll_map.h"
#include "views/timeline/spoken.h"

namespace lanescope::views {
namespace {

constexpr int kRowStep = 24;
constexpr int kLeastHeight = 64;  // of the rows, before panels give way

}  // namespace

Timeline::Timeline(ViewState& state, QWidget* parent)
    : QWidget(parent),
      state_(state),
      filters_(new FilterBar(Filtering::of(state), this)),
      legend_(new Legend(this)),
      overview_(new Overview(state, this)),
      ruler_(new Ruler(state, this)),
      headers_(new Headers(state)),
      canvas_(new TimelineCanvas(state)),
      splitter_(new QSplitter(Qt::Horizontal, this)),
      rowBar_(new QScrollBar(Qt::Vertical, this)),
      timeBar_(new QScrollBar(Qt::Horizontal, this)),
      rowLine_(new RowLine(state, this)) {
  setFocusProxy(canvas_);
  splitter_->addWidget(headers_);
  splitter_->addWidget(canvas_);
  splitter_->setStretchFactor(0, 0);
  splitter_->setStretchFactor(1, 1);
  splitter_->setChildrenCollapsible(false);
  splitter_->setHandleWidth(1);
  splitter_->setMinimumHeight(kLeastHeight);

  auto* column = new QVBoxLayout(this);
  auto* grid = new QGridLayout;
  column->setContentsMargins({});
  column->setSpacing(0);
  column->addWidget(filters_);
  column->addWidget(legend_);
  column->addLayout(grid, 1);
  grid->setSpacing(0);
  grid->addWidget(overview_, 0, 0, 1, 2);
  grid->addWidget(ruler_, 1, 0, 1, 2);
  grid->addWidget(splitter_, 2, 0);
  grid->addWidget(rowBar_, 2, 1);
  grid->addWidget(timeBar_, 3, 0);
  grid->addWidget(rowLine_, 4, 0, 1, 2);
  grid->setRowStretch(2, 1);
  for (QScrollBar* bar : {rowBar_, timeBar_}) {
    bar->setFocusPolicy(Qt::NoFocus);
    QSizePolicy policy = bar->sizePolicy();
    policy.setRetainSizeWhenHidden(true);  // rows must not jump when a bar comes or goes
    bar->setSizePolicy(policy);
  }

  canvas_->installEventFilter(this);
  headers_->installEventFilter(this);
  ruler_->installEventFilter(this);

  connect(filters_, &FilterBar::left, canvas_, qOverload<>(&QWidget::setFocus));
  connect(canvas_, &TimelineCanvas::scrollChanged, this, &Timeline::syncRowBar);
  connect(canvas_, &TimelineCanvas::layoutChanged, this, &Timeline::syncRowBar);
  connect(rowBar_, &QScrollBar::valueChanged, canvas_, &TimelineCanvas::setScroll);
  connect(headers_, &Headers::scrolled, this, [this](int pixels) { canvas_->setScroll(canvas_->scroll() + pixels); });
  connect(canvas_, &TimelineCanvas::hidingRowsChanged, headers_, &Headers::setHidingRows);
  connect(headers_, &Headers::rowPressed, canvas_, qOverload<>(&QWidget::setFocus));

  connect(splitter_, &QSplitter::splitterMoved, this, [this] {
    headersChosen_ = true;
    emit headerWidthChosen();
  });
  connect(rowLine_, &RowLine::left, canvas_, qOverload<>(&QWidget::setFocus));

  connect(&state_, &ViewState::visibleChanged, this, &Timeline::syncTimeBar);
  connect(&state_, &ViewState::traceChanged, this, &Timeline::syncTimeBar);
  connect(&state_, &ViewState::visibleChanged, this, [this] { followPointer(pointer_); });
  connect(&state_, &ViewState::guideChanged, this, &Timeline::showCursor);
  // A call that changes nothing begins the gesture that the moves of the slider go on with.
  connect(timeBar_, &QScrollBar::sliderPressed, this, [this] { state_.setVisible(state_.visible()); });
  connect(timeBar_, &QScrollBar::valueChanged, this, [this](int value) {
    const trace::TimeRange visible = state_.visible();
    const ScrollMap map(state_.trace()->range, visible);
    state_.setVisible({map.beginAt(value), map.beginAt(value) + visible.length()}, timeBar_->isSliderDown());
  });
  syncTimeBar();
  syncRowBar();

  canvas_->setAccessibleName(tr("Timeline"));
  headers_->setAccessibleName(tr("Rows"));
  ruler_->setAccessibleName(tr("Time ruler"));
  overview_->setAccessibleName(tr("Overview"));
  const auto speak = [this] { canvas_->setAccessibleDescription(spokenState(state_)); };
  connect(&state_, &ViewState::currentChanged, this, speak);
  connect(&state_, &ViewState::currentRowChanged, this, speak);
  connect(&state_, &ViewState::selectionChanged, this, speak);
  connect(&state_, &ViewState::rowsChanged, this, speak);
}

void Timeline::setLegendShown(bool shown) { legend_->setMaximumHeight(shown ? QWIDGETSIZE_MAX : 0); }

void Timeline::setHeaderWidth(int width) {
  headersChosen_ = true;
  splitter_->setSizes({width, std::max(1, splitter_->width() - width)});
}

/// The rows are what a narrow window is for.
void Timeline::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (headersChosen_) return;
  const int width = std::min(headers_->sizeHint().width(), splitter_->width() / 3);
  if (width != headers_->width()) splitter_->setSizes({width, std::max(1, splitter_->width() - width)});
}

bool Timeline::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
      alignStrips();
      syncRowBar();
      break;
    case QEvent::MouseMove: {
      const qreal x = static_cast<QMouseEvent*>(event)->position().x();
      if (watched == canvas_) followPointer(x);
      if (watched == ruler_ && x >= canvas_->x()) followPointer(x - canvas_->x());
      break;
    }
    case QEvent::Leave:
      followPointer(std::nullopt);
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

void Timeline::followPointer(std::optional<qreal> canvasX) {
  pointer_ = canvasX;
  const auto time = canvasX ? std::optional(canvas_->timeAt(*canvasX)) : std::nullopt;
  state_.setPointerTime(time);
  showCursor();
}

void Timeline::showCursor() {
  const auto time = pointer_ ? state_.pointerTime() : state_.guide();
  ruler_->setCursorTime(time);
  headers_->setCursorTime(time);
}

void Timeline::alignStrips() {
  const int left = splitter_->x() + canvas_->x();
  overview_->setCanvasSpan(left, canvas_->width());
  ruler_->setCanvasSpan(left, canvas_->width());
}

void Timeline::syncTimeBar() {
  const ScrollMap map(state_.trace()->range, state_.visible());
  const QSignalBlocker silence(timeBar_);
  timeBar_->setRange(0, map.maximum);
  timeBar_->setPageStep(map.page);
  timeBar_->setSingleStep(std::max(1, map.page / 10));
  timeBar_->setValue(map.value);
  timeBar_->setVisible(map.maximum > 0);
}

void Timeline::syncRowBar() {
  const QSignalBlocker silence(rowBar_);
  rowBar_->setRange(0, canvas_->maximumScroll());
  rowBar_->setPageStep(canvas_->height());
  rowBar_->setSingleStep(kRowStep);
  rowBar_->setValue(canvas_->scroll());
  rowBar_->setVisible(canvas_->maximumScroll() > 0);
  headers_->setScrollY(canvas_->scroll());
}

}  // namespace lanescope::views
