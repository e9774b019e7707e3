// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/event_cells.h"

#include <QCoreApplication>

#include "views/tables/row_path.h"
#include "views/text.h"

namespace lanescope::views {

using analysis::Cell;

std::array<TableColumn, 3> eventColumns() {
  using enum analysis::ColumnKind;
  const auto tr = [](const char* text) { return QCoreApplication::translate("EventTable", text); };
  return {{{.title = tr("Start"),
            .meaning = tr("When the event began, as Details says it"),
            .kind = kTime,
            .exact = true,
            .characters = 20},
           {.title = tr("Duration"),
            .meaning = tr("How long the event took; nothing where it never finished"),
            .kind = kTime},
           {.title = tr("Name")}}};
}

Cell startCell(const trace::Trace& trace, trace::EventRef event) { return trace.time(event).begin; }

Cell durationCell(const trace::Trace& trace, trace::EventRef event) {
  if (trace.lanes[event.lane]->unfinished(event.index)) return {};
  return trace.time(event).length();
}

Cell nameCell(const trace::Trace& trace, trace::EventRef event) {
  return std::string((*trace.names)[trace.name(event)].text);
}

Cell placeCell(const trace::Trace& trace, std::uint32_t row) {
  return row == trace::kNone ? std::string() : rowPath(trace, row);
}

QString labelOf(const trace::Trace& trace, trace::EventRef event) {
  return toQt((*trace.names)[trace.name(event)].label);
}

}  // namespace lanescope::views
