// SPDX-License-Identifier: Apache-2.0
// A value over time: a GPU metric, memory in use. Samples ascend in time and hold until the next one.
// Min/max/last pyramids over blocks of samples make a pixel column cost O(log n) whatever it covers.
// Immutable once built. Metrics sampled together share one column of times.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/trace/time.h"

namespace lanescope::trace {

class Counter {
 public:
  enum class Unit : std::uint8_t { kPercent, kHertz, kBytes, kCount };
  using Times = std::shared_ptr<const std::vector<Ns>>;

  struct Extent {
    bool any = false;  ///< false before the first sample
    double min = 0, max = 0, last = 0;
  };

  Counter() = default;
  /// `times` and `values` have one length; times ascend.
  Counter(std::string name, Unit unit, Times times, std::vector<double> values);

  const std::string& name() const { return name_; }
  Unit unit() const { return unit_; }
  std::size_t size() const { return values_ ? values_->size() : 0; }
  Ns time(std::size_t i) const { return (*times_)[i] + shift_; }
  double value(std::size_t i) const { return (*values_)[i]; }
  double max() const { return max_; }  ///< over all samples, 0 if none
  TimeRange span() const { return size() == 0 ? TimeRange{} : TimeRange{time(0), time(size() - 1)}; }

  /// The same samples `by` later, sharing them. O(1).
  Counter moved(Ns by) const;

  /// Samples in [range.begin, range.end) and the value that holds at its begin. O(log n).
  Extent over(TimeRange range) const;

  /// Mean over the range weighted by time, each sample holding until the next; 0 before the first. O(samples in range).
  double mean(TimeRange range) const;

  std::size_t bytes() const;  ///< without the shared times

 private:
  static constexpr std::size_t kFanout = 16;
  struct MinMax {
    double min, max;
  };
  std::string name_;
  Unit unit_ = Unit::kCount;
  Times times_;
  Ns shift_ = 0;  // of the times
  std::shared_ptr<const std::vector<double>> values_;
  using Levels = std::vector<std::vector<MinMax>>;
  std::shared_ptr<const Levels> levels_;  // level k: kFanout^(k+1) samples a node
  double max_ = 0;
};

}  // namespace lanescope::trace
