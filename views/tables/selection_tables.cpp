// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/selection_tables.h"

#include <QCoreApplication>
#include <QHash>
#include <array>

#include "model/analysis/losses.h"
#include "model/format.h"
#include "views/tables/row_path.h"
#include "views/text.h"

namespace lanescope::views {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::NameFigures;

QString tr(const char* text) { return QCoreApplication::translate("SelectionTables", text); }

Cell share(trace::Ns part, trace::Ns whole) {
  if (whole <= 0) return {};
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string kindText(const NameFigures& line) {
  std::string text(line.kindWord);
  if (line.kind != trace::EventKind::kCopy && line.kind != trace::EventKind::kMemset) return text;
  if (line.bytes == 0) return text;
  return text + " · " + formatBytes(line.bytes) + " · " + formatRate(line.bytes, line.time.total);
}

Cell nameCell(const trace::Trace& trace, const NameFigures& line, trace::Ns length, NameColumn column) {
  const analysis::Statistics& time = line.time;
  const bool timed = time.count != 0;
  switch (column) {
    case NameColumn::kName:
      return std::string((*trace.names)[line.name].text);
    case NameColumn::kKind:
      return kindText(line);
    case NameColumn::kCount:
      return static_cast<std::int64_t>(time.count + line.unfinished);
    case NameColumn::kTotal:
      return timed ? Cell(time.total) : Cell();
    case NameColumn::kShare:
      return timed ? share(time.total, length) : Cell();
    case NameColumn::kMean:
      return timed ? Cell(time.mean) : Cell();
    case NameColumn::kMedian:
      return timed ? Cell(time.median) : Cell();
    case NameColumn::kMin:
      return timed ? Cell(time.min) : Cell();
    case NameColumn::kMax:
      return timed ? Cell(time.max) : Cell();
    case NameColumn::kDeviation:
      return time.count > 1 ? Cell(time.deviation) : Cell();
    case NameColumn::kSelf:
      return timed ? Cell(line.self) : Cell();
    case NameColumn::kSize:
      return line.bytes != 0 ? Cell(static_cast<std::int64_t>(line.bytes)) : Cell();
  }
  return {};
}

struct MetricUnit {
  const char* text;
  double size;  // of what the counter holds
};
MetricUnit unitOf(trace::Counter::Unit unit) {
  switch (unit) {
    case trace::Counter::Unit::kPercent:
      return {"%", 1};
    case trace::Counter::Unit::kHertz:
      return {"MHz", 1e6};
    case trace::Counter::Unit::kBytes:
      return {"MB", 1e6};
    case trace::Counter::Unit::kCount:
      break;
  }
  return {"", 1};
}

}  // namespace

LineColours::LineColours(Palette palette, const trace::Trace& trace) {
  auto own = std::make_shared<Own>();
  own->palette = std::move(palette);
  own->palette.learn(trace);
  for (trace::NameId id = 0; trace.names && id < trace.names->size(); ++id)
    if ((*trace.names)[id].argb != 0) own->chosen.try_emplace((*trace.names)[id].same, id);
  own_ = std::move(own);
}

QRgb LineColours::of(const NameKey& line) const {
  const auto chosen = own_->chosen.find(line.name);
  return own_->palette.colour({.kind = line.kind, .copyKind = line.copyKind},
                              chosen == own_->chosen.end() ? line.name : chosen->second);
}

std::vector<QString> nameLabels(const trace::Trace& trace, const analysis::NameTable& table) {
  std::vector<QString> labels;
  QHash<QString, int> uses;
  for (const NameFigures& line : table.names) {
    // What is copied where is told by the text of a copy, and only briefly by its label.
    const bool brief = !trace::isGpuWork(line.kind) || line.kind == trace::EventKind::kKernel;
    const trace::Name& name = (*trace.names)[line.name];
    labels.push_back(toQt(brief ? name.label : name.text));
    ++uses[labels.back() + QChar(static_cast<char16_t>(line.kind))];
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const NameFigures& line = table.names[i];
    if (uses[labels[i] + QChar(static_cast<char16_t>(line.kind))] > 1) labels[i] = toQt((*trace.names)[line.name].text);
  }
  return labels;
}

TableContent nameContent(const trace::TracePtr& trace, std::shared_ptr<const analysis::NameTable> table,
                         std::shared_ptr<const std::vector<QString>> labels, trace::Ns length,
                         const LineColours& colours) {
  using enum ColumnKind;
  const QString whole = tr("Sum of the durations, and so more than the time itself where events overlap");
  const QString cut =
      tr(".\nOf an event that the edge of the range cuts, the part inside counts; with Whole events, all of it");
  TableContent content;
  content.name = QStringLiteral("selection");
  const TableColumn columns[] = {
      {.title = tr("Name"), .meaning = tr("Events of one kind with one name")},
      {.title = tr("Kind"),
       .meaning = tr("Kind of event; copies with their bytes, and bytes by the sum of their durations"),
       .quiet = true,
       .characters = 26},
      {.title = tr("Count"),
       .meaning = tr("Events that touch the range, with those that never finished"),
       .kind = kCount,
       .characters = 7},
      {.title = tr("Total"), .meaning = whole + cut, .kind = kTime},
      {.title = tr("Share"),
       .meaning = tr("Total by the length of the range shown here, so more than 100 % where events overlap"),
       .kind = kShare,
       .characters = 7},
      {.title = tr("Mean"), .meaning = tr("Total by count of those that finished") + cut, .kind = kTime},
      {.title = tr("Median"), .meaning = tr("Half of the durations are shorter, half longer") + cut, .kind = kTime},
      {.title = tr("Min"), .meaning = tr("The shortest duration") + cut, .kind = kTime},
      {.title = tr("Max"), .meaning = tr("The longest duration") + cut, .kind = kTime},
      {.title = tr("Std dev"),
       .meaning = tr("Sample standard deviation of the durations (n - 1)") + cut,
       .kind = kTime},
      {.title = tr("Self"),
       .meaning = tr("Total without what nests inside, of the same thread and kind") + cut,
       .kind = kTime,
       .hidden = true},
      {.title = tr("Size"), .meaning = tr("Bytes copied or set"), .kind = kSize, .hidden = true},
  };
  static_assert(std::size(columns) == static_cast<std::size_t>(NameColumn::kSize) + 1);
  content.columns.assign(std::begin(columns), std::end(columns));
  content.rows = table->names.size();
  content.cell = [trace, table, length](std::size_t row, std::size_t column) {
    return nameCell(*trace, table->names[row], length, static_cast<NameColumn>(column));
  };
  content.key = [table](std::size_t row) { return NameKey::of(table->names[row]).number(); };
  content.label = [labels = std::move(labels)](std::size_t row) { return (*labels)[row]; };
  content.swatch = [table, colours](std::size_t row) { return colours.of(NameKey::of(table->names[row])); };
  std::array<QString, trace::kEventKinds> warnings;
  for (std::size_t kind = 0; kind < warnings.size(); ++kind)
    warnings[kind] = QString::fromStdString(analysis::affectedText(*trace, static_cast<trace::EventKind>(kind)));
  content.warning = [table, warnings = std::move(warnings)](std::size_t row) {
    return warnings[static_cast<std::size_t>(table->names[row].kind)];
  };
  return content;
}

TableContent rowContent(const trace::TracePtr& trace, std::vector<analysis::RowFigures> rows, trace::Ns length) {
  using enum ColumnKind;
  TableContent content;
  content.name = QStringLiteral("rows");
  const TableColumn columns[] = {
      {.title = tr("Row"), .meaning = tr("The rows that are open in the timeline")},
      {.title = tr("Busy"),
       .meaning = tr("Time in which the row had at least one event: overlapping ones count once"),
       .kind = kTime},
      {.title = tr("Share"), .meaning = tr("Busy by the length of the range shown here"), .kind = kShare},
      {.title = tr("Count"), .meaning = tr("Events that touch the range"), .kind = kCount},
  };
  static_assert(std::size(columns) == static_cast<std::size_t>(RowColumn::kCount) + 1);
  content.columns.assign(std::begin(columns), std::end(columns));
  const auto shared = std::make_shared<const std::vector<analysis::RowFigures>>(std::move(rows));
  content.rows = shared->size();
  content.cell = [trace, shared, length](std::size_t row, std::size_t column) -> Cell {
    const analysis::RowFigures& figures = (*shared)[row];
    switch (static_cast<RowColumn>(column)) {
      case RowColumn::kRow:
        return rowPath(*trace, figures.row);
      case RowColumn::kBusy:
        return figures.busy;
      case RowColumn::kShare:
        return share(figures.busy, length);
      case RowColumn::kCount:
        return static_cast<std::int64_t>(figures.count);
    }
    return {};
  };
  content.key = [shared](std::size_t row) { return (*shared)[row].row; };
  content.label = [trace, shared](std::size_t index) {
    const trace::Row& row = trace->rows[(*shared)[index].row];
    return QString(2 * row.depth, QChar(0x2002)) + QString::fromStdString(row.label);
  };
  return content;
}

TableContent metricContent(const trace::TracePtr& trace, std::vector<analysis::CounterLine> lines) {
  using enum ColumnKind;
  TableContent content;
  content.name = QStringLiteral("metrics");
  const TableColumn columns[] = {
      {.title = tr("Metric"), .meaning = tr("GPU metrics and memory in use")},
      {.title = tr("Mean"),
       .meaning = tr("Mean over the range, weighted by time: each sample holds until the next one.\nTime before the "
                     "first sample, and after the last one of a GPU metric, does not count"),
       .kind = kCount},
      {.title = tr("Min"), .meaning = tr("The least value in the range"), .kind = kCount},
      {.title = tr("Max"), .meaning = tr("The greatest value in the range"), .kind = kCount},
      {.title = tr("Unit"), .meaning = tr("What mean, min and max are in"), .quiet = true, .characters = 6},
      {.title = tr("Row"), .meaning = tr("Where it stands in the timeline"), .quiet = true, .characters = 30},
  };
  static_assert(std::size(columns) == static_cast<std::size_t>(MetricColumn::kRow) + 1);
  content.columns.assign(std::begin(columns), std::end(columns));
  const auto shared = std::make_shared<const std::vector<analysis::CounterLine>>(std::move(lines));
  content.rows = shared->size();
  content.cell = [trace, shared](std::size_t row, std::size_t column) -> Cell {
    const analysis::CounterLine& line = (*shared)[row];
    const trace::Counter& counter = *trace->counters[line.counter];
    const MetricUnit unit = unitOf(counter.unit());
    const auto value = [&](double figure) { return line.figures.any ? Cell(figure / unit.size) : Cell(); };
    switch (static_cast<MetricColumn>(column)) {
      case MetricColumn::kMetric:
        return counter.name();
      case MetricColumn::kMean:
        return value(line.figures.mean);
      case MetricColumn::kMin:
        return value(line.figures.min);
      case MetricColumn::kMax:
        return value(line.figures.max);
      case MetricColumn::kUnit:
        return std::string(unit.text);
      case MetricColumn::kRow:
        return rowPath(*trace, line.row);
    }
    return {};
  };
  content.key = [shared](std::size_t row) { return (*shared)[row].counter; };
  return content;
}

}  // namespace lanescope::views
