// SPDX-License-Identifier: Apache-2.0
// A stand-in for libcupti's PM sampling: samples come by CLOCK_REALTIME from the start on, the nth with values that its
// number gives. The environment variable MOCK_PM, of words with commas between:
//   privileges, busy   the counters are refused
//   monotonic, own     samples are stamped on another clock
//   overflow           the buffer is full once, and 7 samples are missing
//   full               the second decoding says that sampling stopped for want of room
//   broken             the second decoding fails, and all after it
//   passes             a counter of NVLink needs a pass of its own, and DRAM's is under another name
#include <cuda.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#define MOCK extern "C" __attribute__((visibility("default"))) CUptiResult

namespace {

bool mode(std::string_view wanted) {
  const char* set = std::getenv("MOCK_PM");
  return set && ("," + std::string(set) + ",").find("," + std::string(wanted) + ",") != std::string::npos;
}

/// What tests set instead of letting time pass; 0: the clock.
std::uint64_t fixedTime = 0;

std::uint64_t now() {
  if (fixedTime != 0) return fixedTime;
  timespec time{};
  clock_gettime(mode("monotonic") ? CLOCK_MONOTONIC : CLOCK_REALTIME, &time);
  const std::uint64_t ns =
      static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000ull + static_cast<std::uint64_t>(time.tv_nsec);
  return mode("own") ? ns - 3'000'000'000'000'000ull : ns;
}

struct Image {
  std::size_t most, count;
  struct Sample {
    std::uint64_t start, end, number;
  } samples[1];
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void mockPmTime(std::uint64_t ns) { fixedTime = ns; }

struct CUpti_Profiler_Host_Object {
  std::vector<std::string> metrics;
  std::size_t passes = 0;
};
struct CUpti_PmSampling_Object {
  std::uint64_t interval = 0, started = 0, taken = 0, stopped = 0, decodes = 0;
  std::size_t most = 0;
  bool on = false;
};

MOCK cuptiGetResultString(CUptiResult result, const char** text) {
  *text = result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
          : result == CUPTI_ERROR_UNKNOWN               ? "CUPTI_ERROR_UNKNOWN"
                                                        : "CUPTI_ERROR_SOMETHING";
  return CUPTI_SUCCESS;
}
MOCK cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params*) { return CUPTI_SUCCESS; }
MOCK cuptiProfilerDeInitialize(CUpti_Profiler_DeInitialize_Params*) { return CUPTI_SUCCESS; }
MOCK cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* params) {
  params->pChipName = "GH100";
  return CUPTI_SUCCESS;
}

MOCK cuptiPmSamplingGetCounterAvailability(CUpti_PmSampling_GetCounterAvailability_Params* params) {
  if (mode("privileges")) return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  if (mode("busy")) return CUPTI_ERROR_UNKNOWN;
  if (params->pCounterAvailabilityImage)
    std::memset(params->pCounterAvailabilityImage, 1, params->counterAvailabilityImageSize);
  params->counterAvailabilityImageSize = 16;
  return CUPTI_SUCCESS;
}

MOCK cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* params) {
  if (params->pCounterAvailabilityImage && params->pCounterAvailabilityImage[15] != 1)
    return CUPTI_ERROR_INVALID_PARAMETER;
  params->pHostObject = new CUpti_Profiler_Host_Object;
  return CUPTI_SUCCESS;
}
MOCK cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* params) {
  delete params->pHostObject;
  return CUPTI_SUCCESS;
}
MOCK cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
  params->pHostObject->passes = 1;
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    const std::string_view name = params->ppMetricNames[i];
    if (name.find("__") == std::string_view::npos || name.starts_with("ctc") || name.find("CTC") == 0)
      return CUPTI_ERROR_INVALID_METRIC_NAME;
    if (mode("passes") && name.starts_with("dramc__")) return CUPTI_ERROR_INVALID_METRIC_NAME;
    if (mode("passes") && name.starts_with("nvlrx__")) params->pHostObject->passes = 2;
    params->pHostObject->metrics.emplace_back(name);
  }
  return CUPTI_SUCCESS;
}
MOCK cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* params) {
  params->configImageSize = 8;
  return CUPTI_SUCCESS;
}
MOCK cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* params) {
  std::memcpy(params->pConfigImage, &params->pHostObject->passes, 8);
  return CUPTI_SUCCESS;
}
MOCK cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
  std::memcpy(&params->numOfPasses, params->pConfigImage, 8);
  return CUPTI_SUCCESS;
}
MOCK cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
  const auto* image = reinterpret_cast<const Image*>(params->pCounterDataImage);
  if (params->rangeIndex >= image->count) return CUPTI_ERROR_INVALID_PARAMETER;
  // The real one crashes or says this, now and then, where two threads are in it.
  static std::atomic<int> inside = 0;
  struct Inside {
    bool alone = inside.fetch_add(1) == 0;
    ~Inside() { inside.fetch_sub(1); }
  } const here;
  std::this_thread::yield();
  if (!here.alone) return CUPTI_ERROR_UNKNOWN;
  const std::uint64_t number = image->samples[params->rangeIndex].number;
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    const std::string_view name = params->ppMetricNames[i];
    params->pMetricValues[i] = name.ends_with("per_second")            ? 1.98e9
                               : name.starts_with("sm__cycles_active") ? static_cast<double>(number % 2 ? 80.4 : 19.6)
                                                                       : static_cast<double>(i);
  }
  return CUPTI_SUCCESS;
}

MOCK cuptiPmSamplingEnable(CUpti_PmSampling_Enable_Params* params) {
  params->pPmSamplingObject = new CUpti_PmSampling_Object;
  return CUPTI_SUCCESS;
}
MOCK cuptiPmSamplingDisable(CUpti_PmSampling_Disable_Params* params) {
  delete params->pPmSamplingObject;
  return CUPTI_SUCCESS;
}
MOCK cuptiPmSamplingSetConfig(CUpti_PmSampling_SetConfig_Params* params) {
  if (params->hardwareBufferSize > (64u << 20)) return CUPTI_ERROR_OUT_OF_MEMORY;
  params->pPmSamplingObject->interval = params->samplingInterval;
  return CUPTI_SUCCESS;
}
MOCK cuptiPmSamplingGetCounterDataSize(CUpti_PmSampling_GetCounterDataSize_Params* params) {
  params->pPmSamplingObject->most = params->maxSamples;
  params->counterDataSize = sizeof(Image) + params->maxSamples * sizeof(Image::Sample);
  return CUPTI_SUCCESS;
}
MOCK cuptiPmSamplingCounterDataImageInitialize(CUpti_PmSampling_CounterDataImage_Initialize_Params* params) {
  auto* image = reinterpret_cast<Image*>(params->pCounterData);
  image->most = params->pPmSamplingObject->most;
  image->count = 0;
  return CUPTI_SUCCESS;
}
MOCK cuptiPmSamplingStart(CUpti_PmSampling_Start_Params* params) {
  auto& object = *params->pPmSamplingObject;
  if (object.on) return CUPTI_ERROR_INVALID_OPERATION;
  object.on = true;
  object.started = now();
  object.taken = 0;
  return CUPTI_SUCCESS;
}
MOCK cuptiPmSamplingStop(CUpti_PmSampling_Stop_Params* params) {
  auto& object = *params->pPmSamplingObject;
  if (!object.on) return CUPTI_ERROR_INVALID_OPERATION;
  object.on = false;
  object.stopped = now();
  return CUPTI_SUCCESS;
}
MOCK cuptiPmSamplingDecodeData(CUpti_PmSampling_DecodeData_Params* params) {
  auto& object = *params->pPmSamplingObject;
  auto* image = reinterpret_cast<Image*>(params->pCounterDataImage);
  ++object.decodes;
  if (mode("broken") && object.decodes > 1) return CUPTI_ERROR_UNKNOWN;
  if (mode("full") && object.decodes == 2) return CUPTI_ERROR_OUT_OF_MEMORY;
  if (mode("overflow") && object.decodes == 2) {
    object.taken += 7;
    params->overflow = 1;
  }
  const std::uint64_t until = object.on ? now() : object.stopped, ready = (until - object.started) / object.interval;
  while (object.taken < ready && image->count < image->most) {
    const std::uint64_t start = object.started + object.taken * object.interval;
    image->samples[image->count++] = {start, start + object.interval, object.taken++};
  }
  params->decodeStopReason = object.taken < ready ? CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL
                                                  : CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
  return CUPTI_SUCCESS;
}
MOCK cuptiPmSamplingGetCounterDataInfo(CUpti_PmSampling_GetCounterDataInfo_Params* params) {
  const auto* image = reinterpret_cast<const Image*>(params->pCounterDataImage);
  params->numTotalSamples = image->most;
  params->numPopulatedSamples = params->numCompletedSamples = image->count;
  return CUPTI_SUCCESS;
}
MOCK cuptiPmSamplingCounterDataGetSampleInfo(CUpti_PmSampling_CounterData_GetSampleInfo_Params* params) {
  const auto* image = reinterpret_cast<const Image*>(params->pCounterDataImage);
  if (params->sampleIndex >= image->count) return CUPTI_ERROR_INVALID_PARAMETER;
  params->startTimestamp = image->samples[params->sampleIndex].start;
  params->endTimestamp = image->samples[params->sampleIndex].end;
  return CUPTI_SUCCESS;
}
