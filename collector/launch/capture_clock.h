// SPDX-License-Identifier: Apache-2.0
// When a recording begins and ends: the options' delay, duration, range and what counts as the end, decided from what
// the time is and what happened. Pure: it neither waits nor reads a clock.
#pragma once

#include <optional>
#include <string_view>

#include "collector/launch/options.h"
#include "collector/wire/session.h"

namespace lanescope::launch {

enum class EndReason { kProgramEnded, kDuration, kRange, kAsked, kOrdered, kDiskFull, kMaxSize };

/// For the facts of the recording.
std::string_view nameOf(EndReason reason);

class CaptureClock {
 public:
  struct Now {
    trace::Ns time = 0;
    wire::Capture capture = wire::Capture::kWaiting;
    bool allGone = false;  ///< nothing is left to wait for
    int endsAsked = 0;     ///< signals that asked for an end
    bool diskFull = false;
    bool started = true;   ///< with --start-later: whether somebody asked for it
    bool ordered = false;  ///< another command asked for the end
    bool sizeReached = false;  ///< of --max-size
  };
  struct Step {
    bool begin = false;
    std::optional<EndReason> end = {};
    trace::Ns wait = 0;  ///< at most, before the next look
  };

  CaptureClock(const Options& options, trace::Ns start) : options_(options), start_(start) {}

  Step next(const Now& now);

 private:
  const Options& options_;
  trace::Ns start_;
  std::optional<trace::Ns> began_;
};

/// Whether --kill has a say when the recording ended so.
bool mayKill(const Options& options, EndReason reason);

}  // namespace lanescope::launch
