// SPDX-License-Identifier: Apache-2.0
#include "model/trace/counter.h"

#include <algorithm>
#include <cassert>

namespace lanescope::trace {

Counter::Counter(std::string name, Unit unit, Times times, std::vector<double> values)
    : name_(std::move(name)), unit_(unit), times_(std::move(times)) {
  assert(times_ && times_->size() == values.size());
  std::vector<MinMax> below;
  below.reserve(values.size());
  for (double v : values) {
    below.push_back({v, v});
    max_ = std::max(max_, v);
  }
  Levels levels;
  while (below.size() > kFanout) {
    std::vector<MinMax> level;
    level.reserve((below.size() + kFanout - 1) / kFanout);
    for (std::size_t i = 0; i < below.size(); i += kFanout) {
      MinMax node = below[i];
      for (std::size_t j = i + 1; j < std::min(i + kFanout, below.size()); ++j)
        node = {std::min(node.min, below[j].min), std::max(node.max, below[j].max)};
      level.push_back(node);
    }
    levels.push_back(level);
    below = std::move(level);
  }
  values_ = std::make_shared<const std::vector<double>>(std::move(values));
  levels_ = std::make_shared<const Levels>(std::move(levels));
}

Counter Counter::moved(Ns by) const {
  Counter counter = *this;
  counter.shift_ += by;
  return counter;
}

Counter::Extent Counter::over(TimeRange range) const {
  Extent extent;
  if (size() == 0) return extent;
  const std::vector<double>& values = *values_;
  const auto indexOf = [&](Ns t) {
    return static_cast<std::size_t>(std::lower_bound(times_->begin(), times_->end(), t - shift_) - times_->begin());
  };
  std::size_t i = indexOf(range.begin);
  const std::size_t last = std::max(indexOf(range.end), i);
  if (i > 0 && (i == values.size() || time(i) > range.begin)) --i;  // what holds at the begin
  if (i >= last) return extent;

  extent = {true, values[i], values[i], values[last - 1]};
  const auto take = [&](double low, double high) {
    extent.min = std::min(extent.min, low);
    extent.max = std::max(extent.max, high);
  };
  while (i < last) {  // the largest aligned node that fits, again and again
    std::size_t width = 1;
    std::size_t level = 0;
    while (level < levels_->size() && i % (width * kFanout) == 0 && i + width * kFanout <= last)
      width *= kFanout, ++level;
    if (level == 0) take(values[i], values[i]);
    else take((*levels_)[level - 1][i / width].min, (*levels_)[level - 1][i / width].max);
    i += width;
  }
  return extent;
}

double Counter::mean(TimeRange range) const {
  if (size() == 0 || range.empty()) return 0;
  auto i = static_cast<std::size_t>(std::upper_bound(times_->begin(), times_->end(), range.begin - shift_) -
                                    times_->begin());
  if (i > 0) --i;
  double sum = 0;
  for (; i < size() && time(i) < range.end; ++i) {
    const Ns from = std::max(time(i), range.begin);
    const Ns to = i + 1 < size() ? std::min(time(i + 1), range.end) : range.end;
    sum += value(i) * static_cast<double>(to - from);
  }
  return sum / static_cast<double>(range.length());
}

std::size_t Counter::bytes() const {
  if (!values_) return 0;
  std::size_t total = values_->capacity() * sizeof(double);
  for (const auto& level : *levels_) total += level.capacity() * sizeof(MinMax);
  return total;
}

}  // namespace lanescope::trace
