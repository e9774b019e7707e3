// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/table_text.h"
#include "model/wide.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "model/json.h"

namespace lanescope::analysis {
namespace {

// NOLINTNEXTLINE(modernize-use-using): __extension__ goes with typedef only
struct UnitWords {
  const char* title;  // behind a column's title
  int digits;         // decimals that a nanosecond takes
  const char* names[2];
};
constexpr UnitWords kUnits[] = {
    {"ns", 0, {"nsec", "nanoseconds"}},
    {"us", 3, {"usec", "microseconds"}},
    {"ms", 6, {"msec", "milliseconds"}},
    {"s", 9, {"sec", "seconds"}},
};
const UnitWords& wordsOf(TimeUnit unit) { return kUnits[static_cast<std::size_t>(unit)]; }

constexpr std::string_view kFormats[] = {"column", "csv", "tsv", "json"};
constexpr int kMegabyteDigits = 6;  // between bytes and MB
constexpr std::size_t kWidest = 100;  // characters of a cell in a column

/// value × 10^-digits in decimal.
std::string decimal(Wide value, int digits) {
  const bool negative = value < 0;
  std::string text;
  for (Wide rest = negative ? -value : value; rest != 0 || static_cast<int>(text.size()) <= digits; rest /= 10)
    text += static_cast<char>('0' + static_cast<int>(rest % 10));
  if (digits > 0) text.insert(static_cast<std::size_t>(digits), 1, '.');
  if (negative) text += '-';
  std::reverse(text.begin(), text.end());
  return text;
}

/// Rounded half away from zero, as SQLite does. The product has room in a long double's 64 bits for every tie.
std::string rounded(long double value, int decimals) {
  const long double scaled = std::round(value * std::pow(10.0L, decimals));
  if (!(std::abs(scaled) < 1e36L)) return "0";  // no figure of ours is as great, or none at all
  return decimal(static_cast<Wide>(scaled), decimals);
}

/// A size in bytes in MB with three decimals; the division rounds as that of doubles does in SQL.
std::string megabytes(double bytes) { return rounded(bytes / 1e6, 3); }

std::string number(const Cell& cell, ColumnKind kind, TimeUnit unit) {
  const auto* const integer = std::get_if<std::int64_t>(&cell);
  const auto* const real = std::get_if<double>(&cell);
  const double value = integer ? static_cast<double>(*integer) : *real;
  switch (kind) {
    case ColumnKind::kTime: {
      const int digits = wordsOf(unit).digits;
      if (integer) return decimal(*integer, digits);
      // One decimal of a nanosecond, in any unit.
      std::string tenths = rounded(*real, 1);
      if (digits == 0) return tenths;
      const auto scaled = static_cast<Wide>(std::round(static_cast<long double>(*real) * 10));
      return decimal(scaled, digits + 1);
    }
    case ColumnKind::kShare:
    case ColumnKind::kMean:
      return rounded(value, 1);
    case ColumnKind::kSize:
    case ColumnKind::kRate:
      return megabytes(value);
    case ColumnKind::kBytes:
    case ColumnKind::kCount:
    case ColumnKind::kText:
      break;
  }
  return integer ? std::to_string(*integer) : fmt::format("{}", *real);
}

bool isNumber(const Cell& cell) {
  return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

std::string plain(const Cell& cell, ColumnKind kind, TimeUnit unit) {
  if (const auto text = textOf(cell)) return std::string(*text);
  return isNumber(cell) ? number(cell, kind, unit) : std::string();
}

std::string titleOf(const Column& column, TimeUnit unit) {
  switch (column.kind) {
    case ColumnKind::kTime:
      return fmt::format("{} ({})", column.title, wordsOf(unit).title);
    case ColumnKind::kShare:
      return column.title + " (%)";
    case ColumnKind::kSize:
      return column.title + " (MB)";
    case ColumnKind::kBytes:
      return column.title + " (B)";
    case ColumnKind::kRate:
      return column.title + " (MB/s)";
    case ColumnKind::kMean:
    case ColumnKind::kText:
    case ColumnKind::kCount:
      break;
  }
  return column.title;
}

/// Calls cell(text, column) for the titles and then for every cell, and rowEnd() behind each row.
template <class OnCell, class OnRowEnd>
void forEachCell(const Table& table, TimeUnit unit, OnCell onCell, OnRowEnd onRowEnd) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) onCell(titleOf(table.columns[i], unit), i);
  onRowEnd();
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) onCell(plain(row[i], table.columns[i].kind, unit), i);
    onRowEnd();
  }
}

std::string csvField(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
  return '"' + text + '"';
}

/// Tabs and newlines have no way to be written.
std::string tsvField(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string separated(const Table& table, TimeUnit unit, char separator, std::string (*field)(std::string)) {
  std::string text;
  forEachCell(
      table, unit,
      [&](std::string cell, std::size_t i) {
        if (i > 0) text += separator;
        text += field(std::move(cell));
      },
      [&] { text += '\n'; });
  return text;
}

std::string json(const Table& table, TimeUnit unit) {
  JsonWriter writer;
  writer.beginArray();
  for (const auto& row : table.rows) {
    writer.beginObject();
    for (std::size_t i = 0; i < row.size(); ++i) {
      writer.key(titleOf(table.columns[i], unit));
      const std::string text = plain(row[i], table.columns[i].kind, unit);
      if (isNumber(row[i])) writer.number(text);
      else writer.value(text);  // nothing is "", as in Nsight Systems
    }
    writer.endObject();
  }
  writer.endArray();
  return writer.text() + '\n';
}

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t lengthOf(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), beginsCharacter));
}

/// At most kWidest characters, the last then an ellipsis.
std::string clipped(const std::string& text) {
  if (text.size() <= kWidest || lengthOf(text) <= kWidest) return text;
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end)
    if (beginsCharacter(text[end]) && ++characters == kWidest) break;
  return text.substr(0, end) + "…";
}

/// 1234567.8 → 1,234,567.8
std::string grouped(const std::string& text) {
  const auto point = static_cast<std::size_t>(std::find(text.begin(), text.end(), '.') - text.begin());
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && i < point && (point - i) % 3 == 0 && text[i - 1] != '-') result += ',';
    result += text[i];
  }
  return result;
}

enum class Align : std::uint8_t { kLeft, kRight, kCentre };

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::size_t space = width - std::min(width, lengthOf(text));
  const std::size_t left = align == Align::kRight ? space : align == Align::kCentre ? space / 2 : 0;
  return std::string(left, ' ') + text + std::string(space - left, ' ');
}

std::string columns(const Table& table, TimeUnit unit) {
  std::vector<std::vector<std::string>> cells{{}};
  const std::size_t count = table.columns.size();
  for (const Column& column : table.columns) cells.front().push_back(titleOf(column, unit));
  for (const auto& row : table.rows) {
    auto& texts = cells.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string text = plain(row[i], table.columns[i].kind, unit);
      texts.push_back(isNumber(row[i]) ? grouped(text) : clipped(text));
    }
  }
  std::vector<std::size_t> width(count, 0);
  for (const auto& row : cells)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], lengthOf(row[i]));

  std::string text;
  const auto line = [&](auto cellAt) {
    const std::size_t begin = text.size();
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? " " : "  ") + cellAt(i);
    text.erase(std::max(text.find_last_not_of(' ') + 1, begin));
    text += '\n';
  };
  line([&](std::size_t i) { return padded(cells.front()[i], width[i], Align::kCentre); });
  line([&](std::size_t i) { return std::string(width[i], '-'); });
  for (std::size_t row = 1; row < cells.size(); ++row)
    line([&](std::size_t i) {
      const bool isText = table.columns[i].kind == ColumnKind::kText;
      return padded(cells[row][i], width[i], isText ? Align::kLeft : Align::kRight);
    });
  return text;
}

}  // namespace

std::optional<TimeUnit> findTimeUnit(std::string_view name) {
  if (name.empty()) return std::nullopt;
  std::optional<TimeUnit> found;
  for (std::size_t i = 0; i < std::size(kUnits); ++i)
    for (const std::string_view word : kUnits[i].names)
      if (word.starts_with(name)) {
        if (found && *found != static_cast<TimeUnit>(i)) return std::nullopt;
        found = static_cast<TimeUnit>(i);
      }
  return found;
}

std::optional<TableFormat> findTableFormat(std::string_view name) {
  const auto found = std::find(std::begin(kFormats), std::end(kFormats), name);
  if (found == std::end(kFormats)) return std::nullopt;
  return static_cast<TableFormat>(found - std::begin(kFormats));
}

std::string_view nameOf(TableFormat format) { return kFormats[static_cast<std::size_t>(format)]; }

std::string toText(const Table& table, TableFormat format, TimeUnit unit) {
  switch (format) {
    case TableFormat::kColumn:
      return columns(table, unit);
    case TableFormat::kCsv:
      return separated(table, unit, ',', csvField);
    case TableFormat::kTsv:
      return separated(table, unit, '\t', tsvField);
    case TableFormat::kJson:
      return json(table, unit);
  }
  return {};
}

}  // namespace lanescope::analysis
