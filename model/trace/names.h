// SPDX-License-Identifier: Apache-2.0
// Every name in a trace, once. A name is a text, a short label to draw, and the colour its author asked for, so that
// an event carries all three in one 32-bit id.
//
// Append-only and chunked: a reader may look up any id it was given while the loader adds others, because entries
// never move. intern() is for one thread at a time; expected O(1).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/utf8.h"

namespace lanescope::trace {

using NameId = std::uint32_t;

struct Name {
  std::string_view text;   ///< whole, valid UTF-8
  std::string_view label;  ///< what is drawn: a kernel without its template arguments, an API call without its version
  std::uint32_t argb = 0;  ///< the colour its author chose (NVTX), 0 for none
  NameId same = 0;  ///< the first id with this text: statistics by name group by it
};

class NameTable {
 public:
  NameTable();  ///< holds the empty name as id 0
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;

  /// The id of this name. Texts are repaired as by repairUtf8(), and cut at a megabyte. No `label`: the text itself.
  NameId intern(std::string_view text, std::string_view label = {}, std::uint32_t argb = 0);

  const Name& operator[](NameId id) const;
  std::uint32_t size() const { return count_.load(std::memory_order_acquire); }

  /// Bytes of the texts themselves, which the budget per event leaves out.
  std::size_t textBytes() const { return textBytes_; }

 private:
  struct Key {
    std::string_view text;
    std::uint32_t argb;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  NameId append(std::string_view text, std::string_view label, std::uint32_t argb);
  std::string_view keep(std::string_view text);

  static constexpr unsigned kFirstChunkBits = 10;
  std::array<std::unique_ptr<Name[]>, 32 - kFirstChunkBits> chunks_;  // chunk k holds 2^(10+k) names
  std::vector<std::unique_ptr<char[]>> arena_;
  std::size_t arenaLeft_ = 0;
  char* arenaNext_ = nullptr;
  std::unordered_map<Key, NameId, KeyHash> ids_;
  std::atomic<std::uint32_t> count_ = 0;  // written after the entry it counts
  std::size_t textBytes_ = 0;
};

}  // namespace lanescope::trace
