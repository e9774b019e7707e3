// SPDX-License-Identifier: Apache-2.0
// Which waits wait for which record of a CUDA event: by the number that ties the two where both have it, else the latest
// record of that event before the wait. Cost: O(n log n) in the records and waits. One thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::trace {

/// An event is recorded, or something waits for it; the call that did so tells when.
struct EventUse {
  std::uint32_t process = 0;
  std::int64_t event = 0;  ///< a number of its process; the waiting stream may be of another context
  std::int64_t sync = 0;  ///< the same for a record and the waits for it; 0 if not known
  std::int64_t correlation = 0;
  std::int64_t stream = 0;
  bool isRecord = false;
  EventId call = kNone;  ///< filled in by correlation
};

/// True for what names an event: 0 and the unsigned complements of it stand for none.
constexpr bool isEventNumber(std::int64_t number) { return number > 0 && number < 0xFFFFFFFF; }

/// The uses that a record and a wait for it are, as indices; uses without a call have none.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairUses(const Trace& trace, const std::vector<EventUse>& uses);

}  // namespace lanescope::trace
