// SPDX-License-Identifier: Apache-2.0
// The same collective on every rank, and what its time was: a rank that comes early waits inside the collective for the
// one that comes last; only from then on data moves. Of each rank: wait = from its own start to the last rank's start,
// transfer = from there to its own end; together they are the time of its kernel (what has a root may end before the last
// rank has come: all of that is wait). "Last" is by starts on the common axis, and as certain as that: where the last
// two started closer to each other than the clocks are known, nobody is told to be last, and a wait that is shorter than
// the error between the two ranks' clocks is counted as such; where a report was placed by hand all are. Found by
// matching.h; a collective that some rank of its communicator lacks is counted, and nothing is said of its wait.
// O(calls · ranks).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/analysis/table.h"
#include "model/together/clocks.h"

namespace lanescope::together {

struct AcrossRank {
  std::uint32_t report = 0;
  std::uint32_t gpu = 0;  ///< index into its Trace::gpus
  std::string label;  ///< "rank 3", "node1 rank 3", "run.rep GPU 1"
  std::optional<trace::Ns> error;  ///< of its clock against that of the first report, ±; none: placed by hand
  std::size_t alone = 0;  ///< calls that some rank lacks
};

/// One rank's part in a call.
struct AcrossPart {
  std::uint32_t rank = 0;  ///< index into Across::ranks
  trace::EventId kernel = trace::kNone;  ///< of its report's trace
  trace::TimeRange time;  ///< on the common axis
  trace::Ns wait = 0, transfer = 0;
  trace::Ns error = 0;  ///< ± of the wait: of its clock against that of the rank that came last
  trace::Ns compute = 0;  ///< while its GPU ran other kernels since this rank's collective before, or ever, started
  bool isCertain() const { return wait > error; }
};

struct AcrossCall {
  std::string operation;
  std::size_t firstPart = 0, partCount = 0;
  std::uint32_t last = 0;  ///< the rank that started last
  bool isCertain = false;  ///< that it was the last
};

struct Across {
  std::vector<AcrossRank> ranks;
  std::vector<AcrossCall> calls;  ///< found on every rank of their communicator, by start of the last
  std::vector<AcrossPart> parts;
  std::string missing;  ///< "2 of 8 ranks are here: who is last is said of these"; empty: none are known to be missing

  std::span<const AcrossPart> partsOf(const AcrossCall& call) const {
    return std::span(parts).subspan(call.firstPart, call.partCount);
  }
};

/// All three by report. Calls on fewer than two ranks are no matter of this.
Across across(std::span<const Identity> identities, std::span<const Placement> placements,
              std::span<const ReportCalls> reports);

/// Totals by operation and rank.
analysis::Table acrossTable(const Across& across);
/// By rank, who caused most waiting first.
analysis::Table stragglerTable(const Across& across);

/// The two, as `stats -r` knows them.
struct AcrossReport {
  std::string_view name, title, about;
  analysis::Table (*make)(const Across& across);
};
std::span<const AcrossReport> acrossReports();

}  // namespace lanescope::together
