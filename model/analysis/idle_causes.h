// SPDX-License-Identifier: Apache-2.0
// Why a GPU was idle: every gap between its work gets exactly one cause, with the event that is to blame; the gaps and
// those too short to be looked at add up to the idle time to the nanosecond. A gap is a time in which no kernel, copy,
// memset or graph of any process ran on the physical GPU, in the scope, or from the first to the last work where the
// scope is open. O(events · log). One thread. The algorithm, also told by kIdleAlgorithm:
//
// The work that ends the gap was launched by a call of a thread.
//  1. The call began before the gap: the work was queued. If its stream was told to wait for an event since its last
//     work, that is the cause; else the call itself, if it took more than half of the gap (kBlockingCopy, kLaunching),
//     else the profiler, likewise; else up to 50 µs are the GPU's own pause between two works
//     (kQueued), and more is unknown.
//  2. The call began inside the gap: the cause is what its thread did most from the beginning of the gap to the call
//     (host_activity.h). Time from the call to the work counts as launching. If the thread was in a synchronization
//     or blocking copy when the GPU fell idle, that had drained the queue: launching counts for it.
//  3. No launch is known: as 2 for the thread that launched the work before; where that gives no more than launching,
//     the cause is unknown. Where nothing follows, no work was submitted.
//  4. What is left as launching, the GPU's pause or unknown is told apart further: beside a migration of unified memory
//     it is that (kMigration); before work of a CUDA graph it lies in or between graphs (kGraph), which another graph
//     would not mend; where the first launch of a kernel took more than half of the gap and more than 50 µs, its code
//     was loaded (kLoading).
// What the thread was in, beyond the culprit's name, is told where it is known: the line of Python, the call of the OS
// with its lock or file (report/host_story.h).
// A culprit fills more than half of its gap, but for the call that launched what ended it and one that had drained the
// queue; where nothing does, there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/analysis/report_input.h"

namespace lanescope::analysis {

enum class IdleCause : std::uint8_t {
  kSynchronization,
  kBlockingCopy,
  kLaunching,
  kHostCode,
  kDataLoading,
  kEventWait,
  kPeer,
  kOverhead,
  kNoWork,
  kQueued,
  kGraph,
  kMigration,
  kLoading,
  kUnknown,
  kShort,  ///< never of a gap in `gaps`: those that are not looked at
};
inline constexpr std::size_t kIdleCauses = static_cast<std::size_t>(IdleCause::kShort) + 1;

/// "launching slower than the GPU consumes"
std::string_view nameOf(IdleCause cause);
extern const std::string_view kIdleAlgorithm;

struct IdleGap {
  trace::TimeRange time;
  IdleCause cause = IdleCause::kUnknown;
  std::optional<trace::EventRef> culprit;  ///< a call, NVTX range, OS call or the profiler's own work
  std::optional<trace::EventRef> longest;  ///< where there is no culprit, what of the cause fills most of the gap
  std::uint32_t thread = trace::kNone;  ///< that launched what ended the gap
  std::optional<trace::EventRef> next;  ///< that work
  std::string host = {};  ///< where that thread was, where it is known: report::HostStory::of()
};

/// A CUDA graph leaves less than this between two of its kernels (golden/graphs_node: 64 to 130 ns on an H100).
inline constexpr trace::Ns kGraphPause = 200;

struct DeviceIdle {
  std::string device;  ///< "GPU 0 · H100 80GB HBM3"
  std::vector<std::uint32_t> gpus;  ///< indices into Trace::gpus
  trace::TimeRange window;  ///< what idle is a part of
  trace::Ns idle = 0;  ///< all of it
  std::vector<IdleGap> gaps;  ///< longer than `least`, by start
  trace::Ns shortIdle = 0;  ///< of the others
  std::uint64_t shortGaps = 0;
  trace::Ns launchIdle = 0;  ///< of the short ones, of 200 ns to 1 µs by themselves, before works launched one by one
  std::uint64_t launchGaps = 0;
  bool clocksApart = false;  ///< calls and GPU work have times of different clocks
  bool cut = false;  ///< so many calls that the host was not looked at any more: those are unknown
};

/// What helps against this cause of a GPU's idle time, in one sentence; empty where nothing does.
std::string_view adviceOn(const DeviceIdle& idle, IdleCause cause);

/// What part of a gap an event covers.
trace::Ns coveredBy(const trace::Trace& trace, const IdleGap& gap, trace::EventRef event);

/// Of every GPU that has work, in their order; all of a GPU's processes, whatever the scope's. `input` has to hold
/// partners, calls and whatever else is known of the host.
std::vector<DeviceIdle> idleCauses(const ReportInput& input, trace::Ns least = 1000);

}  // namespace lanescope::analysis
