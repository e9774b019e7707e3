// SPDX-License-Identifier: Apache-2.0
#include "model/trace/samples.h"

#include <algorithm>
#include <cmath>

namespace lanescope::trace {

bool Samples::add(Ns time, double value) {
  if (time < kMinTime || time > kMaxTime || !std::isfinite(value)) return false;
  samples_.emplace_back(time, value);
  return true;
}

Counter Samples::counter(std::string name, Counter::Unit unit) && {
  using Sample = std::pair<Ns, double>;
  if (!std::ranges::is_sorted(samples_, {}, &Sample::first)) std::ranges::stable_sort(samples_, {}, &Sample::first);
  auto times = std::make_shared<std::vector<Ns>>();
  std::vector<double> values;
  times->reserve(samples_.size());
  values.reserve(samples_.size());
  for (const auto& [time, value] : samples_) times->push_back(time), values.push_back(value);
  samples_ = {};
  return {std::move(name), unit, std::move(times), std::move(values)};
}

}  // namespace lanescope::trace
