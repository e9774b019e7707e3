// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/commands.h"

#include <algorithm>

#include "model/analysis/related.h"
#include "views/timeline/go_to.h"
#include "views/timeline/layout.h"

namespace lanescope::views {
namespace {

constexpr double kZoomStep = 0.7;  // of the visible time is left after a step in
constexpr double kRowStep = 1.25;

void zoom(ViewState& view, std::optional<trace::Ns> anchor, double factor, bool sameGesture) {
  const trace::TimeRange visible = view.visible();
  view.zoomAround(anchor.value_or(visible.begin + visible.length() / 2), factor, sameGesture);
}

/// The lanes among which the next event of an event is looked for.
std::vector<trace::LaneId> neighbours(const trace::Trace& trace, std::uint32_t row, std::optional<trace::LaneId> lane) {
  std::vector<trace::LaneId> lanes = trace.rows[row].lanes;
  if (trace.rows[row].stacked) {
    const std::uint32_t depth = lane ? trace.laneInfo[*lane].depth : 0;
    std::erase_if(lanes, [&](trace::LaneId each) { return trace.laneInfo[each].depth != depth; });
  }
  return lanes;
}

}  // namespace

void zoomIn(ViewState& view, std::optional<trace::Ns> anchor, bool sameGesture) {
  zoom(view, anchor, kZoomStep, sameGesture);
}

void zoomOut(ViewState& view, std::optional<trace::Ns> anchor, bool sameGesture) {
  zoom(view, anchor, 1 / kZoomStep, sameGesture);
}

void fitGpuWork(ViewState& view) {
  const trace::Trace& trace = *view.trace();
  trace::TimeRange work;
  for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
    if (trace::isGpuWork(trace.laneInfo[lane].kind)) work = hull(work, trace.lanes[lane]->span());
  if (!work.empty()) view.zoomTo(work);
}

void tallerRows(ViewState& view) { view.setAllRowsScale(view.allRowsScale() * kRowStep); }

void lowerRows(ViewState& view) { view.setAllRowsScale(view.allRowsScale() / kRowStep); }

void stepEvent(ViewState& view, bool forward) {
  const trace::Trace& trace = *view.trace();
  const auto current = view.current();
  const std::uint32_t row = current ? rowOf(view, current->lane) : view.currentRow();
  if (row == trace::kNone) return;
  // In order of start, ties by lane: the place of an event is that pair.
  using Place = std::pair<trace::Ns, trace::LaneId>;
  std::optional<Place> best;
  std::uint32_t index = 0;
  const auto offer = [&](trace::LaneId lane, std::size_t i) {
    const Place place(trace.lanes[lane]->start(i), lane);
    if (best && (forward ? place >= *best : place <= *best)) return;
    best = place;
    index = static_cast<std::uint32_t>(i);
  };
  const trace::Ns from = current ? trace.time(*current).begin : forward ? view.visible().begin : view.visible().end;
  for (const trace::LaneId id : neighbours(trace, row, current ? std::optional(current->lane) : std::nullopt)) {
    const trace::LaneView lane = view.lane(id);
    const auto offerFrom = [&](std::size_t i) {
      if (!forward) {
        if (const auto before = lane.previous(i)) offer(id, *before);
      } else if (const std::size_t next = lane.next(i); next < lane->size()) {
        offer(id, next);
      }
    };
    if (current && id == current->lane) {
      offerFrom(forward ? current->index + std::size_t{1} : current->index);
      continue;
    }
    const bool after = !current || id > current->lane;  // events of this lane at that very start come after it
    offerFrom(lane->lowerBound(after ? from : from + 1));
  }
  if (!best) return;
  view.setCurrent(trace::EventRef{best->second, index});
  revealEvent(view, *view.current());
}

void jumpToPartner(ViewState& view) {
  if (!view.current()) return;
  const analysis::Related related(view.trace(), *view.current());
  const auto passes = [&](trace::EventRef end) { return !view.passing() || view.passing()->passes(end); };
  const auto end = std::ranges::find_if(related.ends(), passes);
  if (end == related.ends().end()) return;
  view.setCurrent(*end);
  revealEvent(view, *view.current());
}

void selectCurrent(ViewState& view) {
  if (view.current()) view.setSelection(view.trace()->time(*view.current()));
}

void stepRow(ViewState& view, int steps) {
  const Layout layout(view);
  const auto boxes = layout.boxes();
  if (boxes.empty()) return;
  const int last = static_cast<int>(boxes.size()) - 1;
  const int now = layout.boxOf(view.currentRow());
  const int next = now < 0 ? (steps > 0 ? 0 : last) : std::clamp(now + steps, 0, last);
  view.setCurrentRow(boxes[static_cast<std::size_t>(next)].row);
  view.revealRow(view.currentRow());
}

}  // namespace lanescope::views
