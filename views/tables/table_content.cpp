// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/table_content.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <numeric>
#include <string>
#include <unordered_map>

#include "model/format.h"
#include "model/sort_keyed.h"

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

constexpr std::size_t kLookEvery = 4096;  // rows, at the job

/// The numbers of texts in their order: equal texts, equal numbers.
class TextRanks {
 public:
  std::uint32_t numberOf(std::string_view text) {
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(texts_.size());
    numbers_.emplace(texts_.emplace_back(text), number);
    return number;
  }

  /// By numberOf().
  std::vector<std::uint32_t> ranks() const {
    std::vector<std::uint32_t> order(texts_.size()), ranks(texts_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [this](std::uint32_t number) -> std::string_view { return texts_[number]; });
    for (std::uint32_t place = 0; place < order.size(); ++place) ranks[order[place]] = place;
    return ranks;
  }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

/// What the rows of a column are sorted by, made from each cell once. Whole numbers are told apart to the last digit
/// unless others stand between them.
class SortKeys {
 public:
  explicit SortKeys(bool descending) : flip_(descending ? ~std::uint64_t{0} : 0) {}

  void add(std::uint32_t row, const Cell& cell) {
    if (const auto* number = std::get_if<std::int64_t>(&cell)) {
      whole_.push_back({keyOf(*number), row});
    } else if (const auto* measured = std::get_if<double>(&cell)) {
      measured_.push_back({keyOf(*measured), row});
    } else if (const auto text = analysis::textOf(cell)) {
      text_.push_back({texts_.numberOf(*text), row});
    } else {
      none_.push_back(row);
    }
  }

  std::vector<std::size_t> sorted(const Job& job) && {
    if (!measured_.empty() && !whole_.empty()) mixNumbers();
    const std::vector<std::uint32_t> ranks = texts_.ranks();
    for (Keyed& text : text_) text.key = ranks[text.key];
    std::vector<std::size_t> order;
    order.reserve(whole_.size() + measured_.size() + text_.size() + none_.size());
    const auto append = [&](std::vector<Keyed> some) {
      for (Keyed& each : some) each.key ^= flip_;
      sortKeyed(some, job);
      for (const Keyed& each : some) order.push_back(each.id);
    };
    if (flip_) append(std::move(text_));
    append(std::move(whole_));
    append(std::move(measured_));
    if (!flip_) append(std::move(text_));
    order.insert(order.end(), none_.begin(), none_.end());
    return order;
  }

 private:
  void mixNumbers() {
    for (Keyed& each : whole_)
      each.key = keyOf(static_cast<double>(static_cast<std::int64_t>(each.key ^ keyOf(std::int64_t{0}))));
    std::vector<Keyed> all;
    all.reserve(whole_.size() + measured_.size());
    std::ranges::merge(whole_, measured_, std::back_inserter(all), {}, &Keyed::id, &Keyed::id);
    whole_.clear();
    measured_ = std::move(all);
  }

  std::uint64_t flip_;
  std::vector<Keyed> whole_, measured_, text_;
  std::vector<std::uint32_t> none_;
  TextRanks texts_;
};

/// In one cell of a spreadsheet, whatever a name contains.
QString oneCell(QString text) {
  for (QChar& c : text)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return text;
}

/// Likewise, with what would be markup escaped.
QString inMarkdown(const QString& text) {
  QString escaped;
  for (const QChar c : oneCell(text)) {
    if (QStringView(u"\\`*_[]<>|&").contains(c)) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::vector<std::size_t> sortedRows(const TableContent& content, Sorting sorting, const Job& job) {
  const auto asTheyCome = [&] {
    std::vector<std::size_t> order(content.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  };
  if (sorting.column < 0 || static_cast<std::size_t>(sorting.column) >= content.columns.size()) return asTheyCome();
  SortKeys keys(sorting.descending);
  for (std::size_t row = 0; row < content.rows; ++row) {
    if (row % kLookEvery == 0 && job.cancelled()) return asTheyCome();
    keys.add(static_cast<std::uint32_t>(row), content.cell(row, static_cast<std::size_t>(sorting.column)));
  }
  return std::move(keys).sorted(job);
}

QString cellText(const TableColumn& column, const Cell& cell) {
  if (const auto text = analysis::textOf(cell))
    return QString::fromUtf8(text->data(), static_cast<qsizetype>(text->size()));
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return wholeText(column, *whole);
  if (const auto* number = std::get_if<double>(&cell)) return numberText(column, *number);
  return column.kind == ColumnKind::kText ? QString() : QStringLiteral("–");
}

QString exactText(const TableColumn& column, const Cell& cell) {
  const auto* whole = std::get_if<std::int64_t>(&cell);
  const auto* number = std::get_if<double>(&cell);
  switch (column.kind) {
    case ColumnKind::kTime: {
      TableColumn exact = column;
      exact.exact = true;
      return cellText(exact, cell);
    }
    case ColumnKind::kSize:
    case ColumnKind::kBytes:
      if (whole && *whole >= 0) return QString::fromStdString(formatCount(static_cast<std::uint64_t>(*whole))) + " B";
      return cellText(column, cell);
    case ColumnKind::kShare:
    case ColumnKind::kRate:
      return cellText(column, cell);
    default:
      return number ? QString::number(*number, 'g', QLocale::FloatingPointShortest) : cellText(column, cell);
  }
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
      cells += oneCell(exactText(content.columns[column], content.cell(row, column)));
    lines += cells.join('\t');
  }
  return lines.join('\n');
}

QString markdown(const TableContent& content, std::span<const std::size_t> columns, std::span<const std::size_t> rows) {
  QStringList lines;
  const auto add = [&lines](const QStringList& cells) { lines += "| " + cells.join(" | ") + " |"; };
  QStringList titles, edges, cells;
  for (const std::size_t column : columns) {
    titles += inMarkdown(content.columns[column].title);
    edges += content.columns[column].kind == ColumnKind::kText ? QStringLiteral("---") : QStringLiteral("---:");
  }
  add(titles);
  add(edges);
  for (const std::size_t row : rows) {
    cells.clear();
    for (const std::size_t column : columns)
      cells += inMarkdown(exactText(content.columns[column], content.cell(row, column)));
    add(cells);
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
