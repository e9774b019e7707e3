// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/capture_clock.h"

#include <algorithm>

#include "collector/launch/clock.h"

namespace lanescope::launch {
namespace {

constexpr trace::Ns kLongWait = 3600 * kSecond;
/// The first request goes to the program, which mostly ends; the second is meant for us.
constexpr int kRequestsToEnd = 2;

}  // namespace

std::string_view nameOf(EndReason reason) {
  switch (reason) {
    case EndReason::kProgramEnded:
      return "program";
    case EndReason::kDuration:
      return "duration";
    case EndReason::kRange:
      return "range";
    case EndReason::kAsked:
      return "interrupt";
    case EndReason::kOrdered:
      return "stop";
    case EndReason::kDiskFull:
      return "disk full";
    case EndReason::kMaxSize:
      return "max size";
  }
  return "";
}

CaptureClock::Step CaptureClock::next(const Now& now) {
  if (now.capture == wire::Capture::kEnded) return {.end = EndReason::kRange};
  if (now.diskFull && !now.allGone) return {.end = EndReason::kDiskFull};
  if (now.ordered) return {.end = EndReason::kOrdered};
  if (now.sizeReached && !now.allGone) return {.end = EndReason::kMaxSize};
  if (now.endsAsked >= kRequestsToEnd) return {.end = EndReason::kAsked};
  const bool byRange = options_.range != CaptureRange::kNone;
  const bool on = now.capture == wire::Capture::kOn;
  if (on && !began_) began_ = now.time;
  // Without the program nobody opens a range any more.
  const bool byOthers = byRange || !now.started;
  if (now.allGone && (options_.stopOnExit || (byOthers && !began_))) return {.end = EndReason::kProgramEnded};

  Step step{.wait = kLongWait};
  if (!on && !byOthers) {
    const trace::Ns left = options_.startLater ? 0 : start_ + options_.delay - now.time;
    step.begin = left <= 0;
    step.wait = std::clamp<trace::Ns>(left, 0, kLongWait);
  }
  if (began_ && options_.duration > 0) {
    const trace::Ns left = *began_ + options_.duration - now.time;
    if (left <= 0) return {.end = EndReason::kDuration};
    step.wait = std::min(step.wait, left);
  }
  return step;
}

bool mayKill(const Options& options, EndReason reason) {
  const bool wantsNoEnd =
      reason == EndReason::kProgramEnded || reason == EndReason::kDiskFull || reason == EndReason::kMaxSize;
  if (options.killSignal == 0 || wantsNoEnd) return false;
  const bool keepsSession = options.rangeEnd == CaptureEnd::kStop || options.rangeEnd == CaptureEnd::kRepeat;
  return reason != EndReason::kRange || !keepsSession;
}

}  // namespace lanescope::launch
