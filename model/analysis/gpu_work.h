// SPDX-License-Identifier: Apache-2.0
// How busy the GPUs of a trace were in a range, and how much of the copying went on behind compute. Made once for a
// trace in O(GPU events); every figure of a range is then O(log n + lanes). Unions over all streams and processes of a
// GPU, so never more than the time itself. Immutable; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/analysis/filter.h"
#include "model/job.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

/// Over a range of time; unions of each GPU, added up over GPUs.
struct GpuFigures {
  int gpus = 0;
  trace::Ns available = 0;  ///< length of the range times GPUs: what shares are of
  trace::Ns busy = 0;       ///< kernels, copies, memsets, whole graphs
  trace::Ns compute = 0;    ///< kernels and whole graphs
  trace::Ns copying = 0;    ///< copies, of all directions
  trace::Ns hidden = 0;     ///< copying while a kernel ran on that GPU
  trace::Ns idle() const { return available - busy; }
};

/// One physical GPU: that of several processes is one, told by its bus location where the report has it, else by its
/// ordinal.
struct GpuDevice {
  std::string label;                ///< "GPU 0 · H100 80GB HBM3"
  std::vector<std::uint32_t> gpus;  ///< indices into Trace::gpus
  std::vector<trace::LaneId> lanes;  ///< of its work
};

/// Those that have work, by ordinal. O(lanes · log).
std::vector<GpuDevice> gpuDevices(const trace::Trace& trace);

class GpuWork {
 public:
  /// Incomplete once the job was cancelled. With `passing`, of that work only, but of all GPUs.
  explicit GpuWork(const trace::Trace& trace, const Job& job = {}, const Passing* passing = nullptr);

  struct Device : GpuDevice {
    trace::BusyUnion work, compute, copies, computeOrCopies;
    bool wholeGraphs = false;  ///< holds graphs whose kernels were not recorded
  };
  const std::vector<Device>& devices() const { return devices_; }

  static GpuFigures figures(const Device& device, trace::TimeRange range);
  /// Of all devices together.
  GpuFigures figures(trace::TimeRange range) const;

 private:
  std::vector<Device> devices_;
};

}  // namespace lanescope::analysis
