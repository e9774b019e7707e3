// SPDX-License-Identifier: Apache-2.0
// NCCL's collectives: how long their kernels ran, what they moved, and how much of that nothing else hid. Bytes are those
// of the NVTX range that NCCL pushes around the launch. Algorithm bandwidth is bytes over time, bus bandwidth what that
// means for a link; sizes and factors as NCCL's own tests define them (github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md).
// O(kernels · log). One thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/analysis/intervals.h"
#include "model/analysis/report_input.h"

namespace lanescope::analysis {

/// All kernels of one operation of one process on one GPU.
struct Collective {
  std::string operation;  ///< "AllReduce"; "(other)" where the name does not say
  std::uint32_t gpu = 0;  ///< index into Trace::gpus
  std::vector<std::int64_t> times;
  trace::Ns exposed = 0;  ///< of their total: while no kernel that is no collective ran on the GPU
  std::uint64_t calls = 0;  ///< with known bytes
  std::uint64_t bytes = 0;  ///< of the whole operation, over all ranks where each has a part
  trace::Ns measured = 0;  ///< time of kernels whose bytes are known: what bandwidths are of
  std::optional<std::uint64_t> ranks;
  double busFactor = 1;  ///< by which bus bandwidth is greater than algorithm bandwidth

  /// Bytes a second.
  std::optional<double> algorithmBandwidth() const;
};

/// What a kernel of a collective is called there.
std::string_view collectiveName(const trace::Name& kernel);

struct CollectiveKernel {
  trace::EventRef kernel;
  std::optional<report::NcclCall> said = {};  ///< by NCCL of the call that launched it, if it told its bytes
  bool isFirst = false;  ///< of the kernels of that call
};

/// What GPUs did for others and what for themselves.
struct CollectiveWork {
  std::vector<CollectiveKernel> collectives;  ///< by start
  std::vector<Intervals> compute;  ///< by GPU: all other kernels
};
CollectiveWork collectiveWork(const ReportInput& input);

/// Most time first.
std::vector<Collective> collectives(const ReportInput& input);

}  // namespace lanescope::analysis
