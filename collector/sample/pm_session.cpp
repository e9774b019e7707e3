// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/pm_session.h"

#include <algorithm>
#include <utility>

#include "collector/sample/metric_file.h"

namespace lanescope::sample {
namespace {

// Sampling by time is not there on Turing and GA100, and keeping the latest samples is not on Turing (cupti_pmsampling.h).
bool isTuring(const std::string& chip) { return chip.starts_with("TU"); }
bool countsCycles(const std::string& chip) { return isTuring(chip) || chip == "GA100"; }

/// Adds the processor time of this thread while it lives.
class Clocked {
 public:
  explicit Clocked(std::uint64_t& sum) : sum_(sum), from_(readClock(CLOCK_THREAD_CPUTIME_ID)) {}
  Clocked(const Clocked&) = delete;
  Clocked& operator=(const Clocked&) = delete;
  ~Clocked() { sum_ += readClock(CLOCK_THREAD_CPUTIME_ID) - from_; }

 private:
  std::uint64_t& sum_;
  std::uint64_t from_;
};

}  // namespace

PmResult<std::unique_ptr<PmSession>> PmSession::open(const PmLibrary& library, std::size_t device, const MetricSet& set,
                                                     std::uint64_t interval, std::uint64_t between) {
  LANESCOPE_PM_PARAMS(CUpti_Device_GetChipName_Params, chip);
  chip.deviceIndex = device;
  LANESCOPE_PM_TRY(library, cuptiDeviceGetChipName, chip);
  LANESCOPE_PM_PARAMS(CUpti_PmSampling_GetCounterAvailability_Params, available);
  available.deviceIndex = device;
  LANESCOPE_PM_TRY(library, cuptiPmSamplingGetCounterAvailability, available);
  std::vector<std::uint8_t> availability(available.counterAvailabilityImageSize);
  available.pCounterAvailabilityImage = availability.data();
  LANESCOPE_PM_TRY(library, cuptiPmSamplingGetCounterAvailability, available);

  const std::string name = chip.pChipName ? chip.pChipName : "";
  PmResult<PmConfig> config = PmConfig::choose(library, name, availability, set);
  if (!config) return tl::unexpected(config.error());
  std::unique_ptr<PmSession> session(new PmSession(library, std::move(*config)));
  session->chip_ = name;

  LANESCOPE_PM_PARAMS(CUpti_PmSampling_Enable_Params, enable);
  enable.deviceIndex = device;
  LANESCOPE_PM_TRY(library, cuptiPmSamplingEnable, enable);
  session->object_ = enable.pPmSamplingObject;
  if (const PmResult<void> done = session->configure(interval, between); !done) return tl::unexpected(done.error());
  return session;
}

PmResult<void> PmSession::configure(std::uint64_t interval, std::uint64_t between) {
  // A GPU's clock is between 1 and 2 GHz when busy: cycles for ns are near enough, and samples carry their times.
  LANESCOPE_PM_PARAMS(CUpti_PmSampling_SetConfig_Params, params);
  params.pPmSamplingObject = object_;
  params.configSize = config_.image().size();
  params.pConfig = config_.image().data();
  params.samplingInterval = interval;
  params.triggerMode = countsCycles(chip_) ? CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL
                                           : CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
  params.hwBufferAppendMode = isTuring(chip_) ? CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST
                                              : CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_LATEST;
  // Plenty, because it bridges the time in which the system does not let us run; a sample takes up to 64 KB (GH100).
  constexpr std::uint64_t kOften = 200'000;
  constexpr std::size_t kSmallest = 16u << 20;
  CUptiResult result = CUPTI_ERROR_OUT_OF_MEMORY;
  for (std::size_t bytes = interval <= kOften ? 256u << 20 : 64u << 20; bytes >= kSmallest && result != CUPTI_SUCCESS;
       bytes /= 2) {
    params.hardwareBufferSize = bytes;
    result = library_.cuptiPmSamplingSetConfig(&params);
  }
  if (result != CUPTI_SUCCESS) return tl::unexpected(troubleOf(library_, "cuptiPmSamplingSetConfig", result));

  LANESCOPE_PM_PARAMS(CUpti_PmSampling_GetCounterDataSize_Params, size);
  size.pPmSamplingObject = object_;
  size.pMetricNames = config_.names();
  size.numMetrics = config_.count();
  // Many times what comes between two drains, for where an image is full, the samples behind are lost (seen on GH100), and
  // the driver holds a drain up for a quarter of a second while a program begins. The buffer holds no more than this.
  constexpr std::uint64_t kTimes = 10;
  const std::uint64_t most = kTimes * between / std::max<std::uint64_t>(interval, 1);
  size.maxSamples = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most, 64, 4096));
  LANESCOPE_PM_TRY(library_, cuptiPmSamplingGetCounterDataSize, size);
  for (Image& image : images_) {
    image.bytes.assign(size.counterDataSize, 0);
    if (const PmResult<void> done = empty(image); !done) return done;
  }
  return {};
}

PmSession::~PmSession() {
  for (Image& image : images_) {
    if (image.evaluated.valid()) image.evaluated.wait();
  }
  if (on_) [[maybe_unused]]
    const auto ignored = stop();
  if (!object_) return;
  LANESCOPE_PM_PARAMS(CUpti_PmSampling_Disable_Params, params);
  params.pPmSamplingObject = object_;
  library_.cuptiPmSamplingDisable(&params);
}

PmResult<void> PmSession::empty(Image& image) const {
  LANESCOPE_PM_PARAMS(CUpti_PmSampling_CounterDataImage_Initialize_Params, params);
  params.pPmSamplingObject = object_;
  params.counterDataSize = image.bytes.size();
  params.pCounterData = image.bytes.data();
  LANESCOPE_PM_TRY(library_, cuptiPmSamplingCounterDataImageInitialize, params);
  return {};
}

PmResult<void> PmSession::start() {
  LANESCOPE_PM_PARAMS(CUpti_PmSampling_Start_Params, params);
  params.pPmSamplingObject = object_;
  LANESCOPE_PM_TRY(library_, cuptiPmSamplingStart, params);
  on_ = true;
  isAnew_ = true;
  return {};
}

PmResult<void> PmSession::stop() {
  on_ = false;
  LANESCOPE_PM_PARAMS(CUpti_PmSampling_Stop_Params, params);
  params.pPmSamplingObject = object_;
  LANESCOPE_PM_TRY(library_, cuptiPmSamplingStop, params);
  return {};
}

PmResult<void> PmSession::readTimes(Image& image) const {
  LANESCOPE_PM_PARAMS(CUpti_PmSampling_GetCounterDataInfo_Params, info);
  info.pCounterDataImage = image.bytes.data();
  info.counterDataImageSize = image.bytes.size();
  LANESCOPE_PM_TRY(library_, cuptiPmSamplingGetCounterDataInfo, info);
  for (std::size_t i = 0; i < info.numCompletedSamples; ++i) {
    LANESCOPE_PM_PARAMS(CUpti_PmSampling_CounterData_GetSampleInfo_Params, times);
    times.pPmSamplingObject = object_;
    times.pCounterDataImage = image.bytes.data();
    times.counterDataImageSize = image.bytes.size();
    times.sampleIndex = i;
    LANESCOPE_PM_TRY(library_, cuptiPmSamplingCounterDataGetSampleInfo, times);
    image.times.emplace_back(times.startTimestamp, times.endTimestamp);
  }
  return {};
}

PmResult<void> PmSession::evaluate(Image& image) {
  const std::lock_guard alone(evaluating_);
  const Clocked clocked(image.cost);
  const std::size_t metrics = config_.count();
  image.values.resize(image.times.size() * metrics);
  for (std::size_t i = 0; i < image.times.size(); ++i) {
    LANESCOPE_PM_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, values);
    values.pHostObject = config_.host();
    values.pCounterDataImage = image.bytes.data();
    values.counterDataImageSize = image.bytes.size();
    values.rangeIndex = i;
    values.ppMetricNames = config_.names();
    values.numMetrics = metrics;
    values.pMetricValues = image.values.data() + i * metrics;
    LANESCOPE_PM_TRY(library_, cuptiProfilerHostEvaluateToGpuValues, values);
  }
  return {};
}

PmResult<void> PmSession::hand(Image& image, const Take& take) {
  if (!image.evaluated.valid()) return {};
  const PmResult<void> done = image.evaluated.get();
  cost_.evaluate += std::exchange(image.cost, 0);
  const std::size_t metrics = config_.count();
  skips_ |= std::exchange(image.isAnew, false);
  for (std::size_t i = 0; done && i < image.times.size(); ++i) {
    // The first reaches back to before the start.
    if (std::exchange(skips_, false)) continue;
    take(image.times[i].first, image.times[i].second, std::span(image.values).subspan(i * metrics, metrics));
  }
  const bool isUsed = !std::exchange(image.times, {}).empty();
  const PmResult<void> emptied = isUsed ? empty(image) : PmResult<void>();
  return done ? emptied : done;
}

PmResult<bool> PmSession::drain(const Take& take) {
  Image& image = images_[turn_];
  if (const PmResult<void> done = hand(image, take); !done) return tl::unexpected(done.error());
  LANESCOPE_PM_PARAMS(CUpti_PmSampling_DecodeData_Params, decode);
  decode.pPmSamplingObject = object_;
  decode.pCounterDataImage = image.bytes.data();
  decode.counterDataImageSize = image.bytes.size();
  const CUptiResult result = [&] {
    const Clocked clocked(cost_.decode);
    return library_.cuptiPmSamplingDecodeData(&decode);
  }();
  const bool full = result == CUPTI_ERROR_OUT_OF_MEMORY || decode.overflow != 0;
  if (result != CUPTI_SUCCESS && !full) return tl::unexpected(troubleOf(library_, "cuptiPmSamplingDecodeData", result));
  overflows_ += full;
  // Of a buffer that overflowed the image may hold what came before.
  image.isAnew = std::exchange(isAnew_, false);
  if (const PmResult<void> done = readTimes(image); !done && !full) return tl::unexpected(done.error());
  image.evaluated = std::async(std::launch::async, [this, &image] { return evaluate(image); });
  turn_ ^= 1;
  if (result == CUPTI_ERROR_OUT_OF_MEMORY && on_) {
    PmResult<void> again = stop();
    if (again) again = start();
    if (!again) return tl::unexpected(again.error());
  }
  return result == CUPTI_SUCCESS && decode.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
}

PmResult<void> PmSession::rest(const Take& take) {
  const PmResult<void> older = hand(images_[turn_], take), newer = hand(images_[turn_ ^ 1], take);
  return older ? newer : older;
}

}  // namespace lanescope::sample
