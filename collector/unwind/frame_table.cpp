// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/frame_table.h"

#include <algorithm>

namespace lanescope::unwind {

namespace {

constexpr std::size_t kMostListed = 1u << 20;

// DW_EH_PE_…: how pointers of exception tables are written.
constexpr std::uint8_t kAbsolute = 0x00, kUnsigned4 = 0x03, kSigned4 = 0x0B, kFromHere = 0x10, kFromTable = 0x30,
                       kOmitted = 0xFF;

Bytes asBytes(std::span<const char> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

/// The head of an entry: what it holds behind its length.
std::optional<Bytes> content(ByteReader& reader) {
  std::uint64_t length = reader.get<std::uint32_t>();
  if (length == 0xFFFFFFFF) length = reader.get<std::uint64_t>();
  const Bytes bytes = reader.take(length);
  if (!reader.isSound() || bytes.empty()) return std::nullopt;
  return bytes;
}

}  // namespace

FrameTable FrameTable::ehFrame(const ElfFile& file) {
  FrameTable table;
  const auto [header, headerAddress] = file.ehFrameHeader();
  ByteReader reader(asBytes(header));
  const auto version = reader.get<std::uint8_t>(), frameEncoding = reader.get<std::uint8_t>();
  const auto countEncoding = reader.get<std::uint8_t>(), tableEncoding = reader.get<std::uint8_t>();
  if (reader.isSound() && version == 1) {
    const auto entries = table.pointer(reader, frameEncoding, headerAddress);
    if (entries) table.bytes_ = asBytes(file.bytesFrom(*entries)), table.address_ = *entries;
    const bool hasTable = countEncoding == kUnsigned4 && tableEncoding == (kFromTable | kSigned4);
    const std::uint64_t count = hasTable ? reader.get<std::uint32_t>() : 0;
    table.searchBase_ = headerAddress;
    table.searchTable_ = reader.rest();
    table.searchTable_ =
        table.searchTable_.first(std::min<std::uint64_t>(count * 8, table.searchTable_.size() / 8 * 8));
  }
  if (!table.searchTable_.empty() && !table.bytes_.empty()) return table;
  if (const auto section = file.section(std::string_view(".eh_frame")))
    table.bytes_ = asBytes(file.bytes(*section)), table.address_ = section->header.sh_addr;
  table.searchTable_ = {};
  table.list();
  return table;
}

FrameTable FrameTable::debugFrame(const ElfFile& file) {
  FrameTable table;
  table.isDebugFrame_ = true;
  if (const auto section = file.section(std::string_view(".debug_frame"))) table.bytes_ = asBytes(file.bytes(*section));
  table.list();
  return table;
}

/// `base`: where what the reader reads begins.
std::optional<std::uint64_t> FrameTable::pointer(ByteReader& reader, std::uint8_t encoding, std::uint64_t base) const {
  if (encoding == kOmitted) return std::nullopt;
  const std::uint64_t here = base + reader.at();
  std::uint64_t value = 0;
  switch (encoding & 0x0F) {
    case 0x00:
    case 0x04:
    case 0x0C:
      value = reader.get<std::uint64_t>();
      break;
    case 0x01:
      value = reader.uleb();
      break;
    case 0x02:
      value = reader.get<std::uint16_t>();
      break;
    case 0x03:
      value = reader.get<std::uint32_t>();
      break;
    case 0x09:
      value = static_cast<std::uint64_t>(reader.sleb());
      break;
    case 0x0A:
      value = static_cast<std::uint64_t>(std::int64_t{reader.get<std::int16_t>()});
      break;
    case 0x0B:
      value = static_cast<std::uint64_t>(std::int64_t{reader.get<std::int32_t>()});
      break;
    default:
      return std::nullopt;
  }
  switch (encoding & 0xF0) {
    case kAbsolute:
      return value;
    case kFromHere:
      return here + value;
    default:
      return std::nullopt;  // nobody writes others for functions
  }
}

std::optional<FrameTable::Common> FrameTable::commonAt(std::uint64_t at) const {
  if (at >= bytes_.size()) return std::nullopt;
  ByteReader outer(bytes_.subspan(at));
  const auto bytes = content(outer);
  if (!bytes) return std::nullopt;
  ByteReader reader(*bytes);
  if (reader.get<std::uint32_t>() != (isDebugFrame_ ? 0xFFFFFFFFu : 0u)) return std::nullopt;
  Common common;
  const auto version = reader.get<std::uint8_t>();
  const std::string_view augmentation = reader.text();
  if (version == 4) reader.get<std::uint16_t>();  // sizes of addresses and of segments
  common.program.codeUnit = reader.uleb();
  common.program.dataUnit = reader.sleb();
  common.program.returnColumn = version == 1 ? reader.get<std::uint8_t>() : reader.uleb();
  common.hasAugmentation = augmentation.starts_with('z');
  if (!augmentation.empty() && !common.hasAugmentation) return std::nullopt;
  ByteReader more(common.hasAugmentation ? reader.take(reader.uleb()) : Bytes());
  for (const char each : augmentation) {
    if (each == 'R') common.encoding = more.get<std::uint8_t>();
    if (each == 'L') more.get<std::uint8_t>();
    if (each == 'S') common.isSignal = true;
    if (each == 'P') {
      const auto encoding = more.get<std::uint8_t>();
      pointer(more, encoding & 0x0F, 0);  // whose it is does not matter here
    }
  }
  common.instructions = reader.rest();
  if (!reader.isSound() || !more.isSound()) return std::nullopt;
  return common;
}

std::optional<FrameTable::Entry> FrameTable::entryAt(std::uint64_t at) const {
  if (at >= bytes_.size()) return std::nullopt;
  ByteReader outer(bytes_.subspan(at));
  const auto bytes = content(outer);
  if (!bytes) return std::nullopt;
  const auto place = static_cast<std::uint64_t>(bytes->data() - bytes_.data());
  ByteReader reader(*bytes);
  const std::uint64_t back = reader.get<std::uint32_t>();
  if (back == (isDebugFrame_ ? 0xFFFFFFFFu : 0u)) return std::nullopt;
  const auto common = commonAt(isDebugFrame_ ? back : place - back);
  if (!common) return std::nullopt;
  Entry entry{.common = *common};
  const auto start = pointer(reader, common->encoding, address_ + place);
  const auto length = pointer(reader, common->encoding & 0x0F, 0);
  if (common->hasAugmentation) reader.take(reader.uleb());
  entry.instructions = reader.rest();
  if (!start || !length || !reader.isSound()) return std::nullopt;
  entry.start = *start, entry.end = *start + *length;
  return entry;
}

/// All entries, by address.
void FrameTable::list() {
  ByteReader reader(bytes_);
  while (!reader.isAtEnd() && listed_.size() < kMostListed) {
    const std::uint64_t at = reader.at();
    if (!content(reader)) {
      if (reader.isSound()) continue;  // the end of what one object file gave, of which there may be more
      break;
    }
    if (const auto entry = entryAt(at); entry && entry->start < entry->end)
      listed_.push_back({entry->start, entry->end, at});
  }
  std::ranges::sort(listed_, {}, &Listed::start);
}

/// Where the entry is that may speak of it.
std::optional<std::uint64_t> FrameTable::search(std::uint64_t address) const {
  if (searchTable_.empty()) {
    const auto behind = std::ranges::upper_bound(listed_, address, {}, &Listed::start);
    if (behind == listed_.begin()) return std::nullopt;
    return std::prev(behind)->at;
  }
  const auto distance = [&](std::size_t pair, std::size_t which) {
    std::int32_t value = 0;
    std::memcpy(&value, searchTable_.data() + pair * 8 + which * 4, sizeof value);
    return searchBase_ + static_cast<std::uint64_t>(std::int64_t{value});
  };
  std::size_t low = 0, high = searchTable_.size() / 8;  // the last that does not begin behind it
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (distance(middle, 0) <= address) low = middle + 1;
    else high = middle;
  }
  if (low == 0) return std::nullopt;
  return distance(low - 1, 1) - address_;
}

std::optional<FrameRow> FrameTable::at(std::uint64_t address) const {
  const auto at = search(address);
  const auto entry = at ? entryAt(*at) : std::nullopt;
  if (!entry || address < entry->start || address >= entry->end) return std::nullopt;
  auto row = rowAt(entry->common.program, entry->common.instructions, entry->instructions, address - entry->start);
  if (row) row->isSignal = entry->common.isSignal;
  return row;
}

}  // namespace lanescope::unwind
