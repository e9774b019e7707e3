// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/table_content.h"

#include <QStringList>
#include <cmath>

#include "model/format.h"

namespace lanescope::views {
namespace {

using analysis::Cell;
using analysis::ColumnKind;

QString numberText(const TableColumn& column, double value) {
  switch (column.kind) {
    case ColumnKind::kShare:
      return QString::number(value, 'f', 1) + QStringLiteral(" %");
    case ColumnKind::kTime:
      if (std::abs(value) < 9e18) return cellText(column, Cell(static_cast<std::int64_t>(std::llround(value))));
      break;
    default:
      break;
  }
  return QString::number(value, 'g', 6);
}

QString wholeText(const TableColumn& column, std::int64_t value) {
  switch (column.kind) {
    case ColumnKind::kTime:
      return QString::fromStdString(column.exact ? formatExact(value) : formatDuration(value));
    case ColumnKind::kShare:
      return numberText(column, static_cast<double>(value));
    case ColumnKind::kSize:
    case ColumnKind::kBytes:
      return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0))));
    default:
      break;
  }
  if (value < 0) return QString::number(value);
  return QString::fromStdString(formatCount(static_cast<std::uint64_t>(value)));
}

/// In one cell of a spreadsheet, whatever a name contains.
QString oneCell(QString text) {
  for (QChar& c : text)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

QString cellText(const TableColumn& column, const Cell& cell) {
  if (const auto text = analysis::textOf(cell))
    return QString::fromUtf8(text->data(), static_cast<qsizetype>(text->size()));
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return wholeText(column, *whole);
  if (const auto* number = std::get_if<double>(&cell)) return numberText(column, *number);
  return column.kind == ColumnKind::kText ? QString() : QStringLiteral("–");
}

QString tabSeparated(const TableContent& content, std::span<const std::size_t> columns,
                     std::span<const std::size_t> rows, bool withTitles) {
  QStringList lines;
  QStringList cells;
  if (withTitles) {
    for (const std::size_t column : columns) cells += content.columns[column].title;
    lines += cells.join('\t');
  }
  for (const std::size_t row : rows) {
    cells.clear();
    for (const std::size_t column : columns)
      cells += oneCell(cellText(content.columns[column], content.cell(row, column)));
    lines += cells.join('\t');
  }
  return lines.join('\n');
}

analysis::Table figuresOf(const TableContent& content, std::span<const std::size_t> rows) {
  analysis::Table table;
  table.name = content.name.toStdString();
  for (const TableColumn& column : content.columns) {
    const bool size = column.kind == ColumnKind::kSize;  // shown in a unit that suits it, but raw in a file
    table.columns.push_back({column.title.toStdString(), size ? ColumnKind::kBytes : column.kind});
  }
  for (const std::size_t row : rows) {
    auto& cells = table.rows.emplace_back();
    for (std::size_t column = 0; column < content.columns.size(); ++column) cells.push_back(content.cell(row, column));
  }
  return table;
}

}  // namespace lanescope::views
