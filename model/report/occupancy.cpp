// SPDX-License-Identifier: Apache-2.0
#include "model/report/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lanescope::report {
namespace {

constexpr std::int64_t kRegisterUnit = 256;  // registers, given to a warp; since compute capability 3.0
/// Beyond what any GPU has: keeps sums and products of a file's numbers far from overflow.
constexpr std::int64_t kMost = 1 << 30;

constexpr std::int64_t roundUp(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

bool isSane(std::int64_t value) { return value > 0 && value <= kMost; }

}  // namespace

std::optional<Occupancy> occupancy(const SmLimits& limits, const KernelShape& kernel) {
  for (const std::int64_t value : {limits.warps, limits.blocks, limits.registers, limits.sharedMemory,
                                   limits.threadsPerWarp, limits.computeMajor, kernel.threadsPerBlock}) {
    if (!isSane(value)) return std::nullopt;
  }
  for (const std::int64_t value : {kernel.registersPerThread, kernel.sharedMemoryPerBlock}) {
    if (value < 0 || value > kMost) return std::nullopt;
  }

  const bool ampereOn = limits.computeMajor >= 8;
  const std::int64_t warpsPerBlock = roundUp(kernel.threadsPerBlock, limits.threadsPerWarp) / limits.threadsPerWarp;
  std::int64_t byRegisters = kMost;
  if (kernel.registersPerThread > 0) {
    const std::int64_t perWarp = roundUp(kernel.registersPerThread * limits.threadsPerWarp, kRegisterUnit);
    // Each scheduler has its own share of the register file.
    const std::int64_t schedulers = limits.computeMajor == 6 && limits.computeMinor == 0 ? 2 : 4;
    byRegisters = limits.registers / perWarp / schedulers * schedulers / warpsPerBlock;
  }
  std::int64_t bySharedMemory = kMost;
  const std::int64_t shared = kernel.sharedMemoryPerBlock + (ampereOn ? 1024 : 0);
  if (shared > 0) bySharedMemory = limits.sharedMemory / roundUp(shared, ampereOn ? 128 : 256);

  const std::pair<const char*, std::int64_t> limitOf[] = {{"warps", limits.warps / warpsPerBlock},
                                                          {"blocks", limits.blocks},
                                                          {"registers", byRegisters},
                                                          {"shared memory", bySharedMemory}};
  Occupancy result;
  result.blocks = std::ranges::min(limitOf, {}, [](const auto& limit) { return limit.second; }).second;
  result.warps = result.blocks * warpsPerBlock;
  result.maxWarps = limits.warps;
  if (result.blocks == 0) return std::nullopt;  // it ran, so the limits are not those of the GPU it ran on
  for (const auto& [name, blocks] : limitOf) {
    if (blocks != result.blocks) continue;
    if (!result.limitedBy.empty()) result.limitedBy += " and ";
    result.limitedBy += name;
  }
  return result;
}

std::string occupancyText(const Occupancy& occupancy) {
  // One digit only where it says something: 62.5 %, but 50 %.
  const std::int64_t tenths = (occupancy.warps * 1000 + occupancy.maxWarps / 2) / occupancy.maxWarps;
  const std::string share =
      tenths % 10 == 0 ? std::to_string(tenths / 10) : fmt::format("{}.{}", tenths / 10, tenths % 10);
  return fmt::format("{} % of {} warps, limited by {}", share, occupancy.maxWarps, occupancy.limitedBy);
}

}  // namespace lanescope::report
