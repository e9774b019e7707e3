// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/commands.h"

#include <algorithm>

#include "views/timeline/layout.h"

namespace lanescope::views {
namespace {

constexpr double kZoomStep = 0.7;  // of the visible time is left after a step in
constexpr double kRowStep = 1.25;

void zoom(ViewState& view, std::optional<trace::Ns> anchor, double factor, bool sameGesture) {
  const trace::TimeRange visible = view.visible();
  view.zoomAround(anchor.value_or(visible.begin + visible.length() / 2), factor, sameGesture);
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
