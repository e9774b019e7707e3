// SPDX-License-Identifier: Apache-2.0
// One GPU whose counters are sampled by its hardware at a fixed interval into a buffer, which drain() empties. Nobody else
// can sample this GPU meanwhile; the driver releases it when the process ends, however it does. One thread at a time; other
// sessions may run in other threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "collector/sample/pm_config.h"

namespace lanescope::sample {

class PmSession {
 public:
  /// `device`: CUDA ordinal. `interval` in ns; `between` is how much time may pass between two drains, in ns.
  static PmResult<std::unique_ptr<PmSession>> open(const PmLibrary& library, std::size_t device, const MetricSet& set,
                                                   std::uint64_t interval, std::uint64_t between);
  PmSession(const PmSession&) = delete;
  PmSession& operator=(const PmSession&) = delete;
  ~PmSession();

  const std::string& chip() const { return chip_; }
  const PmConfig& config() const { return config_; }

  PmResult<void> start();
  /// What the buffer holds then can still be drained.
  PmResult<void> stop();

  using Take = std::function<void(std::uint64_t start, std::uint64_t end, std::span<const double> values)>;
  /// Hands over every sample since the last time, oldest first; values by config(). Times as CUPTI tells them.
  PmResult<void> drain(const Take& take);

  bool isOn() const { return on_; }
  /// How often the buffer was full, so that samples were lost; sampling began anew then.
  std::uint64_t overflows() const { return overflows_; }

 private:
  PmSession(const PmLibrary& library, PmConfig config) : library_(library), config_(std::move(config)) {}
  PmResult<void> configure(std::uint64_t interval, std::uint64_t between);
  PmResult<void> emptyImage();
  PmResult<void> hand(const Take& take);

  const PmLibrary& library_;
  PmConfig config_;
  std::string chip_;
  CUpti_PmSampling_Object* object_ = nullptr;
  std::vector<std::uint8_t> image_;
  std::vector<double> values_;
  std::uint64_t overflows_ = 0;
  bool on_ = false, isFirst_ = true;
};

}  // namespace lanescope::sample
