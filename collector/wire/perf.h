// SPDX-License-Identifier: Apache-2.0
// Records of Linux's perf events as kPerf chunks hold them: the layout of linux/perf_event.h with the parts that this
// recorder asks for. All records but samples end in a PerfId; samples begin with their address and one. Plain data.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>

namespace lanescope::wire {

/// Of sample_type: what every record of every event tells.
inline constexpr std::uint64_t kPerfSampleId = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;

struct PerfId {
  std::uint32_t process = 0, thread = 0;
  std::uint64_t time = 0;  ///< CLOCK_MONOTONIC
  std::uint32_t cpu = 0, reserved = 0;
};

/// Of sample_regs_user on x86-64: bx, bp, sp, ip, r12 to r15, in this order.
inline constexpr std::uint64_t kPerfRegisters =
    1u << 1 | 1u << 6 | 1u << 7 | 1u << 8 | 1u << 20 | 1u << 21 | 1u << 22 | 1u << 23;
inline constexpr std::uint32_t kPerfRegisterCount = 8;

}  // namespace lanescope::wire
