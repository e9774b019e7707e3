// SPDX-License-Identifier: Apache-2.0
// The metrics of a set that a chip can count at the same time, with the image that programs its counters and CUPTI's
// object that turns counts into values. Chosen greedily: a row takes its first counter that exists and leaves all in one
// pass. About 10 ms a row that the chip lacks, nothing for the others. One thread; movable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collector/sample/metric_table.h"
#include "collector/sample/pm_library.h"

namespace lanescope::sample {

class PmConfig {
 public:
  /// `availability` as CUPTI gives it for the GPU, empty for what the chip has in general. The error is the last one of
  /// CUPTI if no row at all can be had.
  static PmResult<PmConfig> choose(const PmLibrary& library, const std::string& chip,
                                   const std::vector<std::uint8_t>& availability, const MetricSet& set);
  PmConfig(PmConfig&& other) noexcept;
  PmConfig& operator=(PmConfig&& other) noexcept;
  ~PmConfig();

  const std::vector<std::string>& titles() const { return titles_; }
  const std::vector<std::string>& counters() const { return counters_; }
  const std::vector<std::string>& missing() const { return missing_; }  ///< titles that are not to be had

  /// Pointers to the counters, valid while this lives.
  const char** names() { return names_.data(); }
  std::size_t count() const { return names_.size(); }
  /// CUPTI keeps a pointer to it, so it stays where it is.
  const std::vector<std::uint8_t>& image() const { return image_; }
  CUpti_Profiler_Host_Object* host() const { return host_; }

 private:
  explicit PmConfig(const PmLibrary& library) : library_(&library) {}
  /// Empty where the counters do not fit into one pass.
  PmResult<bool> take(const std::string& chip, const std::vector<std::uint8_t>& availability,
                      const std::vector<std::string>& counters);
  void release();

  const PmLibrary* library_;
  std::vector<std::string> titles_, counters_, missing_;
  std::vector<const char*> names_;
  std::vector<std::uint8_t> image_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
};

}  // namespace lanescope::sample
