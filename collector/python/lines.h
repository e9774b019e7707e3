// SPDX-License-Identifier: Apache-2.0
// From an instruction to its line, by the table that a code object has, in the three formats of CPython. The bytes come
// from a source that is asked for one after the other, so a table need not be held; at most kMostBytes of it are
// looked at. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope::python {

inline constexpr std::size_t kMostTableBytes = 1u << 20;
inline constexpr std::int32_t kNoLine = 0;

/// 3.9: pairs of how far the address and the line go on. `next()` gives a byte, or -1 at the end.
template <class Next>
std::int32_t lineOfPairs(Next&& next, std::int32_t first, std::int32_t at) {
  std::int64_t line = first, address = 0;
  for (std::size_t i = 0; i < kMostTableBytes; i += 2) {
    const int forward = next(), step = next();
    if (step < 0) break;
    address += forward;
    if (address > at) break;
    line += static_cast<std::int8_t>(step);
  }
  return static_cast<std::int32_t>(line);
}

/// 3.10: pairs of how long a range is and how its line differs; -128: it has none.
template <class Next>
std::int32_t lineOfRanges(Next&& next, std::int32_t first, std::int32_t at) {
  if (at < 0) return first;
  constexpr std::int8_t kHasNone = -128;
  std::int64_t line = first, end = 0;
  for (std::size_t i = 0; i < kMostTableBytes; i += 2) {
    const int bytes = next(), step = next();
    if (step < 0) break;
    const auto difference = static_cast<std::int8_t>(step);
    if (difference != kHasNone) line += difference;
    end += bytes;
    if (at < end) return difference == kHasNone ? kNoLine : static_cast<std::int32_t>(line);
  }
  return kNoLine;
}

/// 3.11 and later: entries of several bytes, of which the first has its high bit set.
template <class Next>
std::int32_t lineOfLocations(Next&& next, std::int32_t first, std::int32_t at) {
  if (at < 0) return first;
  enum Kind : int { kOneLine0 = 10, kOneLine2 = 12, kNoColumns = 13, kLong = 14, kHasNone = 15 };
  std::int64_t line = first, end = 0;
  std::size_t seen = 1;
  for (int byte = next(); byte >= 0 && seen < kMostTableBytes;) {
    if ((byte & 0x80) == 0) return kNoLine;
    const int kind = byte >> 3 & 15;
    end += ((byte & 7) + 1) * 2;
    std::uint64_t number = 0;
    int shift = 0;
    bool inNumber = kind == kNoColumns || kind == kLong;
    for (byte = next(), ++seen; byte >= 0 && (byte & 0x80) == 0 && seen < kMostTableBytes; byte = next(), ++seen) {
      constexpr int kPayload = 6, kMostShift = 60;
      if (inNumber && shift < kMostShift) number |= static_cast<std::uint64_t>(byte & 0x3F) << shift;
      inNumber &= (byte & 0x40) != 0;
      shift += kPayload;
    }
    if (kind >= kOneLine0 && kind <= kOneLine2) line += kind - kOneLine0;
    if (kind == kNoColumns || kind == kLong) {
      const auto size = static_cast<std::int64_t>(number >> 1);
      line += (number & 1) != 0 ? -size : size;
    }
    if (line < INT32_MIN || line > INT32_MAX) return kNoLine;
    if (at < end) return kind == kHasNone ? kNoLine : static_cast<std::int32_t>(line);
  }
  return kNoLine;
}

}  // namespace lanescope::python
