// SPDX-License-Identifier: Apache-2.0
// What a kernel is for, by patterns in its name: the table in kernel_categories.cpp is all there is to it. Kernels that no
// pattern knows are kOther, not a guess. Names of cuBLAS, cuDNN, CUTLASS, PyTorch, Triton, NCCL and their like as they
// are public in those libraries and in recordings. Pure; O(length · patterns).
#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope::analysis {

enum class KernelCategory : std::uint8_t {
  kMatrix,
  kAttention,
  kConvolution,
  kNormalisation,
  kElementwise,
  kReduction,
  kCopy,
  kCollective,
  kOther,
};
inline constexpr std::size_t kKernelCategories = static_cast<std::size_t>(KernelCategory::kOther) + 1;

std::string_view nameOf(KernelCategory category);

/// `name` as it is demangled, `label` its base.
KernelCategory categoryOf(std::string_view name, std::string_view label);

/// True if the name says that the kernel was built for tensor cores: its instruction's shape, or its types. One that
/// does not say is taken not to be.
bool usesTensorCores(std::string_view name);

}  // namespace lanescope::analysis
