// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/table_content.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <numeric>

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
    case ColumnKind::kSize:
    case ColumnKind::kBytes:
    case ColumnKind::kRate:
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
    case ColumnKind::kRate:
      return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)))) +
             QStringLiteral("/s");
    default:
      break;
  }
  if (value < 0 || column.kind == ColumnKind::kId) return QString::number(value);
  return QString::fromStdString(formatCount(static_cast<std::uint64_t>(value)));
}

/// Less than, with numbers before text; cells without a value are told apart before.
bool less(const Cell& a, const Cell& b) {
  const auto textA = analysis::textOf(a), textB = analysis::textOf(b);
  if (textA && textB) return *textA < *textB;
  if (textA || textB) return !textA;
  const auto* wholeA = std::get_if<std::int64_t>(&a);
  const auto* wholeB = std::get_if<std::int64_t>(&b);
  if (wholeA && wholeB) return *wholeA < *wholeB;
  const auto number = [](const Cell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
    return std::get<double>(cell);
  };
  return number(a) < number(b);
}

bool isNone(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

constexpr std::size_t kLookEvery = 4096;  // rows, at the job

/// Sorts what stands in `keyed` (a value and a row), and puts those without a value behind.
template <class Value, class Less>
void sortInto(std::vector<std::size_t>& order, std::vector<std::pair<Value, std::size_t>>& keyed, bool descending,
              Less isLess) {
  std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
    return descending ? isLess(b.first, a.first) : isLess(a.first, b.first);
  });
  std::vector<bool> placed(order.size());
  std::vector<std::size_t> sorted;
  sorted.reserve(order.size());
  for (const auto& each : keyed) {
    sorted.push_back(each.second);
    placed[each.second] = true;
  }
  for (const std::size_t row : order)
    if (!placed[row]) sorted.push_back(row);
  order = std::move(sorted);
}

/// In one cell of a spreadsheet, whatever a name contains.
QString oneCell(QString text) {
  for (QChar& c : text)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

std::vector<std::size_t> sortedRows(const TableContent& content, Sorting sorting, const Job& job) {
  std::vector<std::size_t> order(content.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (sorting.column < 0 || static_cast<std::size_t>(sorting.column) >= content.columns.size()) return order;
  const auto column = static_cast<std::size_t>(sorting.column);

  std::vector<std::pair<std::int64_t, std::size_t>> whole;
  std::size_t row = 0;
  for (; row < content.rows; ++row) {
    if (row % kLookEvery == 0 && job.cancelled()) return order;
    const Cell cell = content.cell(row, column);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) whole.emplace_back(*number, row);
    else if (!isNone(cell)) break;
  }
  if (row == content.rows) {
    sortInto(order, whole, sorting.descending, std::less<>());
    return order;
  }
  std::vector<std::pair<Cell, std::size_t>> cells;
  for (const auto& [value, at] : whole) cells.emplace_back(value, at);
  for (; row < content.rows; ++row) {
    if (row % kLookEvery == 0 && job.cancelled()) return order;
    Cell cell = content.cell(row, column);
    if (!isNone(cell)) cells.emplace_back(std::move(cell), row);
  }
  sortInto(order, cells, sorting.descending, less);
  return order;
}

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
