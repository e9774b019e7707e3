// SPDX-License-Identifier: Apache-2.0
// Threads of our own in a recorded program. collector/inject/threads.h gives them these names, by which they are told
// from the program's, whoever reads the file later. Pure.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "model/trace/trace.h"

namespace lanescope::trace {

inline constexpr std::array<std::string_view, 2> kOwnThreads{"lanescope-write", "lanescope-flush"};

inline bool isOwnThread(const Thread& thread) {
  return std::ranges::find(kOwnThreads, std::string_view(thread.name)) != kOwnThreads.end();
}

/// True for a lane of one.
inline bool isOfOwnThread(const Trace& trace, const LaneInfo& lane) {
  return lane.thread < trace.threads.size() && isOwnThread(trace.threads[lane.thread]);
}

}  // namespace lanescope::trace
