// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/text.h"

#include <cstring>

#include "collector/inject/process.h"
#include "collector/wire/checksum.h"

namespace lanescope::inject {
namespace {

/// The most bytes up to `limit` that do not end within a character.
std::uint32_t cutAt(const char* bytes, std::uint32_t limit) {
  std::uint32_t length = limit;
  while (length > 0 && limit - length < 4 && (static_cast<unsigned char>(bytes[length]) & 0xC0) == 0x80) --length;
  return (static_cast<unsigned char>(bytes[length]) & 0xC0) == 0x80 ? limit : length;
}

std::uint32_t encode(std::uint32_t character, char* to) {
  if (character > 0x10FFFF || (character >= 0xD800 && character < 0xE000)) character = 0xFFFD;
  if (character < 0x80) {
    to[0] = static_cast<char>(character);
    return 1;
  }
  const std::uint32_t extra = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  constexpr unsigned char kLead[] = {0, 0xC0, 0xE0, 0xF0};
  to[0] = static_cast<char>(kLead[extra] | (character >> (6 * extra)));
  for (std::uint32_t i = 1; i <= extra; ++i) {
    to[i] = static_cast<char>(0x80 | ((character >> (6 * (extra - i))) & 0x3F));
  }
  return extra + 1;
}

}  // namespace

Text textOf(const char* utf8, std::uint64_t length) {
  Text text;
  if (utf8 == nullptr) return text;
  text.bytes = utf8;
  text.cut = length > kLongestText;
  text.length = text.cut ? cutAt(utf8, kLongestText) : static_cast<std::uint32_t>(length);
  text.id = wire::hash64(utf8, text.length);
  return text;
}

Text textOf(const char* utf8) { return utf8 != nullptr ? textOf(utf8, strnlen(utf8, kLongestText + 1)) : Text{}; }

Text textOf(const wchar_t* wide, char* to) {
  if (wide == nullptr) return {};
  std::uint32_t length = 0;
  while (*wide != 0 && length + 4 <= kLongestText) length += encode(static_cast<std::uint32_t>(*wide++), to + length);
  Text text = textOf(to, length);
  text.cut = *wide != 0;
  return text;
}

std::uint64_t define(ThreadRing& ring, const Text& text) {
  std::uint64_t& seen = ring.seen[text.id % ThreadRing::kSeen];
  if (seen == text.id) return text.id;
  wire::String record;
  record.id = text.id;
  if (ring.append(record, wire::RecordType::kString, text.bytes, text.length)) {
    seen = text.id;
    if (text.cut) {
      if (Session* alive = session()) alive->losses.count(wire::LossKind::kTextCut);
    }
  }
  return text.id;
}

}  // namespace lanescope::inject
