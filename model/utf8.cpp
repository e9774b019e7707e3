// SPDX-License-Identifier: Apache-2.0
#include "model/utf8.h"

#include "model/format.h"

namespace lanescope {
namespace {

/// Length of the well-formed UTF-8 sequence at the start of `s` (Unicode 15, table 3-7), 0 if there is none.
std::size_t sequenceLength(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < s.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned b = byte(0);
  if (b < 0x80) return 1;
  if (b >= 0xC2 && b <= 0xDF) return follows(1) ? 2 : 0;
  if (b >= 0xE0 && b <= 0xEF) return follows(1, b == 0xE0 ? 0xA0 : 0x80, b == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (b >= 0xF0 && b <= 0xF4)
    return follows(1, b == 0xF0 ? 0x90 : 0x80, b == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

bool isCleanUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = isControl(text[i]) ? 0 : sequenceLength(text.substr(i));
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string repairUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (isControl(text[i])) {
      const unsigned c = static_cast<unsigned char>(text[i]);
      const unsigned picture = c == 0x7F ? 0x2421 : 0x2400 + c;
      out += '\xE2';
      out += static_cast<char>(0x80 | (picture >> 6 & 0x3F));
      out += static_cast<char>(0x80 | (picture & 0x3F));
      ++i;
    } else if (const std::size_t length = sequenceLength(text.substr(i))) {
      out += text.substr(i, length);
      i += length;
    } else {
      out += "\xEF\xBF\xBD";
      ++i;
    }
  }
  return out;
}

std::string shownText(std::string_view text, std::size_t most) {
  if (text.size() <= most) return repairUtf8(text);
  std::size_t end = most;
  constexpr std::size_t kLongest = 3;  // bytes of a character behind its first
  while (end > 0 && most - end < kLongest && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return repairUtf8(text.substr(0, end)) + "… (" + formatBytes(text.size()) + " in all)";
}

}  // namespace lanescope
