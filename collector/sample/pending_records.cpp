// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/pending_records.h"

#include "collector/sample/chunk_file.h"
#include "collector/wire/checksum.h"

namespace lanescope::sample {

std::uint64_t PendingRecords::text(std::string_view text) {
  constexpr std::size_t kLongest = 16u << 10;
  text = text.substr(0, kLongest);
  if (text.empty()) return 0;
  const std::uint64_t id = wire::hash64(text.data(), text.size());
  if (known_.insert(id).second) {
    add(wire::RecordType::kString, wire::String{{}, id}, static_cast<std::uint32_t>(text.size()), text);
  }
  return id;
}

void PendingRecords::message(std::uint32_t severity, std::string_view words) {
  const std::uint64_t id = text(words);
  add(wire::RecordType::kMessage, wire::Message{{}, readClock(CLOCK_MONOTONIC), id}, severity);
}

}  // namespace lanescope::sample
