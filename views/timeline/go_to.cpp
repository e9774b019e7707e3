// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/go_to.h"

#include <algorithm>

#include "views/timeline/arrange.h"
#include "views/timeline/layout.h"

namespace lanescope::views {
namespace {

bool shows(const trace::Row& row, trace::LaneId lane) {
  return std::find(row.lanes.begin(), row.lanes.end(), lane) != row.lanes.end();
}

/// A row to show the event in: `row`, or an open one in its place if it is not open; else it is opened.
std::uint32_t opened(ViewState& view, std::uint32_t row, trace::LaneId lane) {
  const trace::Trace& trace = *view.trace();
  const auto layout = view.layout();
  if (row == trace::kNone || layout->boxOf(row) >= 0) return row;
  for (const RowBox& box : layout->boxes())
    if (!trace.rows[box.row].summary && shows(trace.rows[box.row], lane)) return box.row;
  uncoverRow(view, row);
  return row;
}

void moveInto(ViewState& view, trace::TimeRange time) {
  const trace::TimeRange visible = view.visible();
  const trace::Ns length = visible.length();
  const bool fits = time.length() < length;
  const bool inSight = fits ? visible.begin <= time.begin && time.end <= visible.end
                            : time.begin < visible.end && visible.begin < time.end;
  if (inSight) return;
  // Of an event longer than the view its begin is shown, a tenth from the edge.
  const trace::Ns begin = fits ? time.begin + time.length() / 2 - length / 2 : time.begin - length / 10;
  view.setVisible({begin, begin + length});
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

std::uint32_t rowOf(const ViewState& view, trace::LaneId lane) {
  const trace::Trace& trace = *view.trace();
  const std::uint32_t current = view.currentRow();
  return current != trace::kNone && shows(trace.rows[current], lane) ? current : homeRows(trace)[lane];
}

void revealEvent(ViewState& view, trace::EventRef event) {
  if (const std::uint32_t row = opened(view, rowOf(view, event.lane), event.lane); row != trace::kNone)
    view.revealRow(row);
  moveInto(view, view.trace()->time(event));
}

void stepTo(ViewState& view, trace::EventRef event) {
  view.setCurrent(event);
  if (const std::uint32_t row = opened(view, rowOf(view, event.lane), event.lane); row != trace::kNone)
    view.setCurrentRow(row);
  revealEvent(view, event);
}

void goToEvent(ViewState& view, trace::EventRef event) {
  view.setCurrent(event);
  const std::uint32_t home = homeRows(*view.trace())[event.lane];
  if (const std::uint32_t row = opened(view, home, event.lane); row != trace::kNone) view.setCurrentRow(row);
  revealEvent(view, event);
}

}  // namespace lanescope::views
