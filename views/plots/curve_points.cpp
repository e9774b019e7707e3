// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/curve_points.h"

#include <algorithm>
#include <ranges>

#include "views/scale.h"

namespace lanescope::views {
namespace {

using Extent = trace::Counter::Extent;

constexpr std::size_t kWalk = 64;  // samples of one column that are looked at one by one

std::size_t lowerBound(const trace::Counter& counter, trace::Ns t) {
  const auto indices = std::views::iota(std::size_t{0}, counter.size());
  return *std::ranges::partition_point(indices, [&](std::size_t i) { return counter.time(i) < t; });
}

/// Adds columns from left to right; what lies between two holds the last value.
class Builder {
 public:
  Builder(CurveShape& shape, int width) : shape_(shape), width_(width) {
    shape_.greatest.assign(static_cast<std::size_t>(width), -1);
  }

  void hold(double value) {
    any_ = true;
    last_ = value;
    shape_.line.push_back({0, value});
  }

  void column(int x, const Extent& extent) {
    x = std::clamp(x, 0, width_ - 1);
    holdUntil(x);
    const double before = any_ ? last_ : extent.last;
    shape_.greatest[static_cast<std::size_t>(x)] = std::max(extent.max, any_ ? before : extent.max);
    next_ = x + 1;
    if (any_ && extent.min == last_ && extent.max == last_) return;
    for (const double value : {before, extent.min, extent.max, extent.last})
      if (shape_.line.empty() || shape_.line.back() != CurvePoint{x, value}) shape_.line.push_back({x, value});
    any_ = true;
    last_ = extent.last;
  }

  void finish() {
    holdUntil(width_);
    if (any_) shape_.line.push_back({width_, last_});
  }

 private:
  void holdUntil(int x) {
    if (any_)
      for (; next_ < x; ++next_) shape_.greatest[static_cast<std::size_t>(next_)] = last_;
    next_ = std::max(next_, x);
  }

  CurveShape& shape_;
  int width_;
  int next_ = 0;  // first column without a greatest value
  bool any_ = false;
  double last_ = 0;
};

}  // namespace

CurveShape curveShape(const trace::Counter& counter, trace::TimeRange visible, int width) {
  CurveShape shape;
  if (counter.size() == 0 || width <= 0 || visible.empty()) return shape;
  Builder builder(shape, width);
  const Scale scale{visible, width};
  const std::size_t first = lowerBound(counter, visible.begin), end = lowerBound(counter, visible.end);
  if (first > 0) builder.hold(counter.value(first - 1));

  std::size_t i = first;
  for (int x = 0; x < width && i < end; ++x) {
    const trace::TimeRange column = scale.column(x);
    if (counter.time(i) >= column.end) continue;
    Extent extent{true, counter.value(i), counter.value(i), counter.value(i)};
    for (const std::size_t enough = i + kWalk; i < end && counter.time(i) < column.end; ++i) {
      if (i == enough) {  // a crowd: ask the pyramid
        extent = counter.over(column);
        i = lowerBound(counter, column.end);
        break;
      }
      extent.last = counter.value(i);
      extent.min = std::min(extent.min, extent.last);
      extent.max = std::max(extent.max, extent.last);
    }
    builder.column(x, extent);
  }
  builder.finish();
  return shape;
}

}  // namespace lanescope::views
