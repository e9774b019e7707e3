// SPDX-License-Identifier: Apache-2.0
#include "model/together/clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "model/format.h"
#include "model/together/matching.h"

namespace lanescope::together {

using trace::Ns;

namespace {

// What is taken for the error of a start in UTC where nothing measures it: on one machine how far apart a recorder may
// have read its two clocks; between two machines what plain NTP keeps.
constexpr Ns kUtcErrorHere = 100'000, kUtcErrorBetween = 10'000'000;

/// Of one report against another.
struct Relation {
  Ns offset = 0, error = 0;
  ClockMethod method = ClockMethod::kNone;
  std::string by;  ///< "same machine, by its clock"
  bool isTaken = false;  ///< the error is taken for that, not measured
};

/// Files that name neither a boot nor a host may be of one machine.
std::string_view machineOf(const Identity& anchor, const Identity& other) {
  if (sameMachine(anchor, other)) return "same machine";
  const auto differ = [](const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; };
  return differ(anchor.bootId, other.bootId) || differ(anchor.host, other.host) ? "another machine"
                                                                                : "perhaps another machine";
}

Relation byClocks(const Identity& anchor, const Identity& other) {
  const bool here = sameMachine(anchor, other);
  if (here && anchor.bootClock && other.bootClock && !anchor.bootId.empty() && !other.bootId.empty())
    return {*other.bootClock - *anchor.bootClock, anchor.clockError.value_or(0) + other.clockError.value_or(0),
            ClockMethod::kSameClock, "same machine, by its clock", false};
  if (anchor.utcStart && other.utcStart)
    return {*other.utcStart - *anchor.utcStart, here ? kUtcErrorHere : kUtcErrorBetween,
            here ? ClockMethod::kSameClock : ClockMethod::kUtc,
            fmt::format("{}, by session start in UTC", machineOf(anchor, other)), true};
  return {};
}

std::string plusMinus(const std::string& by, Ns error, bool isTaken) {
  return fmt::format("{}, {}± {}", by, isTaken ? "taken for " : "", formatDuration(error, 2));
}

std::string collectives(std::size_t count) {
  return count == 1 ? "one common collective" : formatCount(count) + " common collectives";
}

Placement placed(const Relation& clocks, const std::optional<Estimate>& ends) {
  Placement placement{.offset = clocks.offset,
                      .error = clocks.error,
                      .method = clocks.method,
                      .sentence = plusMinus(clocks.by, clocks.error, clocks.isTaken)};
  placement.byCollectives = clocks.offset;
  placement.slack = clocks.error;
  if (ends) {
    placement.byCollectives = ends->offset;
    placement.slack = ends->slack;
  }
  if (clocks.method == ClockMethod::kNone) {
    placement.sentence = "not aligned: no clock and no collectives in common";
    if (!ends) return placement;
    placement.method = ClockMethod::kCollectives;
    placement.offset = ends->offset;
    placement.error = ends->error;
    placement.sentence = plusMinus("by the ends of " + collectives(ends->pairs), ends->error, false);
    return placement;
  }
  if (!ends) return placement;
  const Ns apart = ends->offset - clocks.offset, size = std::abs(apart);
  if (size > clocks.error + ends->error) {
    constexpr std::size_t kAgree = 2;  // one agrees with itself
    const bool byEnds = clocks.isTaken && ends->pairs >= kAgree;
    placement.contradicted = true;
    placement.error = byEnds ? ends->error : size + ends->error;
    placement.sentence = fmt::format("{}, but by the ends of {} it is {} {}: {}± {}", clocks.by,
                                     collectives(ends->pairs), formatDuration(size, 2), apart > 0 ? "later" : "earlier",
                                     byEnds ? "placed by these, " : "", formatDuration(placement.error, 2));
    if (byEnds) placement.method = ClockMethod::kCollectives, placement.offset = ends->offset;
  } else if (clocks.isTaken && size + ends->error < clocks.error) {
    placement.error = size + ends->error;
    placement.sentence = fmt::format("{}, ± {}: {} end within {} of it", clocks.by, formatDuration(placement.error, 2),
                                     collectives(ends->pairs), formatDuration(size, 2));
  }
  return placement;
}

}  // namespace

Ns errorBetween(const Placement& a, const Placement& b) {
  const auto isOpen = [](const Placement& each) {
    return each.method == ClockMethod::kByHand || (each.contradicted && each.method != ClockMethod::kCollectives);
  };
  if (isOpen(a) || isOpen(b)) return std::numeric_limits<Ns>::max();
  return a.anchor == b.anchor ? a.within + b.within : a.error + b.error;
}

std::vector<Placement> place(std::span<const Identity> identities, std::span<const ReportCalls> reports) {
  std::vector<Placement> all;
  const std::vector<std::string> names = shortNames(identities);
  const SequencesBy by = sequencesBy(reports);
  for (std::size_t i = 0; i < identities.size(); ++i) {
    if (i == 0) {
      all.push_back({.method = ClockMethod::kSameClock, .sentence = "the others are placed against it"});
      continue;
    }
    const auto earlier = std::ranges::find_if(identities.first(i),
                                              [&](const Identity& each) { return sameMachine(each, identities[i]); });
    const auto found = static_cast<std::size_t>(earlier - identities.begin());
    const std::size_t anchor = found < i ? all[found].anchor : 0;
    const Relation clocks = byClocks(identities[anchor], identities[i]);
    std::optional<Estimate> ends;
    if (i < reports.size()) {
      std::optional<Prior> prior;
      if (clocks.method != ClockMethod::kNone) prior = {clocks.offset, clocks.error};
      ends = estimate(reports[anchor], reports[i], by, prior);
    }
    Placement placement = placed(clocks, ends);
    placement.anchor = static_cast<std::uint32_t>(anchor);
    placement.within = placement.error;
    if (anchor != 0) {
      placement.sentence = fmt::format("with {} ({}): {}", names[anchor], all[anchor].sentence, placement.sentence);
      placement.offset += all[anchor].offset;
      placement.error += all[anchor].error;
      placement.byCollectives += all[anchor].byCollectives;
      const bool byEnds = placement.contradicted && placement.method == ClockMethod::kCollectives;
      if (placement.method != ClockMethod::kNone && !byEnds) placement.method = all[anchor].method;
    } else if (found == i) {  // the first of its machine: others of it are placed against this one
      placement.anchor = static_cast<std::uint32_t>(i);
      placement.within = 0;
    }
    all.push_back(std::move(placement));
  }
  return all;
}

std::vector<Placement> place(std::span<const Identity> identities, std::span<const trace::TracePtr> traces,
                             const Job& job) {
  std::vector<ReportCalls> reports;
  for (std::size_t i = 0; i < std::min(identities.size(), traces.size()); ++i) {
    if (job.cancelled()) return {};
    reports.push_back(callsOf(*traces[i], identities[i].path, job));
  }
  return place(identities, reports);
}

}  // namespace lanescope::together
