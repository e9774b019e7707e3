// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/table_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/wide.h"

namespace lanescope::analysis {
namespace {

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

/// Appends value × 10^-digits in decimal.
void appendDecimal(std::string& text, Wide value, int digits) {
  if (digits == 0 && value >= std::numeric_limits<std::int64_t>::min() &&
      value <= std::numeric_limits<std::int64_t>::max()) {
    const fmt::format_int all(static_cast<std::int64_t>(value));
    text.append(all.data(), all.size());
    return;
  }
  if (value < 0) text += '-';
  const std::size_t begin = text.size();
  int written = 0;
  for (Wide rest = value < 0 ? -value : value; rest != 0 || written <= digits; rest /= 10) {
    if (written == digits && digits > 0) text += '.';
    text += static_cast<char>('0' + static_cast<int>(rest % 10));
    ++written;
  }
  std::reverse(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end());
}

/// Rounded half away from zero, as SQLite does. The product has room in a long double's 64 bits for every tie.
void appendRounded(std::string& text, long double value, int decimals, int digits) {
  constexpr long double kPowers[] = {1, 10, 100, 1000};
  const long double scaled = std::round(value * kPowers[decimals]);
  if (!(std::abs(scaled) < 1e36L)) text += '0';  // no figure of ours is as great, or none at all
  else appendDecimal(text, static_cast<Wide>(scaled), digits);
}

void appendNumber(std::string& text, const Cell& cell, ColumnKind kind, TimeUnit unit) {
  const auto* const integer = std::get_if<std::int64_t>(&cell);
  const auto* const real = std::get_if<double>(&cell);
  const double value = integer ? static_cast<double>(*integer) : *real;
  switch (kind) {
    case ColumnKind::kTime: {
      const int digits = wordsOf(unit).digits;
      if (integer) appendDecimal(text, *integer, digits);
      else appendRounded(text, *real, 1, digits + 1);  // one decimal of a nanosecond, in any unit
      return;
    }
    case ColumnKind::kShare:
    case ColumnKind::kMean:
      return appendRounded(text, value, 1, 1);
    case ColumnKind::kRatio:
      return appendRounded(text, value, 3, 3);
    case ColumnKind::kProbability:
      fmt::format_to(std::back_inserter(text), "{:.2g}", value);
      return;
    case ColumnKind::kSize:
    case ColumnKind::kRate:  // the division rounds as that of doubles does in SQL
      return appendRounded(text, value / 1e6, 3, 3);
    case ColumnKind::kBytes:
    case ColumnKind::kCount:
    case ColumnKind::kId:
    case ColumnKind::kText:
      break;
  }
  if (integer) appendDecimal(text, *integer, 0);
  else fmt::format_to(std::back_inserter(text), "{}", *real);
}

}  // namespace

bool isNumber(const Cell& cell) {
  return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

void append(std::string& text, const Cell& cell, ColumnKind kind, TimeUnit unit) {
  if (isNumber(cell)) appendNumber(text, cell, kind, unit);
  else if (const auto words = textOf(cell)) text += *words;
}

std::string titleOf(const Column& column, TimeUnit unit) {
  switch (column.kind) {
    case ColumnKind::kTime:
      return fmt::format("{} ({})", column.title, wordsOf(unit).title);
    case ColumnKind::kShare:
      return column.title.ends_with("(%)") ? column.title : column.title + " (%)";
    case ColumnKind::kSize:
      return column.title + " (MB)";
    case ColumnKind::kBytes:
      return column.title + " (B)";
    case ColumnKind::kRate:
      return column.title + " (MB/s)";
    case ColumnKind::kMean:
    case ColumnKind::kRatio:
    case ColumnKind::kProbability:
    case ColumnKind::kText:
    case ColumnKind::kCount:
    case ColumnKind::kId:
      break;
  }
  return column.title;
}

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

}  // namespace lanescope::analysis
