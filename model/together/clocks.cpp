// SPDX-License-Identifier: Apache-2.0
#include "model/together/clocks.h"

#include <fmt/format.h>

#include "model/format.h"

namespace lanescope::together {

using trace::Ns;

namespace {

// What is taken for the error of a start in UTC where nothing measures it: on one machine how far apart a recorder may
// have read its two clocks; between two machines what plain NTP keeps.
constexpr Ns kUtcErrorHere = 100'000, kUtcErrorBetween = 10'000'000;

Placement placeByClocks(const Identity& first, const Identity& other) {
  const bool here = sameMachine(first, other);
  if (here && first.bootClock && other.bootClock && !first.bootId.empty() && !other.bootId.empty()) {
    const Ns error = first.clockError.value_or(0) + other.clockError.value_or(0);
    return {*other.bootClock - *first.bootClock, error, ClockMethod::kSameClock,
            fmt::format("same machine, by its clock, ± {}", formatDuration(error))};
  }
  if (first.utcStart && other.utcStart) {
    const Ns error = here ? kUtcErrorHere : kUtcErrorBetween;
    return {*other.utcStart - *first.utcStart, error, here ? ClockMethod::kSameClock : ClockMethod::kUtc,
            fmt::format("{}, session start in UTC, taken for ± {}", here ? "same machine" : "another machine",
                        formatDuration(error))};
  }
  return {0, 0, ClockMethod::kNone, "not aligned: no clock in common"};
}

}  // namespace

std::vector<Placement> place(std::span<const Identity> identities, std::span<const trace::TracePtr>, const Job&) {
  std::vector<Placement> placements;
  for (const Identity& each : identities) {
    if (placements.empty()) placements.push_back({0, 0, ClockMethod::kSameClock, "the others are placed against it"});
    else placements.push_back(placeByClocks(identities.front(), each));
  }
  return placements;
}

}  // namespace lanescope::together
