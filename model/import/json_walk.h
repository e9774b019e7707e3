// SPDX-License-Identifier: Apache-2.0
// Reads one value of a JSON text byte by byte, where cutting or parsing met what it does not know: finds its end, says
// where it stops being JSON, and mends what can be: control characters, bad UTF-8, comments, commas too many, numbers
// that are none. O(length), no recursion, as much memory as the value is long.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::imported {

struct Walked {
  enum class Stop {
    kWhole,    ///< the value ends before `end`
    kTextEnd,  ///< the text ends inside the value
    kBroken,   ///< at `end` stands what JSON does not allow; from `resume` on a sound entry may begin
    kTooDeep,  ///< whole, and nested deeper than kDeepestJson
  };
  Stop stop = Stop::kWhole;
  std::size_t end = 0;     ///< in the text
  std::size_t resume = 0;  ///< only of kBroken
  std::string mended;      ///< the value as JSON; only of kWhole
  std::uint64_t controls = 0, badUtf8 = 0;  ///< strings that were mended
};

/// The value at `at`, which is no blank.
Walked walkValue(std::string_view text, std::size_t at);

/// Behind blanks, and comments of both kinds; where a comment begins that the text does not end.
std::size_t skipBlanks(std::string_view text, std::size_t at);
bool beginsComment(std::string_view text, std::size_t at);

/// Where the next { stands, from `at` on, that looks like the begin of an entry: a field of the format follows it;
/// npos if nowhere. The last `kEntryBegin` bytes of the text cannot tell.
std::size_t findEntry(std::string_view text, std::size_t at);
inline constexpr std::size_t kEntryBegin = 64;

/// Where the next ] stands that looks like the end of the entries: a key that stands beside them follows it, or the end
/// of the text if this is all of it.
std::size_t findArrayEnd(std::string_view text, std::size_t at, bool isAll);

/// Behind the [ of the next "traceEvents": [ from `at` on; npos if there is none.
std::size_t findTraceEvents(std::string_view text, std::size_t at);

}  // namespace lanescope::imported
