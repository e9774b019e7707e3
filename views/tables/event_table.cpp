// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/event_table.h"

#include <QCoreApplication>
#include <algorithm>

#include "views/tables/event_cells.h"

namespace lanescope::views {
namespace {

using analysis::Cell;

constexpr unsigned kDeepest = 40;  // levels of indentation

QString tr(const char* text) { return QCoreApplication::translate("EventTable", text); }

std::string partnerText(const trace::Trace& trace, trace::EventRef event) {
  const auto partners = trace.partners(event);
  if (partners.empty()) return {};
  std::string text((*trace.names)[trace.name(trace.ref(partners.front()))].label);
  if (partners.size() > 1) text += " + " + std::to_string(partners.size() - 1);
  return text;
}

}  // namespace

analysis::EventOrder orderOf(EventColumn column) {
  using enum analysis::EventOrder;
  switch (column) {
    case EventColumn::kStart:
      return kStart;
    case EventColumn::kDuration:
      return kDuration;
    case EventColumn::kName:
      return kName;
    case EventColumn::kWhere:
      return kRow;
    case EventColumn::kPartner:
      return kPartner;
  }
  return kStart;
}

TableContent eventContent(std::shared_ptr<const analysis::FoldedEvents> events, Palette palette) {
  const trace::TracePtr trace = events->list().question().trace;
  TableContent content;
  content.name = QStringLiteral("events");
  for (TableColumn& column : eventColumns()) content.columns.push_back(std::move(column));
  content.columns.push_back({.title = tr("Row"),
                             .meaning = tr("The row that shows the event: its process, thread or stream"),
                             .quiet = true,
                             .tail = true,
                             .characters = 40});
  content.columns.push_back({.title = tr("Correlation"),
                             .meaning = tr("What launched it, or what it launched"),
                             .quiet = true,
                             .characters = 24});
  static_assert(std::tuple_size_v<decltype(eventColumns())> == static_cast<std::size_t>(EventColumn::kWhere));
  static_assert(static_cast<std::size_t>(EventColumn::kWhere) + 1 == static_cast<std::size_t>(EventColumn::kPartner));
  content.nameColumn = static_cast<std::size_t>(EventColumn::kName);
  content.rows = events->size();
  content.sorted = true;
  content.cell = [trace, events](std::size_t row, std::size_t column) -> Cell {
    const trace::EventRef event = events->at(row);
    switch (static_cast<EventColumn>(column)) {
      case EventColumn::kStart:
        return startCell(*trace, event);
      case EventColumn::kDuration:
        return durationCell(*trace, event);
      case EventColumn::kName:
        return nameCell(*trace, event);
      case EventColumn::kWhere:
        return placeCell(*trace, events->list().question().rowOfLane[event.lane]);
      case EventColumn::kPartner:
        return partnerText(*trace, event);
    }
    return {};
  };
  content.key = [events](std::size_t row) { return events->id(row); };
  content.rowOf = [trace, events](std::uint64_t key) {
    return events->rowOf(trace->ref(static_cast<trace::EventId>(key)));
  };
  if (events->list().question().order == analysis::EventOrder::kNested) {
    content.holdsOthers = [events](std::size_t row) { return events->holdsOthers(row); };
    content.foldSign = [events](std::size_t row) {
      const QString indent(static_cast<qsizetype>(2 * std::min(events->depth(row), kDeepest)), QChar(QChar::Nbsp));
      if (!events->holdsOthers(row)) return indent + QString(4, QChar(QChar::Nbsp));
      return indent + (events->folded(row) ? u'▸' : u'▾') + QChar(QChar::Nbsp);
    };
  }
  content.label = [trace, events, sign = content.foldSign](std::size_t row) {
    return (sign ? sign(row) : QString()) + labelOf(*trace, events->at(row));
  };
  content.swatch = [trace, events, palette = std::move(palette)](std::size_t row) {
    return palette.colour(trace->info(events->at(row)), trace->name(events->at(row)));
  };
  return content;
}

}  // namespace lanescope::views
