// SPDX-License-Identifier: Apache-2.0
// Where reports of one job stand on one common axis of time. Reports of one machine are placed by its clock: the one since
// its boot where both files tell it, else UTC of their session starts. The first of another machine is placed by UTC, and
// where there is none by the ends of common collectives (matching.h). Where there are collectives, they also say how good
// UTC is: the error is then how far they are from it and by how much they may be off themselves, instead of what is
// taken for it; and whether a clock was wrong: UTC then gives way to the ends of collectives. Offsets are constant: drift of clocks within a recording shows as error.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/together/report_calls.h"
#include "model/together/report_order.h"
#include "model/trace/trace.h"

namespace lanescope::together {

enum class ClockMethod : std::uint8_t {
  kSameClock,  ///< recorded on one machine: its own clock, or its UTC
  kUtc,  ///< of two machines
  kCollectives,  ///< all ranks leave a collective at about the same time
  kByHand,
  kNone,  ///< nothing ties it to the others: what is between them and it means nothing
};

/// Of one report on the common axis, whose zero is the first report's.
struct Placement {
  trace::Ns offset = 0;  ///< common = own + offset
  trace::Ns error = 0;  ///< ± this of the offset
  ClockMethod method = ClockMethod::kNone;
  std::string sentence;  ///< for a person: "same machine, by its clock, ± 90 ns"
  bool contradicted = false;  ///< by the ends of collectives; the sentence says by how much

  std::uint32_t anchor = 0;  ///< the report that it was placed against: the first, or an earlier one of its machine
  trace::Ns within = 0;  ///< error against that one
  trace::Ns byCollectives = 0;  ///< the offset by the ends of common collectives; as `offset` where there are none
  trace::Ns slack = 0;  ///< by how much single collectives may be off of that
};

/// ± this is what lies between times of these two; where one was placed by hand, or by a clock that was contradicted, that
/// may be anything: the greatest Ns.
trace::Ns errorBetween(const Placement& a, const Placement& b);

/// reports[i] belongs to identities[i]; may be empty: no collectives are known.
std::vector<Placement> place(std::span<const Identity> identities, std::span<const ReportCalls> reports);

/// With the collectives of these traces, which are loaded from the files of the identities. O(collectives · log), where
/// files hold payloads of NVTX also O(NVTX rows). Empty if cancelled.
std::vector<Placement> place(std::span<const Identity> identities, std::span<const trace::TracePtr> traces,
                             const Job& job);

}  // namespace lanescope::together
