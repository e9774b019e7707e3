// SPDX-License-Identifier: Apache-2.0
// Samples of a value in any order, on their way to a Counter.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/trace/counter.h"

namespace lanescope::trace {

/// The heading over curves that are of no process and no GPU.
inline constexpr const char* kOfNobody = "Counters";

class Samples {
 public:
  /// False for a time or value that no clock or gauge can show: it is left out.
  bool add(Ns time, double value);
  bool empty() const { return samples_.empty(); }

  /// By time; of one time the last that was added holds.
  Counter counter(std::string name, Counter::Unit unit) &&;

 private:
  std::vector<std::pair<Ns, double>> samples_;
};

}  // namespace lanescope::trace
