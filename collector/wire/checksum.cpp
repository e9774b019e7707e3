// SPDX-License-Identifier: Apache-2.0
#include "collector/wire/checksum.h"

#include <array>
#include <cstring>
#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace lanescope::wire {
namespace {

constexpr std::array<std::uint32_t, 256> kTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82F63B78u : 0u);
    table[i] = value;
  }
  return table;
}();

std::uint32_t byTable(const unsigned char* bytes, std::size_t count, std::uint32_t before) {
  std::uint32_t crc = ~before;
  for (std::size_t i = 0; i < count; ++i) crc = (crc >> 8) ^ kTable[(crc ^ bytes[i]) & 0xFF];
  return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t byInstruction(const unsigned char* bytes, std::size_t count,
                                                              std::uint32_t before) {
  std::uint64_t crc = ~before;
  for (; count >= 8; bytes += 8, count -= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    crc = _mm_crc32_u64(crc, word);
  }
  auto rest = static_cast<std::uint32_t>(crc);
  for (; count > 0; ++bytes, --count) rest = _mm_crc32_u8(rest, *bytes);
  return ~rest;
}
#endif

}  // namespace

std::uint32_t crc32c(const void* bytes, std::size_t count, std::uint32_t before) {
  const auto* data = static_cast<const unsigned char*>(bytes);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return byInstruction(data, count, before);
#endif
  return byTable(data, count, before);
}

std::uint32_t crcOf(ChunkHeader header, const void* records) {
  header.crc = 0;
  return crc32c(records, header.bytes, crc32c(&header, sizeof header));
}

std::uint64_t hash64(const char* text, std::size_t length) {
  // The finaliser of MurmurHash3 (public domain, Austin Appleby) over 8 bytes at a time.
  const auto mix = [](std::uint64_t h) {
    h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDull;
    h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53ull;
    return h ^ (h >> 33);
  };
  std::uint64_t hash = 0x9E3779B97F4A7C15ull ^ length;
  for (; length >= 8; text += 8, length -= 8) {
    std::uint64_t word;
    std::memcpy(&word, text, sizeof word);
    hash = mix(hash ^ word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, text, length);
  hash = mix(hash ^ rest);
  return hash != 0 ? hash : 1;
}

}  // namespace lanescope::wire
