// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/hit.h"

#include <algorithm>
#include <cmath>

namespace lanescope::views {
namespace {

using trace::LaneView;
using trace::Ns;
using trace::TimeRange;

constexpr int kReach = 3;  // logical pixels beside a column that still hit it

/// The span nearest to a column, at most `reach` away.
const Span* spanNear(const LaneSlice& slice, int x, int reach) {
  const auto& spans = slice.spans;
  const auto next = std::partition_point(spans.begin(), spans.end(), [x](const Span& s) { return s.right() <= x; });
  if (next != spans.end() && next->x <= x) return &*next;
  const int after = next != spans.end() ? next->x - x : reach + 1;
  const int before = next != spans.begin() ? x - (next - 1)->right() + 1 : reach + 1;
  if (std::min(after, before) > reach) return nullptr;
  return after < before ? &*next : &*(next - 1);
}

/// The events that a span is drawn of.
LaneView drawn(const ViewState& state, const Span& span, trace::LaneId lane) {
  return span.flags & Span::kDimmed ? LaneView(*state.trace()->lanes[lane]) : state.lane(lane);
}

/// The event nearest to the middle of a range; the lane is not empty.
std::uint32_t nearest(const LaneView& lane, TimeRange range) {
  const Ns middle = range.begin + range.length() / 2;
  const std::size_t after = lane.next(lane->firstTouching(middle));
  const std::optional<std::size_t> before = lane.previous(after);
  const auto distance = [&](std::size_t e) {
    return std::max({lane->start(e) - middle, middle - lane->end(e), Ns{0}});
  };
  const bool isBefore = after >= lane->size() || (before && distance(*before) < distance(after));
  return static_cast<std::uint32_t>(isBefore ? before.value_or(0) : after);
}

}  // namespace

std::optional<Hit> hitAt(const Frame& frame, const ViewState& state, QPointF point) {
  const Strip* strip = frame.stripAt(static_cast<int>(std::floor(point.y() * frame.ratio)));
  if (strip == nullptr || strip->curve) return std::nullopt;
  const int x = static_cast<int>(std::floor(point.x() * frame.ratio));
  const Span* span = spanNear(strip->slice, x, static_cast<int>(std::lround(kReach * frame.ratio)));
  if (span == nullptr) return std::nullopt;
  Hit hit{strip, *span, {span->lane, span->event}};
  if (span->event == Span::kNoEvent)
    hit.event.index = nearest(drawn(state, *span, span->lane), frame.scale.column(span->x));
  return hit;
}

ColumnSummary summarize(const Frame& frame, const ViewState& state, const Strip& strip, int column) {
  const TimeRange range = frame.scale.column(column);
  ColumnSummary summary;
  summary.length = range.length();
  const Span* span = spanNear(strip.slice, column, 0);
  for (const trace::LaneId id : strip.lanes) {
    const LaneView lane = span ? drawn(state, *span, id) : state.lane(id);
    summary.events += lane.countOf(lane->firstTouching(range.begin), lane->lowerBound(range.end));
    summary.busy += lane.busy(range);
  }
  return summary;
}

std::vector<QRectF> boxesOf(const Frame& frame, const trace::Trace& trace, trace::EventRef event) {
  std::vector<QRectF> boxes;
  const TimeRange time = trace.time(event);
  if (time.end < frame.scale.range.begin || time.begin >= frame.scale.range.end) return boxes;
  const int left = std::max(frame.scale.x(time.begin), -2);
  const int right = std::min(std::max(frame.scale.x(time.end), left + 1), frame.scale.width + 2);
  for (const Strip& strip : frame.strips)
    if (std::find(strip.lanes.begin(), strip.lanes.end(), event.lane) != strip.lanes.end())
      boxes.emplace_back(left / frame.ratio, strip.band.top / frame.ratio, (right - left) / frame.ratio,
                         strip.band.height / frame.ratio);
  return boxes;
}

std::optional<Ns> edgeNear(const ViewState& state, const Strip& strip, Ns t, Ns reach) {
  std::optional<Ns> best;
  const auto offer = [&](Ns edge) {
    const Ns distance = std::abs(edge - t);
    if (distance <= reach && (!best || distance < std::abs(*best - t))) best = edge;
  };
  for (const trace::LaneId id : strip.lanes) {
    const LaneView lane = state.lane(id);
    const std::size_t i = lane.next(lane->lowerBound(t));  // starts at or after t; the one before starts earlier
    if (i < lane->size()) offer(lane->start(i));
    if (const auto before = lane.previous(i)) offer(lane->start(*before)), offer(lane->end(*before));
    // An end after t belongs to the event before, and ends ascend with starts, so one step back is enough.
  }
  return best;
}

}  // namespace lanescope::views
