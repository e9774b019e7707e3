// SPDX-License-Identifier: Apache-2.0
// The GPUs of this machine as the CUDA driver numbers and describes them, without a context on any. Loads libcuda for
// good; initialising it takes some 100 ms a GPU. One thread.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "collector/wire/records.h"

namespace lanescope::sample {

struct Gpu {
  std::string name;
  wire::Device device;  ///< without its header's aux and name, which are for the writer
};

enum class Visible {
  kAll,       ///< in the order of their places on the bus, as nvidia-smi counts
  kAsIsSet,   ///< those that CUDA_VISIBLE_DEVICES lets a program see, in the program's order
};

/// By ordinal. The error is for the user. The first call decides what is visible.
tl::expected<std::vector<Gpu>, std::string> findGpus(Visible visible);

/// "GPU-8ad989ea-3d74-5aac-f776-e641e7d7e435"
std::string uuidText(const wire::Device& device);

/// The text of `--gpu-metrics-devices=help`.
std::string gpuHelp();

}  // namespace lanescope::sample
