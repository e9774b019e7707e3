// SPDX-License-Identifier: Apache-2.0
// What a JSON token says: times as exact nanoseconds, whole numbers, texts. Tokens are as written in the file, which may
// be no strict JSON. O(length); no locale, no double on the way to a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/trace/time.h"

namespace lanescope::imported {

/// A decimal number ("1682666453031165.466", "-5", "1.5e3") times 10^shift, exactly; what is left behind the point is
/// rounded, halves away from zero. None if it is no number or 64 bits do not hold it.
std::optional<std::int64_t> scaledDecimal(std::string_view number, int shift);

/// A whole number that 64 bits hold, "12" as well as "12.0" and "1.2e1".
std::optional<std::int64_t> wholeNumber(std::string_view number);

/// Between the quotes of a string -> what it says. Broken escapes and lone surrogates become U+FFFD; repairs of the bytes
/// themselves are not made here.
void appendUnescaped(std::string& out, std::string_view written);

}  // namespace lanescope::imported
