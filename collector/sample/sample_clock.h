// SPDX-License-Identifier: Apache-2.0
// On which clock samples are stamped. CUPTI's documents say the CPU's and not which, so the first stamps decide: the
// nearest of the system's clocks; if none is near, a clock of its own, whose offset is known by how late stamps come to us
// at best. Plain value; one thread.
#pragma once

#include <cstdint>
#include <optional>

#include "collector/wire/records.h"

namespace lanescope::sample {

class SampleClock {
 public:
  /// A stamp of something that ended just now. The first call decides.
  void see(std::uint64_t stamp);

  bool isKnown() const { return *name_ != 0; }
  /// "CLOCK_REALTIME"; empty while not known; "own" if it is none of the system's.
  const char* name() const { return name_; }
  bool isOwn() const { return isKnown() && clock_ < 0; }

  /// The same moment on CLOCK_MONOTONIC and on that clock, to be written once a second; once it is known.
  wire::ClockPair pair() const;

 private:
  const char* name_ = "";
  int clock_ = -1;  ///< clockid_t; -1 not decided or own
  wire::ClockPair best_;  ///< own: the stamp that came soonest
};

}  // namespace lanescope::sample
