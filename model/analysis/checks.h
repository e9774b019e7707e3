// SPDX-License-Identifier: Apache-2.0
// What the lines of the checklist are made of, computed once, and the functions that make them, a file a subject. Private
// to model/analysis.
#pragma once

#include <fmt/format.h>

#include "model/analysis/call_kinds.h"
#include "model/analysis/checklist.h"
#include "model/analysis/device_window.h"
#include "model/analysis/idle_causes.h"
#include "model/analysis/intervals.h"
#include "model/format.h"

namespace lanescope::analysis {

/// The work of one GPU in its window.
struct DeviceUse {
  DeviceWindow device;
  Intervals busy;  ///< all work
  Intervals compute;  ///< kernels that are no collectives, and whole graphs
  Intervals communication;  ///< collective kernels and copies between GPUs
  Intervals hideable;  ///< copies that can go on beside kernels: between host and GPU by a call, and between GPUs
  std::uint64_t kernels = 0, shortKernels = 0;  ///< shorter than kShortKernel
  struct Copies {
    std::uint64_t bytes = 0;
    trace::Ns time = 0;
  };
  Copies toDevice, toHost, migrations;  ///< the latter of unified memory, in the others too
};
inline constexpr trace::Ns kShortKernel = 10'000;

std::vector<DeviceUse> deviceUses(const ReportInput& input);

struct Checking {
  const ReportInput& input;
  std::vector<DeviceUse> uses;
  std::vector<DeviceIdle> idle;  ///< of the same devices in the same order

  trace::TimeRange wall() const;  ///< of all devices
};

using Checks = std::vector<Check>;

// checks_gpu.cpp
void checkBusy(const Checking& all, Checks& checks);
void checkIterations(const Checking& all, Checks& checks);
/// Makes a note of GPUs that are idle outside of iterations only.
void blameStartUp(const Checking& all, Checks& checks);
void checkKernelSize(const Checking& all, Checks& checks);
// checks_metrics.cpp
void checkBound(const Checking& all, Checks& checks);
// checks_copies.cpp
void checkCopyOverlap(const Checking& all, Checks& checks);
void checkPcie(const Checking& all, Checks& checks);
// checks_host.cpp
void checkHost(const Checking& all, Checks& checks);  // synchronization, pageable and synchronous copies
// checks_ranks.cpp
void checkCommunication(const Checking& all, Checks& checks);
void checkRanks(const Checking& all, Checks& checks);

/// A line of this kind, good or to be improved by its goal.
Check judged(std::string_view id, std::string of, double figure);
/// A line without a figure.
Check without(std::string_view id, Verdict verdict, std::string evidence);

/// The gap of this cause, or of any, that is longest; none if there is none.
const IdleGap* longestGap(const DeviceIdle& idle, std::optional<IdleCause> cause = {});
trace::Ns idleBy(const DeviceIdle& idle, IdleCause cause);

double percentOf(trace::Ns part, trace::Ns whole);
/// "the 21.48 ms from first to last GPU work"
std::string windowText(const Checking& all, trace::Ns window);
/// "0.815893 s": a time on the axis of the recording.
std::string atTime(trace::Ns time);
/// "1 kernel", "3 kernels"
std::string counted(std::uint64_t count, std::string_view what);

}  // namespace lanescope::analysis
