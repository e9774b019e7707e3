// SPDX-License-Identifier: Apache-2.0
// What NVML tells of a GPU without any permission: utilisation, memory, clocks, power, temperature, PCIe traffic. A sample
// takes some 40 ms, nearly all of it asleep in NVML, which measures PCIe for 20 ms a direction. Loads libnvidia-ml for good.
// One GPU an object; different ones in different threads.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace lanescope::sample {

class Nvml {
 public:
  /// By "GPU-8ad9…". The error is for the user.
  static tl::expected<Nvml, std::string> open(const std::string& uuid);

  struct Value {
    std::string title;
    const char* call;
  };
  const std::vector<Value>& values() const { return values_; }

  /// One value each; NaN where NVML does not say.
  std::span<const double> sample();

 private:
  Nvml() = default;

  void* device_ = nullptr;
  std::vector<Value> values_;
  std::vector<double> sampled_;
};

}  // namespace lanescope::sample
