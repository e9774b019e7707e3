// SPDX-License-Identifier: Apache-2.0
// Theoretical occupancy of a kernel: the warps that fit on a multiprocessor at once, over the most it can hold.
//
//   blocks  = min(maxBlocks, maxWarps / W, R / W, S)              W = warps per block, rounded up
//   R       = registers of the SM / registers of a warp, down to a multiple of the schedulers (4; 2 on 6.0)
//             registers of a warp = registers per thread × threads per warp, up to a multiple of 256
//   S       = shared memory of the SM / (static + dynamic + reserved, up to a multiple of the unit)
//             reserved 1 KiB from compute capability 8.0 on, else 0; unit 128 B from 8.0 on, else 256 B
//   occupancy = blocks × W / maxWarps
//
// After the CUDA C++ Programming Guide (Multiprocessor Level; technical specifications per compute capability) and
// the allocation units of NVIDIA's occupancy calculator. What a cluster or a carve-out takes away is not in it.
// Pure. O(1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::report {

/// What one multiprocessor offers; a value that is 0 or less is not known.
struct SmLimits {
  std::int64_t warps = 0;
  std::int64_t blocks = 0;
  std::int64_t registers = 0;
  std::int64_t sharedMemory = 0;  ///< bytes
  std::int64_t threadsPerWarp = 32;
  std::int64_t computeMajor = 0, computeMinor = 0;
};

/// What one kernel asks for.
struct KernelShape {
  std::int64_t threadsPerBlock = 0;
  std::int64_t registersPerThread = 0;
  std::int64_t sharedMemoryPerBlock = 0;  ///< static and dynamic, bytes
};

struct Occupancy {
  std::int64_t blocks = 0;    ///< on one multiprocessor at once
  std::int64_t warps = 0;     ///< the same in warps
  std::int64_t maxWarps = 0;
  std::string limitedBy;      ///< "registers", "warps and shared memory"
};

/// Nothing where limits are missing or what the kernel asks for makes no sense.
std::optional<Occupancy> occupancy(const SmLimits& limits, const KernelShape& kernel);

/// "50 % of 64 warps, limited by registers".
std::string occupancyText(const Occupancy& occupancy);

}  // namespace lanescope::report
