// SPDX-License-Identifier: Apache-2.0
#include "collector/python/code.h"

#include <algorithm>
#include <cstring>

#include "collector/python/lines.h"

namespace lanescope::python {
namespace {

/// Bytes one after the other out of memory, in pieces that a page fault or a system call is worth.
class Bytes {
 public:
  Bytes(const Memory& memory, Address from, std::uint64_t length) : memory_(memory), from_(from), left_(length) {}
  int operator()() {
    if (at_ == filled_ && !fill()) return -1;
    return piece_[at_++];
  }

 private:
  bool fill() {
    filled_ = std::min<std::uint64_t>(left_, sizeof piece_);
    at_ = 0;
    if (filled_ == 0) return false;
    if (!memory_.get(from_, piece_, filled_)) {
      filled_ = left_ = 0;
      return false;
    }
    from_ += filled_;
    left_ -= filled_;
    return true;
  }

  const Memory& memory_;
  Address from_;
  std::uint64_t left_;
  std::size_t at_ = 0, filled_ = 0;
  unsigned char piece_[256];
};

std::size_t putUtf8(std::uint32_t character, char* to, std::size_t room) {
  constexpr std::uint32_t kLast = 0x10FFFF, kReplacement = 0xFFFD;
  if (character > kLast || (character >= 0xD800 && character < 0xE000)) character = kReplacement;
  const std::size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  if (length > room) return 0;
  if (length == 1) {
    *to = static_cast<char>(character);
    return 1;
  }
  constexpr unsigned kLead[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (std::size_t i = length - 1; i > 0; --i, character >>= 6) to[i] = static_cast<char>(0x80 | (character & 0x3F));
  to[0] = static_cast<char>(kLead[length] | character);
  return length;
}

}  // namespace

bool readCode(const Memory& memory, const Python& python, Address address, Code& code) {
  const Layout& layout = python.layout;
  constexpr std::size_t kMost = 256;
  char bytes[kMost];
  std::size_t wanted = 0;
  for (const std::uint16_t offset : {layout.type, layout.file, layout.name, layout.qualifiedName, layout.lines,
                                     layout.firstLine, layout.firstTraceable}) {
    if (offset != kNone) wanted = std::max<std::size_t>(wanted, offset + sizeof(Address));
  }
  if (!isObject(address) || wanted > kMost || !memory.get(address, bytes, wanted)) return false;
  const auto take = [&](auto& field, std::uint16_t offset) { std::memcpy(&field, bytes + offset, sizeof field); };
  Address type = 0;
  take(type, layout.type);
  if (python.codeType != 0 && type != python.codeType) return false;
  take(code.file, layout.file);
  take(code.name, layout.qualifiedName != kNone ? layout.qualifiedName : layout.name);
  take(code.lines, layout.lines);
  take(code.firstLine, layout.firstLine);
  code.firstTraceable = 0;
  if (layout.firstTraceable != kNone) take(code.firstTraceable, layout.firstTraceable);
  constexpr std::int32_t kMostInstructions = 1 << 28;
  return isObject(code.name) && isObject(code.file) && isObject(code.lines) && code.firstTraceable >= 0 &&
         code.firstTraceable <= kMostInstructions;
}

bool readText(const Memory& memory, const Python& python, Address address, std::span<char> into, std::size_t& length) {
  const Layout& layout = python.layout;
  length = 0;
  std::uint64_t characters = 0;
  std::uint32_t state = 0;
  if (!isObject(address) || !memory.get(address + layout.textLength, characters) ||
      !memory.get(address + layout.textState, state)) {
    return false;
  }
  const std::uint32_t width = state >> 2 & 7;
  const bool isCompact = (state & 0x20) != 0, isAscii = (state & 0x40) != 0;
  constexpr std::uint64_t kMostCharacters = 1u << 30;
  if (!isCompact || (width != 1 && width != 2 && width != 4) || characters > kMostCharacters) return false;
  Bytes next(memory, address + (isAscii ? layout.asciiText : layout.compactText), characters * width);
  for (std::uint64_t i = 0; i < characters; ++i) {
    std::uint32_t character = 0;
    for (std::uint32_t byte = 0; byte < width; ++byte) {
      const int value = next();
      if (value < 0) return false;
      character |= static_cast<std::uint32_t>(value) << 8 * byte;
    }
    const std::size_t put = putUtf8(character, into.data() + length, into.size() - length);
    if (put == 0) break;
    length += put;
  }
  return true;
}

std::int32_t readLine(const Memory& memory, const Python& python, const Code& code, const Frame& frame) {
  if (frame.line > 0) return frame.line;
  const Layout& layout = python.layout;
  std::uint64_t length = 0;
  if (!isObject(code.lines) || !memory.get(code.lines + layout.bytesLength, length)) return kNoLine;
  Bytes next(memory, code.lines + layout.bytes, std::min<std::uint64_t>(length, kMostTableBytes));
  const std::int32_t line = layout.minor == 9    ? lineOfPairs(next, code.firstLine, frame.at)
                            : layout.minor == 10 ? lineOfRanges(next, code.firstLine, frame.at)
                                                 : lineOfLocations(next, code.firstLine, frame.at);
  return std::max(line, kNoLine);
}

}  // namespace lanescope::python
