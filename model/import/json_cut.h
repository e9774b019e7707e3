// SPDX-License-Identifier: Apache-2.0
// Finds where the entries of an array stand, by braces outside strings, 64 bytes at a time; what is inside them is not
// judged but for quotes that stand where none may. About a byte per cycle's third. Any thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lanescope::imported {

/// Bytes behind a text that must be there to be read; what they are is all the same.
inline constexpr std::size_t kCutSlack = 64;

/// Deeper than this nothing is read.
inline constexpr int kDeepestJson = 1000;

struct CutEntry {
  std::size_t begin = 0, end = 0;  ///< from { to behind }
};

struct Cut {
  enum class Stop {
    kTextEnd,   ///< behind `at` comes no entry, or one that the text does not hold whole
    kArrayEnd,  ///< at `at` stands what closes the array
    kTrouble,  ///< behind `at` comes what this scan does not understand: a comment, a stray quote, no object, nested deep
  };
  Stop stop = Stop::kTextEnd;
  std::size_t at = 0;  ///< behind the last entry
};

/// Appends the entries from `from` on, a place between two entries of an array, to `entries`.
Cut cutEntries(std::string_view text, std::size_t from, std::vector<CutEntry>& entries);

}  // namespace lanescope::imported
