// SPDX-License-Identifier: Apache-2.0
// CRC-32C of chunks and the content hash that names texts. No allocation, no state; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collector/wire/records.h"

namespace lanescope::wire {

/// CRC-32C (Castagnoli), by the processor's instruction where it has one. `before`: of the bytes in front of these.
std::uint32_t crc32c(const void* bytes, std::size_t count, std::uint32_t before = 0);

/// Of a chunk: its header with a crc of 0, and the header.bytes of records behind it.
std::uint32_t crcOf(ChunkHeader header, const void* records);

/// 64 well-mixed bits of a text; never 0, which means "no text".
std::uint64_t hash64(const char* text, std::size_t length);

}  // namespace lanescope::wire
