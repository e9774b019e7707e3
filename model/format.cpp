// SPDX-License-Identifier: Apache-2.0
#include "model/format.h"
#include "model/wide.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace lanescope {
namespace {

// NOLINTNEXTLINE(modernize-use-using): __extension__ goes with typedef only
constexpr std::string_view kTimeUnits[] = {"ns", "µs", "ms", "s"};
constexpr std::string_view kByteUnits[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
constexpr std::string_view kRateUnits[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s", "EB/s"};
constexpr const char* kNone = "–";

std::string digitsOf(Wide value) {
  std::string text;
  do text += static_cast<char>('0' + static_cast<int>(value % 10));
  while ((value /= 10) != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

/// Spaces between groups of three, counted from the right; from the left behind the decimal point.
std::string grouped(std::string_view digits, bool fromLeft = false) {
  std::string text;
  const std::size_t first = fromLeft ? 0 : digits.size() % 3;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && i % 3 == first) text += ' ';
    text += digits[i];
  }
  return text;
}

Wide power10(int exponent) {
  Wide power = 1;
  while (exponent-- > 0) power *= 10;
  return power;
}

/// value / 10^decimals, with its point.
std::string withPoint(Wide value, int decimals, bool groupDecimals) {
  const Wide one = power10(decimals);
  std::string text = grouped(digitsOf(value / one));
  if (decimals == 0) return text;
  std::string fraction = digitsOf(value % one);
  fraction.insert(0, static_cast<std::size_t>(decimals) - fraction.size(), '0');
  return text + '.' + (groupDecimals ? grouped(fraction, true) : fraction);
}

/// In the unit that leaves 1 to 999 before the point (more only in the last), rounded half up to `digits` digits.
std::string inUnits(Wide value, int digits, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  while (unit + 1 < units.size() && value >= power10(3 * static_cast<int>(unit) + 3)) ++unit;
  const int thousands = 3 * static_cast<int>(unit);
  const int whole = static_cast<int>(digitsOf(value / power10(thousands)).size());
  const int decimals = std::clamp(digits - whole, 0, thousands);
  const Wide step = power10(thousands - decimals);
  const Wide rounded = (value + step / 2) / step;
  // 999.96 rounds to 1000.0: that is 1.000 of the next unit.
  if (unit + 1 < units.size() && rounded >= power10(3 + decimals)) return inUnits(rounded * step, digits, units);
  // 9.9996 rounds to 10.000: one digit too many, and it is a zero.
  const bool longer = decimals > 0 && rounded >= power10(whole + decimals);
  return withPoint(longer ? rounded / 10 : rounded, longer ? decimals - 1 : decimals, false) + ' ' +
         std::string(units[unit]);
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

std::string sign(std::int64_t value) { return value < 0 ? "-" : ""; }

}  // namespace

std::string formatDuration(std::int64_t ns, int digits) {
  return sign(ns) + inUnits(magnitude(ns), digits, kTimeUnits);
}

std::string formatExact(std::int64_t ns) {
  const std::uint64_t value = magnitude(ns);
  int unit = 0;
  while (unit < 3 && value >= power10(3 * unit + 3)) ++unit;
  return sign(ns) + withPoint(value, 3 * unit, true) + ' ' + std::string(kTimeUnits[unit]);
}

std::string formatBytes(std::uint64_t bytes) { return inUnits(bytes, 3, kByteUnits); }

std::string formatRate(std::uint64_t bytes, std::int64_t ns) {
  if (ns <= 0) return kNone;
  const auto time = static_cast<Wide>(ns);
  return inUnits((Wide{bytes} * 1'000'000'000 + time / 2) / time, 3, kRateUnits);
}

std::string formatShare(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return kNone;
  const Wide total = magnitude(whole);
  const Wide perMille = (Wide{magnitude(part)} * 1000 + total / 2) / total;
  const bool negative = (part < 0) != (whole < 0) && perMille != 0;
  return (negative ? "-" : "") + withPoint(perMille, 1, false) + " %";
}

std::string formatCount(std::uint64_t count) { return grouped(digitsOf(count)); }

}  // namespace lanescope
