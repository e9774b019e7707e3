// SPDX-License-Identifier: Apache-2.0
#include "model/remote/sftp_packet.h"

#include <sys/stat.h>

namespace lanescope::remote {
namespace {

void append(std::string& to, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) to += static_cast<char>(value >> shift & 0xFF);
}

}  // namespace

PacketWriter& PacketWriter::byte(std::uint8_t value) { return append(body_, value, 1), *this; }
PacketWriter& PacketWriter::number(std::uint32_t value) { return append(body_, value, 4), *this; }
PacketWriter& PacketWriter::large(std::uint64_t value) { return append(body_, value, 8), *this; }

PacketWriter& PacketWriter::text(std::string_view value) {
  number(static_cast<std::uint32_t>(value.size()));
  body_ += value;
  return *this;
}

std::string PacketWriter::bytes() const {
  std::string all;
  append(all, body_.size(), 4);
  return all + body_;
}

std::uint64_t PacketReader::bigEndian(std::size_t bytes) {
  if (rest_.size() < bytes) {
    good_ = false;
    rest_ = {};
    return 0;
  }
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<unsigned char>(rest_[i]);
  rest_.remove_prefix(bytes);
  return value;
}

std::uint8_t PacketReader::byte() { return static_cast<std::uint8_t>(bigEndian(1)); }
std::uint32_t PacketReader::number() { return static_cast<std::uint32_t>(bigEndian(4)); }
std::uint64_t PacketReader::large() { return bigEndian(8); }

std::string_view PacketReader::text() {
  const std::size_t size = number();
  if (size > rest_.size()) {
    good_ = false;
    rest_ = {};
  }
  const std::string_view text = rest_.substr(0, good_ ? size : 0);
  rest_.remove_prefix(text.size());
  return text;
}

FileFacts PacketReader::attributes() {
  constexpr std::uint32_t kSize = 1, kOwner = 2, kMode = 4, kTimes = 8, kMore = 0x80000000u;
  FileFacts facts;
  const std::uint32_t flags = number();
  if ((flags & kSize) != 0) facts.size = large();
  if ((flags & kOwner) != 0) large();
  if ((flags & kMode) != 0) {
    const std::uint32_t mode = number();
    facts.isFolder = S_ISDIR(mode);
    facts.isFile = S_ISREG(mode);
  }
  if ((flags & kTimes) != 0) {
    number();
    facts.time = number();
  }
  if ((flags & kMore) == 0) return facts;
  for (std::uint32_t pairs = number(); pairs > 0 && good_; --pairs) text(), text();
  return facts;
}

}  // namespace lanescope::remote
