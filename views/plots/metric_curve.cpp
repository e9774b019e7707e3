// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/metric_curve.h"

#include <qcustomplot.h>

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <vector>

#include "views/plots/curve_points.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

/// One plot for all rows: making one costs more than drawing a curve. Both axes count device pixels, because a double
/// holds no nanoseconds since 1970.
class CurvePlot {
 public:
  CurvePlot() {
    plot_.setBackground(Qt::NoBrush);
    plot_.setPlottingHints(QCP::phFastPolylines);
    plot_.setNotAntialiasedElements(QCP::aeAll);  // steps run along the pixels anyway
    plot_.plotLayout()->setAutoMargins(QCP::msNone);
    plot_.plotLayout()->setMargins(QMargins());
    plot_.axisRect()->setAutoMargins(QCP::msNone);
    plot_.axisRect()->setMargins(QMargins());
    plot_.axisRect()->setBackground(Qt::NoBrush);
    for (QCPAxis* axis : plot_.axisRect()->axes()) {
      axis->setVisible(false);
      axis->grid()->setVisible(false);
    }
    graph_ = plot_.addGraph();
    graph_->setAdaptiveSampling(false);  // curveShape() did it
    graph_->setBrush(Qt::NoBrush);
  }

  void paint(QImage& image, const std::vector<CurvePoint>& points, double pixelsPerUnit, const QPen& pen) {
    const int width = image.width(), height = image.height();
    QVector<QCPGraphData> data;
    data.reserve(static_cast<qsizetype>(points.size()));
    const double most = height - 1.5 * pen.widthF();
    for (const CurvePoint& point : points)
      data.push_back(
          QCPGraphData(point.x + 0.5, pen.widthF() / 2 + std::clamp(point.value * pixelsPerUnit, 0.0, most)));
    graph_->data()->set(data, true);
    graph_->setPen(pen);
    plot_.xAxis->setRange(0, width);
    plot_.yAxis->setRange(0, height);
    QCPPainter painter(&image);
    plot_.toPainter(&painter, width, height);
  }

 private:
  QCustomPlot plot_;
  QCPGraph* graph_;
};

/// The tint from each column's greatest value down, by scanlines; clears the rest.
void fillBelow(QImage& image, const std::vector<double>& greatest, double pixelsPerUnit, QRgb tint) {
  const int width = image.width(), height = image.height();
  std::vector<int> top(static_cast<std::size_t>(width), height);
  for (std::size_t x = 0; x < greatest.size() && x < top.size(); ++x)
    if (greatest[x] >= 0)
      top[x] = height - static_cast<int>(std::clamp(greatest[x] * pixelsPerUnit, 0.0, double(height)));
  for (int y = 0; y < height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < width; ++x) line[x] = y >= top[static_cast<std::size_t>(x)] ? tint : 0;
  }
}

}  // namespace

double axisMax(const trace::Counter& counter) {
  if (counter.unit() == trace::Counter::Unit::kPercent) return 100;
  return counter.max() > 0 ? counter.max() : 1;
}

void paintCurve(QPainter& painter, const trace::Counter& counter, trace::TimeRange visible, const QRect& rect,
                const QColor& line, double axisMax) {
  const qreal ratio = painter.device()->devicePixelRatioF();
  const QSize size = (QSizeF(rect.size()) * ratio).toSize();
  if (size.isEmpty() || axisMax <= 0) return;
  const CurveShape shape = curveShape(counter, visible, size.width());
  if (shape.line.empty()) return;

  // Never destroyed: widgets must not outlive the application, and a static one would.
  static auto* const plot = new CurvePlot;
  static QImage image;
  if (image.size() != size) image = QImage(size, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(1);

  QPen pen(line, std::max(1.0, std::floor(ratio)));
  pen.setCosmetic(true);
  // A row of air: QCustomPlot clips a line along the very top.
  const double pixelsPerUnit = (size.height() - 2 * pen.widthF()) / axisMax;
  QColor tint = line;
  tint.setAlpha(Theme::colours().curveFill.alpha());
  fillBelow(image, shape.greatest, pixelsPerUnit, qPremultiply(tint.rgba()));
  plot->paint(image, shape.line, pixelsPerUnit, pen);
  image.setDevicePixelRatio(ratio);
  painter.drawImage(rect.topLeft(), image);
}

}  // namespace lanescope::views
