// SPDX-License-Identifier: Apache-2.0
// FNV-1a with 64 bits: the same on every machine and in every run, but no proof against who wants two texts to be alike.
// Source: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash Algorithm".
#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope {

/// `hash` of what stands before this text goes on with it.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 0xCBF29CE484222325ull) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  return hash;
}

}  // namespace lanescope
