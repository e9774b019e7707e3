// SPDX-License-Identifier: Apache-2.0
#include "model/report/nvtx_payload.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <optional>

#include "model/utf8.h"

namespace lanescope::report {
namespace {

constexpr const char* kEntries = "NVTX_PAYLOAD_SCHEMA_ENTRIES";
constexpr const char* kEnums = "NVTX_PAYLOAD_ENUMS";
constexpr const char* kEnumEntries = "NVTX_PAYLOAD_ENUM_ENTRIES";
constexpr int kMostEntries = 64;
constexpr std::size_t kMostBytes = 1024;  // of a name

/// Little-endian, as every machine that records is.
template <class T>
std::optional<T> read(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

template <class T>
std::optional<std::string> readText(std::string_view bytes, std::uint64_t offset) {
  const auto value = read<T>(bytes, offset);
  return value ? std::optional(fmt::format("{}", *value)) : std::nullopt;
}

/// Of NVTX's predefined types those that hold one number; C's own types as on 64-bit Linux.
std::optional<std::string> numberText(std::int64_t type, std::string_view bytes, std::uint64_t offset) {
  switch (type) {
    case 11:
      return readText<std::int8_t>(bytes, offset);
    case 2:
    case 12:
      return readText<std::uint8_t>(bytes, offset);
    case 3:
    case 13:
      return readText<std::int16_t>(bytes, offset);
    case 4:
    case 14:
      return readText<std::uint16_t>(bytes, offset);
    case 5:
    case 15:
      return readText<std::int32_t>(bytes, offset);
    case 6:
    case 16:
      return readText<std::uint32_t>(bytes, offset);
    case 7:
    case 9:
    case 17:
      return readText<std::int64_t>(bytes, offset);
    case 8:
    case 10:
    case 18:
    case 22:
      return readText<std::uint64_t>(bytes, offset);
    case 19:
      return readText<float>(bytes, offset);
    case 20:
      return readText<double>(bytes, offset);
    case 23: {
      const auto address = read<std::uint64_t>(bytes, offset);
      return address ? std::optional(fmt::format("{:#x}", *address)) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

/// The name of a value of an enumeration that the program registered; a NULL value in the table is 0.
std::optional<std::string> enumText(const Database& database, std::int64_t domain, std::int64_t schema,
                                    std::string_view bytes, std::uint64_t offset) {
  for (const char* column : {"domainId", "schemaId", "name", "value"})
    if (!database.has(kEnumEntries, column)) return std::nullopt;
  if (!database.has(kEnums, "size") || !database.has(kEnums, "schemaId")) return std::nullopt;
  const std::int64_t size = database.integer(fmt::format("SELECT size FROM {} WHERE schemaId = {}", kEnums, schema), 0);
  std::optional<std::int64_t> value;
  if (size == 1) value = read<std::int8_t>(bytes, offset);
  if (size == 2) value = read<std::int16_t>(bytes, offset);
  if (size == 4) value = read<std::int32_t>(bytes, offset);
  if (size == 8) value = read<std::int64_t>(bytes, offset);
  if (!value) return std::nullopt;
  const std::string name =
      database.text(fmt::format("SELECT name FROM {} WHERE domainId = {} AND schemaId = {} AND coalesce(value, 0) = {}",
                                kEnumEntries, domain, schema, *value));
  return name.empty() ? std::to_string(*value) : shownText(name, kMostBytes);
}

}  // namespace

std::vector<PayloadValue> decodePayload(const Database& database, std::string_view bytes) {
  for (const char* column : {"domainId", "schemaId", "idx", "flags", "type", "name", "offset"})
    if (!database.has(kEntries, column)) return {};
  // Four words before the payload: domain, schema, size, where it begins.
  const auto domain = read<std::int64_t>(bytes, 0), schema = read<std::int64_t>(bytes, 8);
  const auto size = read<std::uint64_t>(bytes, 16), begin = read<std::uint64_t>(bytes, 24);
  if (!begin || *begin > bytes.size()) return {};
  bytes = bytes.substr(*begin, *size);

  auto entries = database.prepare(fmt::format(
      "SELECT type, substr(name, 1, {}), coalesce(offset, 0), coalesce(flags, 0) FROM {} WHERE domainId = ?1 AND "
      "schemaId = ?2 ORDER BY idx LIMIT {}",
      kMostBytes + 1, kEntries, kMostEntries));  // sorting holds the names of all that it sorts
  if (!entries) return {};
  entries->bind(1, *domain);
  entries->bind(2, *schema);
  std::vector<PayloadValue> values;
  while (entries->step()) {
    const std::int64_t type = entries->integer(0), offset = entries->integer(2);
    if (entries->integer(3) != 0 || offset < 0) continue;  // flags: an array, a pointer, a union
    const auto at = static_cast<std::uint64_t>(offset);
    std::optional<std::string> text = numberText(type, bytes, at);
    if (!text) text = enumText(database, *domain, type, bytes, at);
    if (text) values.push_back({shownText(entries->text(1), kMostBytes), *text});
  }
  return values;
}

}  // namespace lanescope::report
