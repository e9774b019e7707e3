// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <QCoreApplication>
#include <ctime>

#include "tests/bench/commands.h"
#include "tests/bench/measure.h"
#include "views/panels/events_panel.h"
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

/// Milliseconds from the click on a column's header to the table in the new order, and of processors meanwhile, by the
/// columns' titles.
std::string sortedBy(views::FigureTable& table, auto busy) {
  std::string text;
  for (std::size_t column = 0; column < table.content().columns.size(); ++column) {
    const auto began = Clock::now();
    const std::clock_t worked = std::clock();
    table.sortBy(static_cast<int>(column), Qt::DescendingOrder);
    runUntil([&] { return !busy(); });
    text += fmt::format("{}\"{}\":[{:.1f},{:.1f}]", text.empty() ? "" : ",",
                        table.content().columns[column].title.toStdString(), secondsSince(began) * 1e3,
                        1e3 * static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC);
  }
  return "{" + text + "}";
}

}  // namespace

void runUntil(const std::function<bool()>& done) {
  while (!done()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

std::string sortStatistics(const trace::TracePtr& trace) {
  views::FigureTable table;
  table.show();
  table.setContent(rowPerEvent(trace));
  table.setCurrentIndex(table.model()->index(7, 0));
  return sortedBy(table, [&] { return table.isSorting(); });
}

std::string sortEvents(views::ViewState& view) {
  views::EventsPanel panel;
  panel.setView(&view);
  panel.show();
  view.fitAll();
  runUntil([&] { return !panel.working(); });
  return sortedBy(panel.table(), [&] { return panel.working(); });
}

}  // namespace lanescope::bench
