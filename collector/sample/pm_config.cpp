// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/pm_config.h"

#include <utility>

namespace lanescope::sample {

PmConfig::PmConfig(PmConfig&& other) noexcept
    : library_(other.library_),
      titles_(std::move(other.titles_)),
      counters_(std::move(other.counters_)),
      missing_(std::move(other.missing_)),
      names_(std::move(other.names_)),
      image_(std::move(other.image_)),
      host_(std::exchange(other.host_, nullptr)) {}

PmConfig& PmConfig::operator=(PmConfig&& other) noexcept {
  std::swap(library_, other.library_);
  std::swap(titles_, other.titles_);
  std::swap(counters_, other.counters_);
  std::swap(missing_, other.missing_);
  std::swap(names_, other.names_);
  std::swap(image_, other.image_);
  std::swap(host_, other.host_);
  return *this;
}

PmConfig::~PmConfig() { release(); }

void PmConfig::release() {
  if (!host_) return;
  LANESCOPE_PM_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
  params.pHostObject = std::exchange(host_, nullptr);
  library_->cuptiProfilerHostDeinitialize(&params);
}

PmResult<bool> PmConfig::take(const std::string& chip, const std::vector<std::uint8_t>& availability,
                              const std::vector<std::string>& counters) {
  release();
  LANESCOPE_PM_PARAMS(CUpti_Profiler_Host_Initialize_Params, init);
  init.profilerType = CUPTI_PROFILER_TYPE_PM_SAMPLING;
  init.pChipName = chip.c_str();
  init.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
  LANESCOPE_PM_TRY(*library_, cuptiProfilerHostInitialize, init);
  host_ = init.pHostObject;

  names_.clear();
  for (const std::string& counter : counters) names_.push_back(counter.c_str());
  LANESCOPE_PM_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
  add.pHostObject = host_;
  add.ppMetricNames = names_.data();
  add.numMetrics = names_.size();
  LANESCOPE_PM_TRY(*library_, cuptiProfilerHostConfigAddMetrics, add);

  LANESCOPE_PM_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
  size.pHostObject = host_;
  LANESCOPE_PM_TRY(*library_, cuptiProfilerHostGetConfigImageSize, size);
  image_.assign(size.configImageSize, 0);
  LANESCOPE_PM_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, get);
  get.pHostObject = host_;
  get.configImageSize = image_.size();
  get.pConfigImage = image_.data();
  LANESCOPE_PM_TRY(*library_, cuptiProfilerHostGetConfigImage, get);

  LANESCOPE_PM_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, passes);
  passes.configImageSize = image_.size();
  passes.pConfigImage = image_.data();
  LANESCOPE_PM_TRY(*library_, cuptiProfilerHostGetNumOfPasses, passes);
  return passes.numOfPasses == 1;
}

PmResult<PmConfig> PmConfig::choose(const PmLibrary& library, const std::string& chip,
                                    const std::vector<std::uint8_t>& availability, const MetricSet& set) {
  PmConfig config(library);
  PmTrouble last{CUPTI_ERROR_NOT_SUPPORTED, "none of the metrics can be had in one pass"};
  const auto fits = [&](const std::vector<std::string>& counters) {
    const PmResult<bool> taken = config.take(chip, availability, counters);
    if (!taken) last = taken.error();
    return taken.value_or(false);
  };
  // Most often all first choices are there, and one try tells.
  for (const MetricRow& row : set.rows) {
    config.titles_.push_back(row.title);
    config.counters_.push_back(row.counters.front());
  }
  if (fits(config.counters_)) return config;

  config.titles_.clear();
  config.counters_.clear();
  for (const MetricRow& row : set.rows) {
    bool found = false;
    for (const std::string& counter : row.counters) {
      std::vector<std::string> with = config.counters_;
      with.push_back(counter);
      if (found = fits(with); found) {
        config.counters_ = std::move(with);
        config.titles_.push_back(row.title);
        break;
      }
    }
    if (!found) config.missing_.push_back(row.title);
  }
  if (config.counters_.empty()) return tl::unexpected(last);
  if (!fits(config.counters_)) return tl::unexpected(last);  // the object and names of the last try are not these
  return config;
}

}  // namespace lanescope::sample
