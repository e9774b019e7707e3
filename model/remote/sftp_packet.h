// SPDX-License-Identifier: Apache-2.0
// The packets of SFTP version 3 as bytes: big-endian numbers and counted strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/remote/sftp.h"

namespace lanescope::remote {

namespace sftp {
enum Type : std::uint8_t {
  kInit = 1,
  kVersion = 2,
  kOpen = 3,
  kClose = 4,
  kRead = 5,
  kWrite = 6,
  kFstat = 8,
  kOpendir = 11,
  kReaddir = 12,
  kRemove = 13,
  kMkdir = 14,
  kRealpath = 16,
  kStat = 17,
  kRename = 18,
  kStatus = 101,
  kHandle = 102,
  kData = 103,
  kName = 104,
  kAttributes = 105,
  kExtended = 200,
};
enum Status : std::uint32_t { kOk = 0, kEof = 1, kNoSuchFile = 2, kDenied = 3, kFailed = 4 };
}  // namespace sftp

class PacketWriter {
 public:
  explicit PacketWriter(sftp::Type type) { byte(type); }

  PacketWriter& byte(std::uint8_t value);
  PacketWriter& number(std::uint32_t value);
  PacketWriter& large(std::uint64_t value);
  PacketWriter& text(std::string_view value);

  /// With the length before it.
  std::string bytes() const;

 private:
  std::string body_;
};

/// Reads what a packet holds; once it holds less than is asked for, all is 0 and empty and good() false.
class PacketReader {
 public:
  explicit PacketReader(std::string_view body) : rest_(body) {}

  std::uint8_t byte();
  std::uint32_t number();
  std::uint64_t large();
  std::string_view text();
  FileFacts attributes();

  bool good() const { return good_; }
  std::size_t left() const { return rest_.size(); }

 private:
  std::uint64_t bigEndian(std::size_t bytes);

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace lanescope::remote
