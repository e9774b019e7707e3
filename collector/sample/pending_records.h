// SPDX-License-Identifier: Apache-2.0
// Records of a sampler that wait to become a chunk, and which texts they have defined so far. One thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "collector/wire/records.h"

namespace lanescope::sample {

class PendingRecords {
 public:
  template <class T>
  void add(wire::RecordType type, T fields, std::uint32_t aux, std::string_view behind = {}) {
    fields.header = {type, static_cast<std::uint16_t>(sizeof fields + (behind.size() + 7) / 8 * 8), aux};
    bytes_.append(reinterpret_cast<const char*>(&fields), sizeof fields).append(behind);
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
  }
  /// The id of a text, which is added where it is new; at most 16 KiB of it.
  std::uint64_t text(std::string_view text);
  /// For the user; severity 0 information, 1 warning, 2 error.
  void message(std::uint32_t severity, std::string_view words);

  const std::string& bytes() const { return bytes_; }
  /// They are in a chunk.
  void clear() { bytes_.clear(); }
  /// A chunk was lost that may have had some.
  void forgetTexts() { known_.clear(); }

 private:
  std::string bytes_;
  std::set<std::uint64_t> known_;
};

}  // namespace lanescope::sample
