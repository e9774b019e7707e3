// SPDX-License-Identifier: Apache-2.0
// When a recording is on. The control page says so to all processes; here are what moves it from inside the program, the
// calls of the profiler interface and an NVTX range, and the marks in the stream where this process saw it move.
#pragma once

#include <cstdint>

#include "collector/inject/session.h"
#include "collector/inject/text.h"

namespace lanescope::inject {

/// Reads what the session's options say about it; before any event.
void prepareCapture(Session& session);
/// A mark in the stream if the capture began or ended since the last call.
void noteCapture(Session& session);

void beginCapture(Session& session);
void endCapture(Session& session);
/// Whether the calls of the profiler interface are what begins and ends it.
bool profilerCallsCapture();

/// What tells a range from others: its thread's ring and level, or its number.
struct RangeKey {
  const void* thread = nullptr;
  std::uint64_t number = 0;
  std::uint32_t domain = 0;
  bool operator==(const RangeKey&) const = default;
};
/// Whether NVTX ranges have to be shown to the two below.
bool rangesCapture();
void rangeOpens(Session& session, const RangeKey& range, const char* domainName, const Text& text);
void rangeClosed(Session& session, const RangeKey& range);

/// What of CUPTI's records belongs to no capture for sure.
struct CaptureWindow {
  bool nothingYet = false;
  std::uint64_t endedAt = ~0ull;  ///< CLOCK_REALTIME, of the last capture if none is on
};
CaptureWindow captureWindow(const Session& session);

}  // namespace lanescope::inject
