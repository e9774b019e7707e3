// SPDX-License-Identifier: Apache-2.0
// Where reports of one job stand on one common axis of time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/together/report_order.h"
#include "model/trace/trace.h"

namespace lanescope::together {

enum class ClockMethod : std::uint8_t {
  kSameClock,    ///< recorded on one machine: its own clock, or its UTC
  kUtc,          ///< of two machines
  kCollectives,  ///< all ranks leave a collective at about the same time
  kByHand,
  kNone,  ///< nothing ties it to the others
};

/// Of one report on the common axis, whose zero is the first report's.
struct Placement {
  trace::Ns offset = 0;  ///< common = own + offset
  trace::Ns error = 0;   ///< ± this of the offset
  ClockMethod method = ClockMethod::kNone;
  std::string sentence;  ///< for a person: "same machine, by its clock, ± 90 ns"
};

/// By one host clock, else UTC, else common collectives' ends. traces[i] belongs to identities[i].
std::vector<Placement> place(std::span<const Identity> identities, std::span<const trace::TracePtr> traces,
                             const Job& job);

}  // namespace lanescope::together
