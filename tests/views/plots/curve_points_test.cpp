// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/curve_points.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <map>
#include <random>

#include "views/plots/metric_curve.h"
#include "views/scale.h"

namespace lanescope::views {
namespace {

trace::Counter counterOf(std::vector<trace::Ns> times, std::vector<double> values) {
  return {"SMs active", trace::Counter::Unit::kPercent,
          std::make_shared<const std::vector<trace::Ns>>(std::move(times)), std::move(values)};
}

TEST(CurveShape, IsMadeOfStepsBecauseASampleHoldsUntilTheNext) {
  const trace::Counter counter = counterOf({0, 40, 70}, {10, 50, 20});
  const CurveShape shape = curveShape(counter, {0, 100}, 100);
  EXPECT_EQ(shape.line, (std::vector<CurvePoint>{{0, 10}, {40, 10}, {40, 50}, {70, 50}, {70, 20}, {100, 20}}));
  EXPECT_EQ(shape.greatest[39], 10);
  EXPECT_EQ(shape.greatest[40], 50);
  EXPECT_EQ(shape.greatest[99], 20);
}

TEST(CurveShape, BeginsAtTheFirstSample) {
  const CurveShape shape = curveShape(counterOf({50}, {30}), {0, 100}, 100);
  EXPECT_EQ(shape.line, (std::vector<CurvePoint>{{50, 30}, {100, 30}}));
  EXPECT_LT(shape.greatest[49], 0);
}

TEST(CurveShape, HoldsTheValueFromBeforeTheView) {
  const CurveShape shape = curveShape(counterOf({-50}, {30}), {0, 100}, 100);
  EXPECT_EQ(shape.line, (std::vector<CurvePoint>{{0, 30}, {100, 30}}));
}

TEST(CurveShape, HasAtMostFourPointsAColumnAndLosesNoPeak) {
  std::mt19937 random(5);
  std::vector<trace::Ns> times;
  std::vector<double> values;
  for (int i = 0; i < 20'000; ++i) times.push_back(i * 50), values.push_back(random() % 50);
  values[12'345] = 100;
  const CurveShape shape = curveShape(counterOf(times, values), {0, 1'000'000}, 500);
  std::map<int, int> perColumn;
  for (const CurvePoint& point : shape.line) ++perColumn[point.x];
  for (const auto& [x, count] : perColumn) EXPECT_LE(count, x == 0 ? 5 : 4) << x;
  EXPECT_EQ(shape.greatest[12'345 / 40], 100);
}

TEST(CurveShape, CoversTheGreatestOfEveryColumnFromSamplesAndFromColumnsAlike) {
  std::vector<trace::Ns> times;
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) times.push_back(i * 10), values.push_back(i % 7);
  const trace::Counter counter = counterOf(times, values);
  for (const int width : {250, 100, 60}) {
    const CurveShape shape = curveShape(counter, {0, 1000}, width);
    const Scale scale{{0, 1000}, width};
    for (int x = 0; x < width; ++x)
      EXPECT_GE(shape.greatest[static_cast<std::size_t>(x)], counter.over(scale.column(x)).max) << x << " of " << width;
  }
}

TEST(PaintCurve, DrawsTheLineAtTheHeightOfItsValueAndATintBelow) {
  const trace::Counter counter = counterOf({0}, {50});
  QImage image(100, 41, QImage::Format_RGB32);
  image.fill(Qt::black);
  {
    QPainter painter(&image);
    paintCurve(painter, counter, {0, 100}, image.rect(), Qt::white, axisMax(counter));
  }
  EXPECT_EQ(image.pixel(50, 20), qRgb(255, 255, 255));
  EXPECT_EQ(image.pixel(50, 5), qRgb(0, 0, 0));
  const int tint = qGreen(image.pixel(50, 38));
  EXPECT_GT(tint, 20);
  EXPECT_LT(tint, 160);
}

}  // namespace
}  // namespace lanescope::views
