// SPDX-License-Identifier: Apache-2.0
// The times of a report that lengths and shares are of, each with its name and what it reaches from and to, so that they
// are the same wherever they are shown. Any thread.
#pragma once

#include <string>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::analysis {

struct NamedTime {
  std::string name;  ///< "Recorded time"
  trace::TimeRange range;
  std::string what;  ///< in words

  std::string text() const;  ///< "11.14 s, from 5.562 725 526 s to 16.706 742 365 s: what"
};

/// The timeline, which is everything that is drawn, and for each GPU the GPU time (device_window.h). Those that are empty
/// are left out. O(lanes).
std::vector<NamedTime> reportTimes(const trace::Trace& trace);

/// The recorded time, of a file's report::recordedSpan().
NamedTime recordedTime(trace::TimeRange span);

}  // namespace lanescope::analysis
