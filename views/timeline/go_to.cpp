// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/go_to.h"

#include <algorithm>

#include "views/timeline/layout.h"

namespace lanescope::views {
namespace {

bool shows(const trace::Row& row, trace::LaneId lane) {
  return std::find(row.lanes.begin(), row.lanes.end(), lane) != row.lanes.end();
}

/// The row to show an event in, opened if need be; kNone if no row has it.
std::uint32_t openRowOf(ViewState& view, trace::LaneId lane) {
  const trace::Trace& trace = *view.trace();
  const std::uint32_t home = homeRows(trace)[lane];
  const Layout layout(view);
  if (home == trace::kNone || layout.boxOf(home) >= 0) return home;
  for (const RowBox& box : layout.boxes())
    if (!trace.rows[box.row].summary && shows(trace.rows[box.row], lane)) return box.row;
  for (std::uint32_t row = trace.rows[home].parent; row != trace::kNone; row = trace.rows[row].parent)
    view.setExpanded(row, true);
  return home;
}

}  // namespace

std::vector<std::uint32_t> homeRows(const trace::Trace& trace) {
  std::vector<std::uint32_t> home(trace.lanes.size(), trace::kNone);
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row)
    for (const trace::LaneId lane : trace.rows[row].lanes) {
      const bool free = home[lane] == trace::kNone;
      if (free || trace.rows[home[lane]].summary) home[lane] = row;
      // What stands below a row repeats its lanes in parts.
      else if (!trace.rows[row].summary && trace.rows[row].parent != home[lane]) home[lane] = row;
    }
  return home;
}

void goToEvent(ViewState& view, trace::EventRef event) {
  view.setCurrent(event);
  if (const std::uint32_t row = openRowOf(view, event.lane); row != trace::kNone) {
    view.setCurrentRow(row);
    view.revealRow(row);
  }
  const trace::TimeRange visible = view.visible(), time = view.trace()->time(event);
  const trace::Ns length = visible.length();
  const bool fits = time.length() < length;
  const bool inSight = fits ? visible.begin <= time.begin && time.end <= visible.end
                            : time.begin < visible.end && visible.begin < time.end;
  if (inSight) return;
  // Of an event longer than the view its begin is shown, a tenth from the edge.
  const trace::Ns begin = fits ? time.begin + time.length() / 2 - length / 2 : time.begin - length / 10;
  view.setVisible({begin, begin + length});
}

}  // namespace lanescope::views
