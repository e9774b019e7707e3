// SPDX-License-Identifier: Apache-2.0
// Numbers of JSON as exact nanoseconds, held against schoolbook arithmetic on their digits.
#include <cctype>
#include <limits>
#include <optional>

#include "model/import/json_number.h"
#include "tests/fuzz/fuzz.h"

namespace {

std::string takeDigits(std::string_view& text) {
  std::string digits;
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front()))) {
    digits += text.front();
    text.remove_prefix(1);
  }
  return digits;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

struct Decimal {
  bool negative = false;
  std::string digits;
  long exponent = 0;
};

/// None if it is not what JSON calls a number, or its exponent is beyond all reason.
std::optional<Decimal> read(std::string_view text) {
  Decimal number;
  number.negative = take(text, '-');
  number.digits = takeDigits(text);
  if (number.digits.empty() || (number.digits.size() > 1 && number.digits[0] == '0')) return std::nullopt;
  if (take(text, '.')) {
    const std::string decimals = takeDigits(text);
    if (decimals.empty()) return std::nullopt;
    number.digits += decimals;
    number.exponent = -static_cast<long>(decimals.size());
  }
  if (take(text, 'e') || take(text, 'E')) {
    const bool negative = take(text, '-');
    if (!negative) take(text, '+');
    const std::string power = takeDigits(text);
    if (power.empty() || power.size() > 4) return std::nullopt;
    number.exponent += (negative ? -1 : 1) * std::stol(power);
  }
  return text.empty() ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> scaled(Decimal number, int shift) {
  number.exponent += shift;
  bool up = false;
  if (number.exponent < 0) {
    const auto behind = static_cast<std::size_t>(-number.exponent);
    if (behind > number.digits.size()) return 0;
    const std::size_t kept = number.digits.size() - behind;
    up = number.digits[kept] >= '5';
    number.digits.resize(kept);
  }
  number.digits.erase(0, number.digits.find_first_not_of('0'));
  if (number.digits.empty()) return up ? (number.negative ? -1 : 1) : 0;
  if (number.exponent > 0) number.digits.append(static_cast<std::size_t>(number.exponent), '0');
  if (number.digits.size() > 30) return std::nullopt;
  __int128 value = 0;
  for (const char c : number.digits) value = value * 10 + (c - '0');
  value = number.negative ? -(value + up) : value + up;
  if (value < std::numeric_limits<std::int64_t>::min() || value > std::numeric_limits<std::int64_t>::max())
    return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  const std::string_view text = fuzz::lineOf(bytes, size);
  const std::optional<Decimal> number = read(text);
  for (const int shift : {0, 3}) {
    const auto value = imported::scaledDecimal(text, shift);
    if (number) fuzz::demand(value == scaled(*number, shift));
  }
  const auto whole = imported::wholeNumber(text);
  if (number && whole) fuzz::demand(whole == scaled(*number, 0));
  std::string unescaped;
  imported::appendUnescaped(unescaped, text);
  fuzz::demand(unescaped.size() <= 3 * text.size());
  return 0;
}
