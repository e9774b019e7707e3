// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/kernel_categories.h"

#include <algorithm>
#include <array>
#include <string>

namespace lanescope::analysis {
namespace {

using enum KernelCategory;

struct Pattern {
  std::string_view part;  // of the name in lower case
  KernelCategory category;
  bool anywhere = false;  // also among template arguments and parameters, before any label is looked at
};

/// The first that fits is it. Behind those of one line stand what would be mistaken for them.
constexpr Pattern kPatterns[] = {
    {"nccl", kCollective, true},
    {"nvshmem", kCollective, true},
    {"rccl", kCollective, true},
    {"allreduce", kCollective, true},
    {"all_reduce", kCollective, true},
    {"allgather", kCollective, true},
    {"all_gather", kCollective, true},
    {"reducescatter", kCollective, true},
    {"reduce_scatter", kCollective, true},
    {"alltoall", kCollective, true},
    {"all_to_all", kCollective, true},
    {"cross_device_reduce", kCollective, true},
    {"flash", kAttention, true},
    {"fmha", kAttention, true},
    {"attention", kAttention},
    {"attn", kAttention, true},
    {"sdpa", kAttention},
    {"mha_", kAttention},
    {"direct_copy", kCopy, true},
    {"catarraybatchedcopy", kCopy},
    {"bfloat16_copy", kCopy, true},
    {"nchwtonhwc", kCopy},
    {"nhwctonchw", kCopy},
    {"convert", kElementwise},
    {"implicit_gemm", kConvolution, true},
    {"implicitgemm", kConvolution, true},
    {"conv", kConvolution},
    {"winograd", kConvolution, true},
    {"fprop", kConvolution, true},
    {"dgrad", kConvolution, true},
    {"wgrad", kConvolution, true},
    {"im2col", kConvolution},
    {"multi_tensor_apply", kElementwise},
    {"elementwise", kElementwise},
    {"layer_norm", kNormalisation},
    {"layernorm", kNormalisation},
    {"batch_norm", kNormalisation},
    {"batchnorm", kNormalisation},
    {"rms_norm", kNormalisation},
    {"rmsnorm", kNormalisation},
    {"group_norm", kNormalisation},
    {"softmax", kNormalisation},
    {"bn_fw", kNormalisation},
    {"bn_bw", kNormalisation},
    {"norm", kNormalisation},
    {"splitkreduce", kMatrix},
    {"gemm", kMatrix, true},
    {"gemv", kMatrix, true},
    {"matmul", kMatrix},
    {"cutlass", kMatrix, true},
    {"nvjet", kMatrix, true},
    {"wgmma", kMatrix, true},
    {"triton_mm", kMatrix},
    {"triton_tem", kMatrix},
    {"reduce", kReduction},
    {"reduction", kReduction},
    {"triton_red", kReduction},
    {"triton_per", kReduction},
    {"argmax", kReduction},
    {"argmin", kReduction},
    {"topk", kReduction},
    {"cumsum", kReduction},
    {"scan", kReduction},
    {"histogram", kReduction},
    {"sort", kReduction},
    {"dot_kernel", kReduction},
    {"copy", kCopy},
    {"memcpy", kCopy},
    {"transpose", kCopy},
    {"permute", kCopy},
    {"gather", kCopy},
    {"scatter", kCopy},
    {"index", kCopy},
    {"embedding", kCopy},
    {"pad", kCopy},
    {"pointwise", kElementwise},
    {"triton_poi", kElementwise},
    {"activation", kElementwise},
    {"relu", kElementwise},
    {"gelu", kElementwise},
    {"silu", kElementwise},
    {"sigmoid", kElementwise},
    {"dropout", kElementwise},
    {"adam", kElementwise},
    {"sgd", kElementwise},
    {"fill", kElementwise},
    {"axpy", kElementwise},
    {"scale", kElementwise},
    {"add", kElementwise},
    {"mul", kElementwise},
    {"cast", kElementwise},
    {"memset", kElementwise},
    {"foreach", kElementwise},
};

/// Shapes of the instructions, and types that only tensor cores multiply.
constexpr std::string_view kTensorParts[] = {
    "tensorop", "wgmma",  "hmma",     "imma",   "qgmma",     "bmma",      "wmma",      "gmma",
    "umma",     "s16816", "h16816",   "i16832", "s1688",     "h1688",     "i8816",     "s884",
    "h884",     "d884",   "nvjet",    "tf32",   "gemm_f16",  "gemm_bf16", "gemm_e4m3", "gemm_e5m2",
    "gemm_i8",  "f16f16", "bf16bf16", "fp8",    "flash_fwd", "flash_bwd",
};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace

std::string_view nameOf(KernelCategory category) {
  constexpr std::array<std::string_view, kKernelCategories> kNames{
      "matrix multiply", "attention", "convolution", "normalisation", "elementwise",
      "reduction",       "copy",      "collective",  "other"};
  return kNames[static_cast<std::size_t>(category)];
}

KernelCategory categoryOf(std::string_view name, std::string_view label) {
  const std::string all = lower(name), base = lower(label);
  for (const Pattern& pattern : kPatterns)
    if ((pattern.anywhere ? all : base).find(pattern.part) != std::string::npos) return pattern.category;
  return kOther;
}

bool usesTensorCores(std::string_view name) {
  const std::string all = lower(name);
  return std::ranges::any_of(kTensorParts, [&](std::string_view part) { return all.find(part) != std::string::npos; });
}

}  // namespace lanescope::analysis
