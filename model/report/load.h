// SPDX-License-Identifier: Apache-2.0
// From a report file to the trace in memory. Reads the Nsight Systems SQLite dialect and .rep alike: decides by the
// tables and columns present, depends on no row order, and skips and counts what is damaged.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/error.h"
#include "model/job.h"
#include "model/trace/trace.h"

namespace lanescope::report {

struct LoadOptions {
  bool strict = false;  ///< a damaged event is an error
  std::vector<trace::EventKind> only = {};  ///< kinds to read; empty: everything there is
  bool partners = true;  ///< ties launches to the GPU work they started, as far as it is read
  bool projections = false;  ///< NVTX ranges also where their GPU work ran, after all else has been published
  std::vector<std::string>* queries = nullptr;  ///< filled with the SELECT of every table read, for measuring
};

/// Called on the loading thread with each snapshot worth drawing; the last call carries the complete trace.
using Publish = std::function<void(trace::TracePtr)>;

/// Reads the whole report. kCancelled when the job was stopped.
Result<trace::TracePtr> load(const std::filesystem::path& path, const LoadOptions& options, const Publish& publish,
                             const Job& job);

}  // namespace lanescope::report
