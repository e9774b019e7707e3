// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace lanescope::imported {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::array<std::uint64_t, 19> kPowers = [] {
  std::array<std::uint64_t, 19> powers{};
  std::uint64_t power = 1;
  for (std::uint64_t& p : powers) {
    p = power;
    power *= 10;
  }
  return powers;
}();

bool isDigit(char c) { return static_cast<unsigned>(c - '0') < 10; }

std::optional<std::int64_t> signedValue(std::uint64_t magnitude, bool negative) {
  if (magnitude <= kMost)
    return negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  if (negative && magnitude == kMost + 1) return std::numeric_limits<std::int64_t>::min();
  return std::nullopt;
}

/// A number with all its parts told apart; the value is 0.DIGITS * 10^point.
struct Decimal {
  std::string digits;  // significant ones, without leading zeros
  std::int64_t point = 0;
  bool negative = false;
};

std::optional<Decimal> decimalOf(std::string_view number) {
  Decimal d;
  std::size_t i = 0;
  if (i < number.size() && (number[i] == '-' || number[i] == '+')) d.negative = number[i++] == '-';
  bool any = false;
  bool behindPoint = false;
  for (; i < number.size(); ++i) {
    if (number[i] == '.' && !behindPoint) {
      behindPoint = true;
      continue;
    }
    if (!isDigit(number[i])) break;
    any = true;
    if (!d.digits.empty() || number[i] != '0') {
      d.digits += number[i];
      d.point += behindPoint ? 0 : 1;
    } else {
      d.point -= behindPoint ? 1 : 0;
    }
  }
  if (!any) return std::nullopt;
  if (i == number.size()) return d;
  if (number[i] != 'e' && number[i] != 'E') return std::nullopt;
  ++i;
  if (i < number.size() && number[i] == '+') ++i;
  std::int32_t exponent = 0;
  const char* const end = number.data() + number.size();
  const auto [stop, problem] = std::from_chars(number.data() + i, end, exponent);
  if (stop != end || problem == std::errc::invalid_argument) return std::nullopt;
  constexpr std::int32_t kFar = 1'000'000'000;  // beyond what digits of a token can make up for
  if (problem == std::errc::result_out_of_range) exponent = number[i] == '-' ? -kFar : kFar;
  d.point += std::clamp(exponent, -kFar, kFar);
  return d;
}

std::optional<std::int64_t> scaledSlowly(std::string_view number, int shift) {
  std::optional<Decimal> d = decimalOf(number);
  if (!d) return std::nullopt;
  if (d->digits.empty()) return 0;
  const std::int64_t whole = d->point + shift;  // digits before the point
  if (whole > 20) return std::nullopt;
  if (whole < 0) return 0;
  std::uint64_t value = 0;
  for (std::int64_t i = 0; i < whole; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::uint64_t digit = at < d->digits.size() ? static_cast<std::uint64_t>(d->digits[at] - '0') : 0;
    if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  const auto next = static_cast<std::size_t>(whole);
  if (next < d->digits.size() && d->digits[next] >= '5') {
    if (value == std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
    ++value;
  }
  return signedValue(value, d->negative);
}

void appendUtf8(std::string& out, std::uint32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0 | point >> 6);
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0 | point >> 12);
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | point >> 18);
    out += static_cast<char>(0x80 | (point >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  }
}

constexpr std::uint32_t kReplacement = 0xFFFD;

/// The number of a \uXXXX at `at`; none if there is none.
std::optional<std::uint32_t> escapedUnit(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  std::uint32_t unit = 0;
  const std::string_view digits = text.substr(at + 2, 4);
  const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  return problem == std::errc() && stop == digits.data() + digits.size() ? std::optional(unit) : std::nullopt;
}

/// Appends what the \u at `at` stands for; returns how many bytes it took.
std::size_t appendEscapedPoint(std::string& out, std::string_view text, std::size_t at) {
  const std::optional<std::uint32_t> unit = escapedUnit(text, at);
  if (!unit) {
    appendUtf8(out, kReplacement);
    return 2;
  }
  if (*unit < 0xD800 || *unit > 0xDFFF) {
    appendUtf8(out, *unit);
    return 6;
  }
  const std::optional<std::uint32_t> low = *unit < 0xDC00 ? escapedUnit(text, at + 6) : std::nullopt;
  if (!low || *low < 0xDC00 || *low > 0xDFFF) {
    appendUtf8(out, kReplacement);
    return 6;
  }
  appendUtf8(out, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
  return 12;
}

}  // namespace

std::optional<std::int64_t> scaledDecimal(std::string_view number, int shift) {
  // What nearly all times look like: up to 18 digits before the point, few behind it.
  const char* at = number.data();
  const char* const end = at + number.size();
  const bool negative = at != end && *at == '-';
  at += negative;
  const char* const digits = at;
  std::uint64_t value = 0;
  while (at != end && isDigit(*at)) value = value * 10 + static_cast<std::uint64_t>(*at++ - '0');
  const auto whole = at - digits;
  if (whole == 0 || whole > 18 || shift < 0) return scaledSlowly(number, shift);
  std::ptrdiff_t behind = 0;
  if (at != end && *at == '.') {
    const char* const fraction = ++at;
    while (at != end && isDigit(*at) && at - fraction < shift)
      value = value * 10 + static_cast<std::uint64_t>(*at++ - '0');
    behind = at - fraction;
  }
  if (at != end || whole + shift > 18 + 1) return scaledSlowly(number, shift);
  const std::uint64_t factor = kPowers[static_cast<std::size_t>(shift - behind)];
  if (value > kMost / factor) return scaledSlowly(number, shift);
  return signedValue(value * factor, negative);
}

std::optional<std::int64_t> wholeNumber(std::string_view number) {
  std::int64_t value = 0;
  const auto [stop, problem] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (stop == number.data() + number.size() && problem == std::errc()) return value;
  const std::optional<Decimal> d = decimalOf(number);
  if (!d) return std::nullopt;
  const std::size_t last = d->digits.find_last_not_of('0');
  if (last != std::string::npos && static_cast<std::int64_t>(last) >= d->point) return std::nullopt;
  return scaledSlowly(number, 0);
}

void appendUnescaped(std::string& out, std::string_view written) {
  for (std::size_t at = 0; at < written.size();) {
    const std::size_t escape = std::min(written.find('\\', at), written.size());
    out += written.substr(at, escape - at);
    at = escape;
    if (at == written.size()) return;
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const char letter = at + 1 < written.size() ? written[at + 1] : '\0';
    if (letter == 'u') {
      at += appendEscapedPoint(out, written, at);
    } else if (const std::size_t known = kLetters.find(letter); letter != '\0' && known != std::string_view::npos) {
      out += kMeant[known];
      at += 2;
    } else {
      appendUtf8(out, kReplacement);
      at += 1;  // what follows is kept as it is
    }
  }
}

}  // namespace lanescope::imported
