// SPDX-License-Identifier: Apache-2.0
#include "collector/wire/checksum.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

namespace lanescope::wire {
namespace {

TEST(Checksum, IsTheOneOfTheStandard) {
  // RFC 3720, appendix B.4.
  EXPECT_EQ(crc32c("123456789", 9), 0xE3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0').data(), 32), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xFF').data(), 32), 0x62A8AB43u);
  EXPECT_EQ(crc32c("", 0), 0u);
  EXPECT_EQ(crc32c("56789", 5, crc32c("1234", 4)), 0xE3069283u);
}

TEST(Checksum, OfAChunkChangesWithEveryBitOfItsHeaderButThoseOfTheChecksum) {
  ChunkHeader header;
  header.bytes = 8;
  const std::uint32_t whole = crcOf(header, "records!");
  EXPECT_NE(crcOf(header, "records?"), whole);
  for (std::size_t bit = 0; bit < 8 * sizeof header; ++bit) {
    const std::size_t at = bit / 8;
    const bool isSize = at >= offsetof(ChunkHeader, bytes) && at < offsetof(ChunkHeader, crc);
    if (isSize) continue;  // there is no more to read
    const bool isChecksum = at >= offsetof(ChunkHeader, crc) && at < offsetof(ChunkHeader, offset);
    ChunkHeader other = header;
    reinterpret_cast<unsigned char*>(&other)[at] ^= 1u << bit % 8;
    EXPECT_EQ(crcOf(other, "records!") == whole, isChecksum) << bit;
  }
}

TEST(Checksum, TextsOfAllLengthsHaveHashesOfTheirOwnAndNoneIsZero) {
  std::set<std::uint64_t> seen;
  std::string text;
  for (int length = 0; length < 200; ++length, text += '\0') {
    const std::uint64_t hash = hash64(text.data(), text.size());
    EXPECT_NE(hash, 0u);
    EXPECT_TRUE(seen.insert(hash).second) << length;
  }
}

}  // namespace
}  // namespace lanescope::wire
