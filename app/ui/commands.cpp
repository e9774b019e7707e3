// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/commands.h"

#include <algorithm>

#include "views/timeline/layout.h"

namespace lanescope::ui {
namespace {

constexpr double kZoomStep = 1.5;
constexpr double kRowStep = 1.25, kLowestRows = 0.5, kTallestRows = 4;

trace::Ns middle(trace::TimeRange range) { return range.begin + range.length() / 2; }

void scaleRows(views::ViewState& view, double factor) {
  view.setAllRowsScale(std::clamp(view.allRowsScale() * factor, kLowestRows, kTallestRows));
}

}  // namespace

void zoomIn(views::ViewState& view) { view.zoomAround(middle(view.visible()), 1 / kZoomStep); }

void zoomOut(views::ViewState& view) { view.zoomAround(middle(view.visible()), kZoomStep); }

void tallerRows(views::ViewState& view) { scaleRows(view, kRowStep); }

void lowerRows(views::ViewState& view) { scaleRows(view, 1 / kRowStep); }

void stepRow(views::ViewState& view, int steps) {
  const views::Layout layout(view);
  if (layout.boxes().empty()) return;
  const int last = static_cast<int>(layout.boxes().size()) - 1;
  const int now = view.currentRow() == trace::kNone ? -1 : layout.boxOf(view.currentRow());
  const int next = now < 0 ? 0 : std::clamp(now + steps, 0, last);
  view.setCurrentRow(layout.boxes()[static_cast<std::size_t>(next)].row);
}

}  // namespace lanescope::ui
