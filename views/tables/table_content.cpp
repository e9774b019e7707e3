// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/table_content.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "model/format.h"
#include "model/on_threads.h"
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

/// Texts of some rows, told apart by numbers.
class Texts {
 public:
  std::uint32_t numberOf(const Cell& cell) {
    const std::string_view text = *analysis::textOf(cell);
    if (!std::holds_alternative<analysis::KeptText>(cell)) return numberOf(text);
    // What is kept stands where it stood: most rows need no look at the text.
    Met& met = met_[reinterpret_cast<std::uintptr_t>(text.data()) / 8 % met_.size()];
    if (met.text.data() != text.data() || met.text.size() != text.size()) met = {text, numberOf(text)};
    return met.number;
  }
  std::size_t size() const { return texts_.size(); }
  std::string_view text(std::uint32_t number) const { return texts_[number]; }

 private:
  struct Met {
    std::string_view text;
    std::uint32_t number = 0;
  };

  std::uint32_t numberOf(std::string_view text) {
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(texts_.size());
    numbers_.emplace(texts_.emplace_back(text), number);
    return number;
  }

  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::array<Met, 4096> met_;
};

/// What the texts of several are ordered by, by their numbers: equal texts, equal ranks.
std::vector<std::vector<std::uint32_t>> ranksOf(const std::vector<Texts>& texts) {
  struct Each {
    std::string_view text;
    std::size_t of;
    std::uint32_t number;
  };
  std::vector<Each> all;
  std::vector<std::vector<std::uint32_t>> ranks;
  for (std::size_t of = 0; of < texts.size(); ++of) {
    for (std::uint32_t number = 0; number < texts[of].size(); ++number)
      all.push_back({texts[of].text(number), of, number});
    ranks.emplace_back(texts[of].size());
  }
  std::ranges::sort(all, {}, &Each::text);
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i].text != all[i - 1].text) ++rank;
    ranks[all[i].of][all[i].number] = rank;
  }
  return ranks;
}

/// What the rows of a column are sorted by, made from each cell once. Whole numbers are told apart to the last digit
/// unless others stand between them.
class SortKeys {
 public:
  /// Incomplete once the job was cancelled.
  SortKeys(const TableContent& content, Sorting by, const Job& job)
      : rows_(content.rows),
        parts_(partsOf(rows_)),
        flip_(by.descending ? ~std::uint64_t{0} : 0),
        keys_(std::make_unique_for_overwrite<Keyed[]>(rows_)),
        kinds_(std::make_unique_for_overwrite<Kind[]>(rows_)) {
    std::vector<Texts> texts(parts_.size());
    std::vector<std::array<std::size_t, kKinds>> counts(parts_.size());
    onThreads(parts_.size(), [&](std::size_t part) {
      for (std::size_t row = parts_[part].first; row < parts_[part].last; ++row) {
        if (row % kLookEvery == 0 && job.cancelled()) return;
        kinds_[row] = take(row, content.cell(row, static_cast<std::size_t>(by.column)), texts[part]);
        ++counts[part][kinds_[row]];
      }
    });
    for (const auto& ofPart : counts)
      for (std::size_t kind = 0; kind < kKinds; ++kind) counts_[kind] += ofPart[kind];
    if (job.cancelled()) return;
    if (counts_[kText] > 0) rank(texts);
    if (counts_[kWhole] > 0 && counts_[kMeasured] > 0) mixNumbers();
  }

  RowOrder sorted(const Job& job) && {
    RowOrder order;
    order.reserve(rows_);
    for (const Kind kind :
         flip_ ? std::array{kText, kWhole, kMeasured, kNone} : std::array{kWhole, kMeasured, kText, kNone}) {
      if (counts_[kind] == rows_) {
        append({keys_.get(), rows_}, order, job);
      } else if (counts_[kind] > 0) {
        std::vector<Keyed> some;
        some.reserve(counts_[kind]);
        for (std::size_t row = 0; row < rows_; ++row)
          if (kinds_[row] == kind) some.push_back(keys_[row]);
        append(some, order, job);
      }
    }
    return order;
  }

 private:
  enum Kind : std::uint8_t { kWhole, kMeasured, kText, kNone };
  static constexpr std::size_t kKinds = kNone + 1;

  Kind take(std::size_t row, const Cell& cell, Texts& texts) {
    const auto id = static_cast<std::uint32_t>(row);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) {
      keys_[row] = {keyOf(*number) ^ flip_, id};
      return kWhole;
    }
    if (const auto* measured = std::get_if<double>(&cell)) {
      keys_[row] = {keyOf(*measured) ^ flip_, id};
      return kMeasured;
    }
    const bool none = std::holds_alternative<std::monostate>(cell);
    keys_[row] = {none ? 0 : texts.numberOf(cell), id};
    return none ? kNone : kText;
  }

  void rank(const std::vector<Texts>& texts) {
    const auto ranks = ranksOf(texts);
    onThreads(parts_.size(), [&](std::size_t part) {
      for (std::size_t row = parts_[part].first; row < parts_[part].last; ++row)
        if (kinds_[row] == kText) keys_[row].key = ranks[part][keys_[row].key] ^ flip_;
    });
  }

  void mixNumbers() {
    for (std::size_t row = 0; row < rows_; ++row) {
      if (kinds_[row] != kWhole) continue;
      const auto number = static_cast<std::int64_t>(keys_[row].key ^ flip_ ^ keyOf(std::int64_t{0}));
      keys_[row].key = keyOf(static_cast<double>(number)) ^ flip_;
      kinds_[row] = kMeasured;
    }
    counts_[kMeasured] += std::exchange(counts_[kWhole], 0);
  }

  static void append(std::span<Keyed> some, RowOrder& order, const Job& job) {
    sortKeyed(some, job);
    for (const Keyed& each : some) order.push_back(each.id);
  }

  std::size_t rows_;
  std::vector<Part> parts_;
  std::uint64_t flip_;
  std::unique_ptr<Keyed[]> keys_;  // by row, as are the kinds
  std::unique_ptr<Kind[]> kinds_;
  std::array<std::size_t, kKinds> counts_{};
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

RowOrder sortedRows(const TableContent& content, Sorting sorting, const Job& job) {
  if (sorting.column >= 0 && static_cast<std::size_t>(sorting.column) < content.columns.size()) {
    SortKeys keys(content, sorting, job);
    if (!job.cancelled()) return std::move(keys).sorted(job);
  }
  RowOrder order(content.rows);
  std::iota(order.begin(), order.end(), 0U);
  return order;
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
                     std::span<const std::uint32_t> rows, bool withTitles) {
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

QString markdown(const TableContent& content, std::span<const std::size_t> columns,
                 std::span<const std::uint32_t> rows) {
  QStringList lines;
  const auto add = [&lines](const QStringList& cells) { lines += "| " + cells.join(" | ") + " |"; };
  QStringList titles, edges, cells;
  for (const std::size_t column : columns) {
    titles += inMarkdown(content.columns[column].title);
    edges += content.columns[column].kind == ColumnKind::kText ? QStringLiteral("---") : QStringLiteral("---:");
  }
  add(titles);
  add(edges);
  for (const std::uint32_t row : rows) {
    cells.clear();
    for (const std::size_t column : columns)
      cells += inMarkdown(exactText(content.columns[column], content.cell(row, column)));
    add(cells);
  }
  return lines.join('\n');
}

analysis::Table figuresOf(const TableContent& content, std::span<const std::uint32_t> rows) {
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
