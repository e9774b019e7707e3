// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/hit_table.h"

#include <QCoreApplication>

#include "views/tables/row_path.h"
#include "views/text.h"
#include "views/timeline/go_to.h"

namespace lanescope::views {
namespace {

using analysis::Cell;

QString tr(const char* text) { return QCoreApplication::translate("HitTable", text); }

}  // namespace

TableContent hitContent(const trace::TracePtr& trace, std::shared_ptr<const std::vector<trace::EventRef>> events,
                        Palette palette) {
  using enum analysis::ColumnKind;
  TableContent content;
  content.name = QStringLiteral("hits");
  const TableColumn columns[] = {
      {.title = tr("Start"),
       .meaning = tr("When the event began, as Details says it"),
       .kind = kTime,
       .exact = true,
       .characters = 20},
      {.title = tr("Duration"),
       .meaning = tr("How long the event took; nothing where it never finished"),
       .kind = kTime},
      {.title = tr("Name")},
      {.title = tr("Where"),
       .meaning = tr("The row that shows the event"),
       .quiet = true,
       .tail = true,
       .characters = 40},
  };
  static_assert(std::size(columns) == static_cast<std::size_t>(HitColumn::kWhere) + 1);
  content.columns.assign(std::begin(columns), std::end(columns));
  content.nameColumn = static_cast<std::size_t>(HitColumn::kName);
  content.rows = events->size();
  content.cell = [trace, events, home = homeRows(*trace)](std::size_t row, std::size_t column) -> Cell {
    const trace::EventRef event = (*events)[row];
    switch (static_cast<HitColumn>(column)) {
      case HitColumn::kStart:
        return trace->time(event).begin;
      case HitColumn::kDuration:
        if (trace->lanes[event.lane]->unfinished(event.index)) return {};
        return trace->time(event).length();
      case HitColumn::kName:
        return std::string((*trace->names)[trace->name(event)].text);
      case HitColumn::kWhere:
        return home[event.lane] == trace::kNone ? std::string() : rowPath(*trace, home[event.lane]);
    }
    return {};
  };
  content.key = [trace, events](std::size_t row) { return trace->id((*events)[row]); };
  content.label = [trace, events](std::size_t row) {
    const std::string_view label = (*trace->names)[trace->name((*events)[row])].label;
    return toQt(label);
  };
  content.swatch = [trace, events, palette = std::move(palette)](std::size_t row) {
    return palette.colour(trace->info((*events)[row]), trace->name((*events)[row]));
  };
  return content;
}

}  // namespace lanescope::views
