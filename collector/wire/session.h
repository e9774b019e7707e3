// SPDX-License-Identifier: Apache-2.0
// A recording under way, as its folder: what the launcher and the injected libraries of all processes share.
//
//   DIR/control         ControlPage, mapped by everybody
//   DIR/options         "name=value" lines, written by the launcher before the program starts
//   DIR/PID.TIME.stream what a process recorded (records.h)
//   DIR/PID.TIME.stream.kept  what was needed of a beginning of it that was given back to the disk (--max-size=…,ring)
//   DIR/PID.TIME.rings  its rings, or a link target in a memory file system named in its facts (rings=PATH)
//   DIR/NUMBER.metrics  the metrics of a GPU, sampled by a process of the launcher's
//   DIR/cpu.perf        what the kernel recorded of the CPU (perf.h), by a thread of the launcher
//   DIR/python.samples  Python stacks, sampled by a thread of the launcher's
//   DIR/facts           "name=value" lines of the launcher: the command, the machine, how it ended
//
// The environment variable kSessionVariable holds the folder's absolute path. Plain data.
#pragma once

#include <cstdint>

namespace lanescope::wire {

inline constexpr const char* kSessionVariable = "LANESCOPE_SESSION";

/// Whether events are kept. Only ever changed by atomic stores; everyone may read it on every event.
enum class Capture : std::uint32_t {
  kWaiting = 0,  ///< has not begun
  kOn = 1,
  kEnded = 2,    ///< will not begin again
};

struct ControlPage {
  static constexpr std::uint64_t kMagic = 0x31524E4F4354534Cull;
  std::uint64_t magic = 0;
  std::uint32_t version = 1;
  Capture capture = Capture::kWaiting;
  std::uint32_t captures = 0;   ///< how often it began
  std::uint32_t wake = 0;       ///< futex word: changed with every change above
  std::uint32_t processes = 0;  ///< that have attached
  std::uint32_t flushAsked =
      0; ///< the launcher wants everything on disk; each process, and who samples a GPU, answers by
  std::uint32_t flushed = 0;    ///< counting up here
  std::uint64_t changed = 0;  ///< CLOCK_MONOTONIC of the last change of `capture`, 0 if whoever changed it did not say
  // Appended, as sessions of older launchers are recovered, too.
  std::uint32_t youngCalls = 0;  ///< of forked children in their first 10 ms, which are left out
  std::uint32_t refused = 0;  ///< forked children that may not write here, because they changed their user
};

/// Room on a disk that the report of streams takes, which are so large themselves, with a reserve. Recording ends where
/// less is left, so that what was recorded can be read.
constexpr std::uint64_t roomForReport(std::uint64_t streamBytes) {
  constexpr std::uint64_t kReserve = 4u << 20;
  return streamBytes + streamBytes / 2 + kReserve;
}

}  // namespace lanescope::wire
