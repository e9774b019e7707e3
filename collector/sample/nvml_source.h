// SPDX-License-Identifier: Apache-2.0
// A GPU's metrics by NVML into its file. One thread.
#pragma once

#include <cstdint>
#include <memory>

#include "collector/sample/metric_file.h"
#include "collector/sample/nvml.h"
#include "collector/sample/sample_clock.h"

namespace lanescope::sample {

class NvmlSource {
 public:
  /// Says into the file what the samples will hold. At most `hertz`, and at most 20.
  static tl::expected<std::unique_ptr<NvmlSource>, std::string> open(const std::string& uuid, std::uint64_t hertz,
                                                                     MetricFile& file);

  void start(MetricFile& file) { drain(file); }
  void stop(MetricFile&) {}
  bool drain(MetricFile& file);  ///< never has more
  std::uint64_t between() const { return interval_; }

  const SampleClock& clock() const { return clock_; }

 private:
  NvmlSource(Nvml nvml, std::uint64_t interval) : nvml_(std::move(nvml)), interval_(interval) {}

  Nvml nvml_;
  std::uint64_t interval_;
  SampleClock clock_;
};

}  // namespace lanescope::sample
