// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/histogram.h"

#include <qcustomplot.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QSet>
#include <QVBoxLayout>
#include <algorithm>

#include "model/format.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr double kLeastHeight = 0.025;  // of the highest bar
constexpr double kAir = 1.08;           // above the highest bar
constexpr double kBarWidth = 0.88;

/// As many digits as tell them apart, but none behind a round one.
QStringList textsOf(const std::vector<trace::Ns>& durations) {
  QStringList texts;
  for (int most = 4; most <= 19; ++most) {
    texts.clear();
    for (const trace::Ns duration : durations) {
      int digits = 1;
      trace::Ns unit = 1;
      while (unit <= duration / 10) unit *= 10;
      for (; unit > 1 && duration % unit != 0; unit /= 10) ++digits;
      texts += QString::fromStdString(formatDuration(duration, std::min(digits, most)));
    }
    if (QSet<QString>(texts.begin(), texts.end()).size() == texts.size()) break;
  }
  return texts;
}

/// The ticks that it is given, with a label where there is a text.
class DurationTicker : public QCPAxisTickerText {
 public:
  explicit DurationTicker(const std::vector<DurationTick>& ticks) {
    std::vector<trace::Ns> labelled;
    for (const DurationTick& tick : ticks)
      if (tick.labelled) labelled.push_back(tick.at);
    const QStringList texts = textsOf(labelled);
    qsizetype next = 0;
    for (const DurationTick& tick : ticks) {
      if (tick.labelled) addTick(tick.place, texts[next++]);
      else between_ += tick.place;
    }
  }

 protected:
  QVector<double> createSubTickVector(int, const QVector<double>&) override { return between_; }

 private:
  QVector<double> between_;
};

}  // namespace

QString durationSpan(trace::Ns from, trace::Ns to) {
  if (from == to) return QString::fromStdString(formatDuration(from));
  // As many digits as tell the two apart, but no more than there are.
  for (int digits = 3; digits <= 12; ++digits) {
    QString a = QString::fromStdString(formatDuration(from, digits));
    const QString b = QString::fromStdString(formatDuration(to, digits));
    if (a == b) continue;
    const qsizetype unit = a.lastIndexOf(' ');
    if (a.mid(unit) == b.mid(b.lastIndexOf(' '))) a.truncate(unit);
    return a + QStringLiteral(" – ") + b;
  }
  return QString::fromStdString(formatDuration(from));
}

// The axes count bins and events, which a double holds; bins of equal width on the axis serve both scales.
Histogram::Histogram(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
  setFocusPolicy(Qt::StrongFocus);
  plot_->setFocusPolicy(Qt::NoFocus);
  plot_->setMouseTracking(true);
  plot_->installEventFilter(this);
  plot_->xAxis->grid()->setVisible(false);
  plot_->xAxis->setTickLabelPadding(6);
  plot_->yAxis->setSubTicks(false);
  plot_->yAxis->setBasePen(Qt::NoPen);
  plot_->yAxis->setTickPen(Qt::NoPen);
  plot_->yAxis->grid()->setZeroLinePen(Qt::NoPen);
  bars_ = new QCPBars(plot_->xAxis, plot_->yAxis);
  marked_ = new QCPBars(plot_->xAxis, plot_->yAxis);
  for (QCPBars* bars : {bars_, marked_}) {
    bars->setWidth(kBarWidth);
    bars->setPen(Qt::NoPen);
    bars->setAntialiased(false);
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(plot_);
  connect(&Theme::instance(), &Theme::changed, this, &Histogram::style);
  style();
}

void Histogram::setBins(Bins bins, QColor colour) {
  const bool same = bins.edges == bins_.edges;
  bins_ = std::move(bins);
  colour_ = colour;
  if (!same) {
    run_.reset();
    pressed_.reset();
  }
  const std::uint64_t most = bins_.empty() ? 1 : *std::max_element(bins_.counts.begin(), bins_.counts.end());
  least_ = kLeastHeight * static_cast<double>(most);
  QVector<double> places, heights;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    places += static_cast<double>(i) + 0.5;
    const auto count = static_cast<double>(bins_.counts[i]);
    heights += count == 0 ? 0 : std::max(count, least_);
  }
  bars_->setData(places, heights, true);
  // A little wider, or the ticks at the very ends are left out.
  plot_->xAxis->setRange(-0.001, static_cast<double>(std::max<std::size_t>(bins_.size(), 1)) + 0.001);
  plot_->yAxis->setRange(0, kAir * static_cast<double>(most));
  style();
}

void Histogram::style() {
  const ThemeColours& colours = Theme::colours();
  plot_->setBackground(colours.panel);
  for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
    axis->setTickLabelFont(Theme::figures(-1));
    axis->setTickLabelColor(colours.textDim);
  }
  plot_->xAxis->setBasePen(QPen(colours.textFaint));
  plot_->xAxis->setTickPen(QPen(colours.textFaint));
  plot_->xAxis->setSubTickPen(QPen(colours.textFaint));
  plot_->yAxis->grid()->setPen(QPen(colours.hairline));
  bars_->setBrush(colour_.isValid() ? colour_ : colours.accent);
  marked_->setBrush(colours.accent);
  labelAxes();
  mark(run_);
}

void Histogram::labelAxes() {
  const int label = QFontMetrics(Theme::figures(-1)).horizontalAdvance(QStringLiteral("00.00 µs"));
  plot_->axisRect()->setMinimumMargins(QMargins(label / 2, 4, label / 2, 0));
  const double perBin =
      std::max(width() - 2 * label, label) / static_cast<double>(std::max<std::size_t>(bins_.size(), 1));
  plot_->xAxis->setTicker(QSharedPointer<DurationTicker>::create(durationTicks(bins_, label / perBin)));
  const auto counts = QSharedPointer<QCPAxisTickerFixed>::create();
  const double top = plot_->yAxis->range().upper;
  double unit = 1;  // 1, 2, 5, 10, … so that about three lines stand
  for (int i = 0; top / unit > 4 && i < 64; ++i) unit *= i % 3 == 1 ? 2.5 : 2;
  counts->setTickStep(unit);
  plot_->yAxis->setTicker(counts);
  plot_->yAxis->setNumberFormat(QStringLiteral("f"));
  plot_->yAxis->setNumberPrecision(0);
}

QStringList Histogram::axisLabels() const {
  return static_cast<QCPAxisTickerText*>(plot_->xAxis->ticker().data())->ticks().values();  // by place
}

QString Histogram::saying(std::size_t first, std::size_t last) const {
  std::uint64_t count = 0;
  for (std::size_t i = first; i <= last; ++i) count += bins_.counts[i];
  const QString events = count == 1 ? tr("1 event") : tr("%1 events").arg(QString::fromStdString(formatCount(count)));
  return events + QStringLiteral(" · ") + durationSpan(bins_.edges[first], bins_.edges[last + 1] - 1);
}

std::optional<std::size_t> Histogram::binAt(QPointF at) const {
  const QRect area = plot_->axisRect()->rect();
  const QPointF inside = at - plot_->pos();
  if (bins_.empty() || inside.x() < area.left() || inside.x() > area.right()) return std::nullopt;
  const double place = plot_->xAxis->pixelToCoord(inside.x());
  return std::min(static_cast<std::size_t>(std::max(place, 0.0)), bins_.size() - 1);
}

QPoint Histogram::middleOf(std::size_t bin) const {
  const QRect area = plot_->axisRect()->rect();
  const double x = plot_->xAxis->coordToPixel(static_cast<double>(bin) + 0.5);
  return plot_->pos() + QPoint(static_cast<int>(x), area.center().y());
}

void Histogram::mark(std::optional<Run> run) {
  run_ = run;
  const QString text = run ? saying(run->first, run->last) : QString();
  QVector<double> places, heights;
  if (run) {
    for (std::size_t i = run->first; i <= run->last; ++i) {
      if (bins_.counts[i] == 0) continue;
      places += static_cast<double>(i) + 0.5;
      heights += std::max(static_cast<double>(bins_.counts[i]), least_);
    }
  }
  setAccessibleDescription(text);
  emit said(text);
  marked_->setData(places, heights, true);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void Histogram::pick(Run run) {
  mark(run);
  const auto from = bins_.counts.begin() + static_cast<std::ptrdiff_t>(run.first);
  const auto to = bins_.counts.begin() + static_cast<std::ptrdiff_t>(run.last) + 1;
  if (std::all_of(from, to, [](std::uint64_t count) { return count == 0; })) return;
  emit picked(bins_.edges[run.first], bins_.edges[run.last + 1]);
}

bool Histogram::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) labelAxes();
  return mouse(event) || QWidget::eventFilter(watched, event);
}

bool Histogram::mouse(QEvent* event) {
  if (event->type() == QEvent::Leave) {
    if (!hasFocus()) mark(std::nullopt);
    return false;
  }
  const bool press = event->type() == QEvent::MouseButtonPress, release = event->type() == QEvent::MouseButtonRelease;
  if (!press && !release && event->type() != QEvent::MouseMove) return false;
  const auto* mouse = static_cast<QMouseEvent*>(event);
  const QPointF at = mouse->position() + plot_->pos();
  const std::optional<std::size_t> bin = binAt(at);
  if (press && mouse->button() == Qt::LeftButton) {
    setFocus(Qt::MouseFocusReason);
    pressed_ = bin;
  }
  if (!bin) {
    if (release) pressed_.reset();
    return true;
  }
  const auto [first, last] = std::minmax({*bin, pressed_.value_or(*bin)});
  const Run run{first, last};
  if (release && mouse->button() == Qt::LeftButton) {
    if (pressed_) pick(run);
    pressed_.reset();
    return true;
  }
  mark(run);
  return true;
}

void Histogram::keyPressEvent(QKeyEvent* event) {
  if (bins_.empty()) return QWidget::keyPressEvent(event);
  const bool grows = event->modifiers() & Qt::ShiftModifier;
  const std::size_t last = bins_.size() - 1;
  switch (event->key()) {
    case Qt::Key_Right: {
      const std::size_t to = run_ ? std::min(run_->last + 1, last) : 0;
      mark(Run{grows && run_ ? run_->first : to, to});
      break;
    }
    case Qt::Key_Left: {
      const std::size_t to = run_ ? run_->first - (run_->first > 0) : last;
      mark(Run{to, grows && run_ ? run_->last : to});
      break;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (run_) pick(*run_);
      break;
    case Qt::Key_Escape:
      emit left();
      break;
    default:
      QWidget::keyPressEvent(event);
      return;
  }
}

void Histogram::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  mark(std::nullopt);
}

}  // namespace lanescope::views
