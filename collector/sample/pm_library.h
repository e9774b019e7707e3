// SPDX-License-Identifier: Apache-2.0
// CUPTI's PM sampling and profiler host functions, loaded from a libcupti by its path: CUDA 12.6 or later has them
// (facts/collector.md, 13). Never unloaded. The host functions need neither driver nor GPU. Load from one thread; the
// table itself is constant.
#pragma once

#include <cuda.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <string>
#include <tl/expected.hpp>

namespace lanescope::sample {

#define LANESCOPE_PM_FUNCTIONS(X)              \
  X(cuptiGetResultString)                      \
  X(cuptiProfilerInitialize)                   \
  X(cuptiProfilerDeInitialize)                 \
  X(cuptiDeviceGetChipName)                    \
  X(cuptiProfilerHostInitialize)               \
  X(cuptiProfilerHostDeinitialize)             \
  X(cuptiProfilerHostConfigAddMetrics)         \
  X(cuptiProfilerHostGetConfigImageSize)       \
  X(cuptiProfilerHostGetConfigImage)           \
  X(cuptiProfilerHostGetNumOfPasses)           \
  X(cuptiProfilerHostEvaluateToGpuValues)      \
  X(cuptiPmSamplingGetCounterAvailability)     \
  X(cuptiPmSamplingEnable)                     \
  X(cuptiPmSamplingDisable)                    \
  X(cuptiPmSamplingSetConfig)                  \
  X(cuptiPmSamplingStart)                      \
  X(cuptiPmSamplingStop)                       \
  X(cuptiPmSamplingDecodeData)                 \
  X(cuptiPmSamplingGetCounterDataSize)         \
  X(cuptiPmSamplingCounterDataImageInitialize) \
  X(cuptiPmSamplingGetCounterDataInfo)         \
  X(cuptiPmSamplingCounterDataGetSampleInfo)

// NOLINTBEGIN(bugprone-macro-parentheses): these arguments are names

struct PmLibrary {
#define LANESCOPE_DECLARE(name) decltype(&::name) name = nullptr;
  LANESCOPE_PM_FUNCTIONS(LANESCOPE_DECLARE)
#undef LANESCOPE_DECLARE

  /// The error is for the user.
  static tl::expected<PmLibrary, std::string> load(const std::string& path);
};

/// A call of CUPTI that failed.
struct PmTrouble {
  CUptiResult result = CUPTI_SUCCESS;
  std::string text;  ///< "cuptiPmSamplingEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)"
};
template <class T>
using PmResult = tl::expected<T, PmTrouble>;

PmTrouble troubleOf(const PmLibrary& library, const char* call, CUptiResult result);

/// Calls library.NAME(&params) and leaves the function with the trouble if that fails.
#define LANESCOPE_PM_TRY(library, name, params)                                          \
  do {                                                                                   \
    if (const CUptiResult result_ = (library).name(&(params)); result_ != CUPTI_SUCCESS) \
      return tl::unexpected(troubleOf(library, #name, result_));                         \
  } while (false)

/// Parameters of a call, all 0 but for their size.
#define LANESCOPE_PM_PARAMS(type, name) \
  type name{};                          \
  name.structSize = type##_STRUCT_SIZE

// NOLINTEND(bugprone-macro-parentheses)

}  // namespace lanescope::sample
