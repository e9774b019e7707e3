// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <ctime>

#include "tests/bench/commands.h"
#include "tests/bench/watched_application.h"
#include "views/panels/events_panel.h"
#include "views/panels/rows_line.h"
#include "views/tables/figure_table.h"

namespace lanescope::bench {
namespace {

/// A stats report with a row for each event, as far as sorting it goes: start, duration, name.
views::TableContent rowPerEvent(const trace::TracePtr& trace) {
  using analysis::Cell;
  using analysis::ColumnKind;
  views::TableContent content;
  content.columns = {{.title = "Start", .kind = ColumnKind::kTime},
                     {.title = "Duration", .kind = ColumnKind::kTime},
                     {.title = "Name"},
                     {.title = "Share", .kind = ColumnKind::kShare}};
  content.nameColumn = 2;
  content.rows = trace->eventCount();
  content.cell = [trace](std::size_t row, std::size_t column) -> Cell {
    const trace::EventRef event = trace->ref(static_cast<trace::EventId>(row));
    const trace::TimeRange time = trace->time(event);
    switch (column) {
      case 0:
        return time.begin;
      case 1:
        return time.length();
      case 2:
        return analysis::KeptText((*trace->names)[trace->name(event)].text);
      default:
        return static_cast<double>(time.length()) / 7;
    }
  };
  return content;
}

/// Milliseconds from the click on a column's header to the table in the new order, of processors meanwhile, and the
/// longest that the GUI thread did one thing, by the columns' titles.
std::string sortedBy(views::FigureTable& table, auto busy) {
  std::string text = fmt::format("\"shown\":{}", WatchedApplication::the().longest());
  for (std::size_t column = 0; column < table.content().columns.size(); ++column) {
    const auto began = Clock::now();
    const std::clock_t worked = std::clock();
    WatchedApplication::the().watch([&] { table.sortBy(static_cast<int>(column), Qt::DescendingOrder); });
    runUntil([&] { return !busy(); });
    const double wall = secondsSince(began) * 1e3;
    const double processor = 1e3 * static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC;
    WatchedApplication::the().watch([&] { table.grab(); });
    text += fmt::format(",\"{}\":[{:.1f},{:.1f},{}]", table.content().columns[column].title.toStdString(), wall,
                        processor, WatchedApplication::the().longest());
  }
  return text;
}

}  // namespace

void runUntil(const std::function<bool()>& done) {
  while (!done()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

std::string sortStatistics(const trace::TracePtr& trace) {
  views::FigureTable table;
  table.setWindow(views::RowsLine::kMost);
  table.show();
  WatchedApplication::the().watch([&] {
    table.setContent(rowPerEvent(trace));
    table.grab();
  });
  table.setCurrentIndex(table.model()->index(7, 0));
  return "{" + sortedBy(table, [&] { return table.isSorting(); }) + "}";
}

std::string sortEvents(views::ViewState& view) {
  views::EventsPanel panel;
  panel.setView(&view);
  panel.show();
  view.fitAll();
  runUntil([&] { return !panel.working(); });
  std::string text = sortedBy(panel.table(), [&] { return panel.working(); });
  // To other rows of the list, and after an event of the timeline.
  const auto rows = panel.table().content().rows;
  for (const std::size_t place : {rows - 1, std::size_t{0}, rows / 2})
    WatchedApplication::the().watch([&] {
      panel.table().showFrom(place);
      panel.table().grab();
    });
  for (const trace::LaneId lane : {trace::LaneId{0}, trace::LaneId{7}, trace::LaneId{20}})
    if (lane < view.trace()->lanes.size() && !view.trace()->lanes[lane]->empty())
      WatchedApplication::the().watch([&] {
        view.setCurrent(trace::EventRef{lane, static_cast<std::uint32_t>(view.trace()->lanes[lane]->size() / 2)});
        panel.grab();
      });
  return fmt::format("{{{},\"other rows\":{}}}", text, WatchedApplication::the().longest());
}

}  // namespace lanescope::bench
