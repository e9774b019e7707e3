// SPDX-License-Identifier: Apache-2.0
// Texts as records want them: bounded UTF-8 and its content hash. The program's memory is read once and never kept. A
// thread defines a text in its ring before the first record that names it, and remembers the last 1024 that it did.
#pragma once

#include <cstdint>

#include "collector/inject/ring.h"

namespace lanescope::inject {

/// 16 KiB: longer texts are cut at a character's end.
inline constexpr std::uint32_t kLongestText = 16384;

struct Text {
  const char* bytes = nullptr;
  std::uint32_t length = 0;
  std::uint64_t id = 0;  ///< 0 for no text at all
  bool cut = false;
};

Text textOf(const char* utf8);
Text textOf(const char* utf8, std::uint64_t length);
/// Written to `to`, which must hold kLongestText + 4 bytes and live as long as the text is used.
Text textOf(const wchar_t* wide, char* to);

/// Sees to it that the ring has the text; its id.
std::uint64_t define(ThreadRing& ring, const Text& text);

}  // namespace lanescope::inject
