// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/longest.h"

#include <limits>
#include <tuple>

namespace lanescope::analysis {

using trace::EventRef;
using trace::Lane;
using trace::LaneId;
using trace::Ns;

namespace {

constexpr std::size_t kLookEvery = 65'536;  // events, at the job

}  // namespace

std::optional<EventRef> nextLongest(const trace::Trace& trace, std::span<const LaneId> lanes,
                                    std::optional<EventRef> from, bool forward, const Passing* passing,
                                    const Job& job) {
  using Place = std::tuple<Ns, Ns, LaneId>;
  const auto placeOf = [&](LaneId lane, std::size_t i) {
    return Place(-trace.lanes[lane]->duration(i), trace.lanes[lane]->start(i), lane);
  };
  const std::optional<Place> here = from ? std::optional(placeOf(from->lane, from->index)) : std::nullopt;
  std::optional<std::pair<Place, EventRef>> best;
  // Only as long as these an event can be the one, so most are told by a glance at their duration.
  Ns least = 0, most = std::numeric_limits<Ns>::max();
  if (here) (forward ? most : least) = -std::get<0>(*here);
  for (const LaneId id : lanes) {
    const trace::LaneView lane = laneOf(trace, id, passing);
    const auto durations = lane->shortDurations();
    for (std::size_t i = lane.next(0); i < durations.size(); i = lane.next(i + 1)) {
      if (i % kLookEvery == 0 && job.cancelled()) return std::nullopt;
      const Ns duration = durations[i] != Lane::kLong ? Ns{durations[i]} : lane->duration(i);
      if (duration < least || duration > most) continue;
      const Place place = placeOf(id, i);
      if (here && (forward ? place <= *here : place >= *here)) continue;
      if (best && (forward ? place >= best->first : place <= best->first)) continue;
      best = {place, {id, static_cast<std::uint32_t>(i)}};
      (forward ? least : most) = duration;
    }
  }
  return best ? std::optional(best->second) : std::nullopt;
}

}  // namespace lanescope::analysis
