// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/ring_remains.h"

namespace lanescope::launch {

std::vector<RingRemains> RingFile::remains(std::uint64_t& dropped) const {
  std::vector<RingRemains> found;
  dropped = 0;
  for (std::uint32_t slot = 0; slot < wire::kRingSlots; ++slot) {
    wire::RingHeader header;
    const std::uint64_t at = slot * std::uint64_t{wire::kRingStride};
    if (file_.read(at, reinterpret_cast<char*>(&header), sizeof header) < sizeof header) break;
    if (header.magic != wire::kRingMagic) continue;
    if (__builtin_add_overflow(dropped, header.dropped, &dropped)) dropped = ~std::uint64_t{0};
    if (header.head <= header.tail || header.head - header.tail > wire::kRingBytes) continue;
    found.push_back({slot, header.tid, header.tail, header.head});
  }
  return found;
}

std::string RingFile::bytes(const RingRemains& ring, std::uint64_t from) const {
  if (from < ring.tail || from >= ring.head) return {};
  std::string bytes(ring.head - from, '\0');
  const std::uint64_t base = ring.slot * std::uint64_t{wire::kRingStride} + wire::kRingHeaderBytes;
  const std::uint64_t position = from % wire::kRingBytes;
  const std::size_t first = std::min<std::uint64_t>(bytes.size(), wire::kRingBytes - position);
  std::size_t got = file_.read(base + position, bytes.data(), first);
  if (got == first) got += file_.read(base, bytes.data() + first, bytes.size() - first);
  bytes.resize(got);
  return bytes;
}

}  // namespace lanescope::launch
