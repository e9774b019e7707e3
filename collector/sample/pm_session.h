// SPDX-License-Identifier: Apache-2.0
// One GPU whose counters are sampled by its hardware at a fixed interval into a buffer, which drain() empties. Nobody else
// can sample this GPU meanwhile; the driver releases it when the process ends, however it does. One thread at a time; other
// sessions may run in other threads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

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
  /// Reads what the hardware holds, and hands over what was read two drains before, oldest first; values by config(), times
  /// as CUPTI tells them. True if there is more to read. Values are worked out in a thread beside, because both together
  /// take most of a core at 10 kHz.
  PmResult<bool> drain(const Take& take);
  /// Hands over all that was read.
  PmResult<void> rest(const Take& take);

  bool isOn() const { return on_; }
  /// How often the buffer was full, so that samples were lost; sampling began anew then.
  std::uint64_t overflows() const { return overflows_; }

  /// What it took so far, in ns of processor time.
  struct Cost {
    std::uint64_t decode = 0, evaluate = 0;
  };
  const Cost& cost() const { return cost_; }

 private:
  PmSession(const PmLibrary& library, PmConfig config) : library_(library), config_(std::move(config)) {}
  PmResult<void> configure(std::uint64_t interval, std::uint64_t between);

  /// CUPTI's counter data with the samples of one reading.
  struct Image {
    std::vector<std::uint8_t> bytes;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> times;  ///< start and end of each sample
    std::vector<double> values;  ///< of each sample in turn
    std::future<PmResult<void>> evaluated;  ///< invalid: nothing to hand over
    std::uint64_t cost = 0;
    bool isAnew = false;  ///< sampling began before the first of its samples
  };
  PmResult<void> empty(Image& image) const;
  PmResult<void> readTimes(Image& image) const;
  PmResult<void> evaluate(Image& image);
  PmResult<void> hand(Image& image, const Take& take);

  const PmLibrary& library_;
  PmConfig config_;
  std::string chip_;
  CUpti_PmSampling_Object* object_ = nullptr;
  std::uint64_t overflows_ = 0;
  Cost cost_;
  bool on_ = false, isAnew_ = true, skips_ = false;
  std::mutex evaluating_;  ///< two evaluations at once break CUPTI's host object (crashes, CUPTI 2025.3)
  std::size_t turn_ = 0;  ///< the image to read into next; the other was read before
  std::array<Image, 2> images_;  // last, so that their threads end first
};

}  // namespace lanescope::sample
