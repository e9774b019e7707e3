// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/hit_table.h"

#include <QCoreApplication>

#include "views/tables/event_cells.h"
#include "views/timeline/go_to.h"

namespace lanescope::views {
namespace {

using analysis::Cell;

QString tr(const char* text) { return QCoreApplication::translate("HitTable", text); }

}  // namespace

TableContent hitContent(const trace::TracePtr& trace, std::shared_ptr<const std::vector<trace::EventRef>> events,
                        Palette palette) {
  TableContent content;
  content.name = QStringLiteral("hits");
  for (TableColumn& column : eventColumns()) content.columns.push_back(std::move(column));
  content.columns.push_back({.title = tr("Where"),
                             .meaning = tr("The row that shows the event"),
                             .quiet = true,
                             .tail = true,
                             .characters = 40});
  static_assert(std::tuple_size_v<decltype(eventColumns())> == static_cast<std::size_t>(HitColumn::kWhere));
  content.nameColumn = static_cast<std::size_t>(HitColumn::kName);
  content.rows = events->size();
  content.cell = [trace, events, home = homeRows(*trace)](std::size_t row, std::size_t column) -> Cell {
    const trace::EventRef event = (*events)[row];
    switch (static_cast<HitColumn>(column)) {
      case HitColumn::kStart:
        return startCell(*trace, event);
      case HitColumn::kDuration:
        return durationCell(*trace, event);
      case HitColumn::kName:
        return nameCell(*trace, event);
      case HitColumn::kWhere:
        return placeCell(*trace, home[event.lane]);
    }
    return {};
  };
  content.key = [trace, events](std::size_t row) { return trace->id((*events)[row]); };
  content.label = [trace, events](std::size_t row) { return labelOf(*trace, (*events)[row]); };
  content.swatch = [trace, events, palette = std::move(palette)](std::size_t row) {
    return palette.colour(trace->info((*events)[row]), trace->name((*events)[row]));
  };
  return content;
}

}  // namespace lanescope::views
