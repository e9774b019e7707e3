// SPDX-License-Identifier: Apache-2.0
// What the streams of each GPU of a process did, and how many of them at once. A stream is busy where one of its kernels,
// copies, memsets or whole graphs runs; the span of a GPU is from the first to the last work on any of its streams, so
// that idle is what lies between. O(GPU events · log). Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "model/analysis/scope.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

struct StreamUse {
  std::uint32_t stream = trace::kNone;  ///< index into Trace::streams
  std::uint64_t kernels = 0, memory = 0;
  trace::Ns busy = 0;
  double concurrency = 0;  ///< how many streams of the GPU were busy while this one was, on average; it counts
  std::uint32_t mostAtOnce = 0;  ///< at any time of its being busy
};

struct GpuUse {
  std::uint32_t gpu = 0;  ///< index into Trace::gpus
  trace::TimeRange span;
  std::vector<StreamUse> streams;
  StreamUse all;  ///< busy: of any stream
};

/// GPUs without work are left out. Events that touch the scope count, their times as far as they lie in it.
std::vector<GpuUse> streamUse(const trace::Trace& trace, const Scope& scope);

}  // namespace lanescope::analysis
