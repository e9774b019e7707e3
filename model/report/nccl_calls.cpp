// SPDX-License-Identifier: Apache-2.0
#include "model/report/nccl_calls.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <set>

#include "model/report/table_scan.h"

namespace lanescope::report {
namespace {

struct Place {
  std::uint64_t offset;
  std::size_t size;
};
struct Layout {
  std::optional<Place> bytes, communicator, ranks, rank;
};
using Layouts = std::map<std::pair<std::uint64_t, std::uint64_t>, Layout>;  // by domain and schema

/// Of NVTX's predefined types the whole numbers of four and eight bytes; C's own as on 64-bit Linux.
std::size_t sizeOf(std::int64_t type) {
  switch (type) {
    case 5:
    case 6:
    case 15:
    case 16:
      return 4;
    case 7:
    case 8:
    case 9:
    case 10:
    case 17:
    case 18:
    case 22:
      return 8;
    default:
      return 0;
  }
}

Layouts readLayouts(const Database& database) {
  enum Column { kDomain, kSchema, kType, kName, kOffset };
  Layouts layouts;
  scanTable(database, "NVTX_PAYLOAD_SCHEMA_ENTRIES", {"domainId", "schemaId", "type", "name", "offset"},
            [&](const TableRow& row) {
              const std::size_t size = sizeOf(row.integer(kType));
              if (size == 0 || row.integer(kOffset) < 0) return;
              Layout& layout = layouts[{static_cast<std::uint64_t>(row.integer(kDomain)),
                                        static_cast<std::uint64_t>(row.integer(kSchema))}];
              const Place place{static_cast<std::uint64_t>(row.integer(kOffset)), size};
              const std::string_view name = row.text(kName);
              if (name == "Message size [bytes]") layout.bytes = place;
              if (name == "NCCL communicator ID") layout.communicator = place;
              if (name == "No. of ranks") layout.ranks = place;
              if (name == "Rank") layout.rank = place;
            });
  return layouts;
}

std::optional<std::uint64_t> numberAt(std::string_view bytes, const std::optional<Place>& place) {
  if (!place || place->offset > bytes.size() || bytes.size() - place->offset < place->size) return std::nullopt;
  std::uint64_t value = 0;  // little-endian, as every machine that records is
  std::memcpy(&value, bytes.data() + place->offset, place->size);
  return value;
}

std::string_view bytesOf(const TableRow::Cell& cell) {
  if (cell.type < 12) return {};
  return {reinterpret_cast<const char*>(cell.bytes), static_cast<std::size_t>((cell.type - 12) / 2)};
}

/// visit(rowid, layout, payload) for every range that tells its communicator.
template <class Visit>
void forEachPayload(const Database& database, Visit visit) {
  const Layouts layouts = readLayouts(database);
  if (layouts.empty()) return;
  scanTable(database, "NVTX_EVENTS", {"binaryData"}, [&](const TableRow& row) {
    const std::string_view all = bytesOf(row.cell(0));
    const auto word = [&](std::uint64_t index) { return numberAt(all, Place{8 * index, 8}); };
    const auto domain = word(0), schema = word(1), size = word(2), begin = word(3);
    if (!begin || *begin > all.size()) return;
    const auto layout = layouts.find({*domain, *schema});
    if (layout == layouts.end() || !layout->second.communicator) return;
    visit(static_cast<std::uint64_t>(row.rowid()), layout->second, all.substr(*begin, *size));
  });
}

}  // namespace

std::unordered_map<std::uint64_t, NcclCall> ncclCalls(const Database& database) {
  std::unordered_map<std::uint64_t, NcclCall> calls;
  std::unordered_map<std::uint64_t, std::uint64_t> ranksOf;  // by communicator
  forEachPayload(database, [&](std::uint64_t row, const Layout& layout, std::string_view payload) {
    NcclCall call;
    call.bytes = numberAt(payload, layout.bytes);
    call.communicator = numberAt(payload, layout.communicator).value_or(0);
    if (const auto ranks = numberAt(payload, layout.ranks)) ranksOf[call.communicator] = *ranks;
    calls.emplace(row, call);
  });
  for (auto& [row, call] : calls)
    if (const auto ranks = ranksOf.find(call.communicator); ranks != ranksOf.end()) call.ranks = ranks->second;
  enum Column { kRow, kBytes, kCommunicator, kRanks };
  scanTable(database, "LANESCOPE_COLLECTIVES", {"nvtxRow", "bytes", "communicator", "ranks"}, [&](const TableRow& row) {
    const auto number = [&](int column) { return static_cast<std::uint64_t>(row.integer(column)); };
    NcclCall call{.bytes = number(kBytes), .communicator = number(kCommunicator), .ranks = {}};
    if (!row.isNull(kRanks)) call.ranks = number(kRanks);
    calls.emplace(number(kRow), call);
  });
  return calls;
}

std::optional<int> ncclRank(const Database& database) {
  constexpr std::uint64_t kMostRanks = 1u << 30;
  std::uint64_t most = 0;
  std::set<std::uint64_t> ranks;  // in communicators of so many
  forEachPayload(database, [&](std::uint64_t, const Layout& layout, std::string_view payload) {
    const auto size = numberAt(payload, layout.ranks), rank = numberAt(payload, layout.rank);
    if (!size || !rank || *rank >= *size || *size > kMostRanks || *size < most) return;
    if (*size > most) ranks.clear();
    most = *size;
    if (ranks.size() < 2) ranks.insert(*rank);
  });
  return ranks.size() == 1 ? std::optional(static_cast<int>(*ranks.begin())) : std::nullopt;
}

}  // namespace lanescope::report
