// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/found.h"

#include <algorithm>

namespace lanescope::views {
namespace {

using OfLane = analysis::Hits::OfLane;

const OfLane* hitsOf(const analysis::Hits& hits, trace::LaneId lane) {
  const auto found = std::lower_bound(hits.lanes.begin(), hits.lanes.end(), lane,
                                      [](const OfLane& each, trace::LaneId id) { return each.lane < id; });
  return found != hits.lanes.end() && found->lane == lane ? &*found : nullptr;
}

bool isHit(const OfLane& hits, const Span& span, const trace::Lane& lane, const Scale& scale) {
  if (span.event != Span::kNoEvent) return std::binary_search(hits.events.begin(), hits.events.end(), span.event);
  const auto first = static_cast<std::uint32_t>(lane.lowerBound(scale.time(span.x)));
  const auto next = std::lower_bound(hits.events.begin(), hits.events.end(), first);
  return next != hits.events.end() && lane.start(*next) < scale.time(span.right());
}

}  // namespace

std::vector<QRectF> foundBars(const analysis::Hits& hits, const Frame& frame, const trace::Trace& trace) {
  std::vector<QRectF> bars;
  if (hits.count == 0) return bars;
  for (const Strip& strip : frame.strips) {
    trace::LaneId last = trace::kNone;
    const OfLane* ofLane = nullptr;
    for (const Span& span : strip.slice.spans) {
      if (span.lane != last) last = span.lane, ofLane = hitsOf(hits, last);
      if (ofLane == nullptr || !isHit(*ofLane, span, *trace.lanes[span.lane], frame.scale)) continue;
      bars.emplace_back(span.x / frame.ratio, strip.band.top / frame.ratio, span.width / frame.ratio,
                        strip.band.height / frame.ratio);
    }
  }
  return bars;
}

}  // namespace lanescope::views
