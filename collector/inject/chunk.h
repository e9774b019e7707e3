// SPDX-License-Identifier: Apache-2.0
// A chunk of CUPTI records under construction: each text once, before the first record that names it, because a chunk
// must be readable alone. Full chunks go out by themselves. One thread at a time; 260 KiB of pages.
#pragma once

#include <cstdint>
#include <cstring>

#include "collector/inject/text.h"
#include "collector/wire/records.h"

namespace lanescope::inject {

class Chunk {
 public:
  static constexpr std::uint32_t kBytes = 256u << 10;
  using Emit = void (*)(void* context, const char* records, std::uint32_t bytes);

  /// Of zeroed pages; to be begun before use.
  void begin(Emit emit, void* context) {
    emit_ = emit;
    context_ = context;
    clear();
  }
  void finish() {
    if (used_ > 0) emit_(context_, bytes_, used_);
    clear();
  }

  /// Room for a record and a text before it, so that both come into the same chunk.
  void makeRoom(std::uint32_t bytes) {
    if (bytes > kBytes - used_) finish();
  }

  template <class Record>
  void append(Record record, wire::RecordType type, std::uint32_t aux) {
    static_assert(sizeof(Record) % 8 == 0);
    makeRoom(sizeof(Record));
    record.header = {type, sizeof(Record), aux};
    std::memcpy(bytes_ + used_, &record, sizeof record);
    used_ += sizeof(Record);
  }

  /// The text's id; null has none. The same pointer is looked at once a chunk: CUPTI shares names among records.
  std::uint64_t text(const char* bytes) {
    if (bytes == nullptr) return 0;
    Known& known = byAddress_[(reinterpret_cast<std::uintptr_t>(bytes) >> 4) % kKnown];
    if (known.address == bytes) return known.id;
    const Text text = textOf(bytes);
    std::uint64_t& defined = defined_[text.id % kKnown];
    if (defined != text.id) {
      define(text);
      defined = text.id;
    }
    known = {bytes, text.id};
    return text.id;
  }
  static constexpr std::uint32_t kMostOfText = sizeof(wire::String) + kLongestText + 8;

 private:
  struct Known {
    const char* address;
    std::uint64_t id;
  };
  static constexpr std::size_t kKnown = 256;

  void define(const Text& text) {
    const std::uint32_t padded = (text.length + 7) & ~7u;
    wire::String record;
    record.header = {wire::RecordType::kString, static_cast<std::uint16_t>(sizeof record + padded), text.length};
    record.id = text.id;
    std::memcpy(bytes_ + used_, &record, sizeof record);
    std::memset(bytes_ + used_ + sizeof record, 0, padded);
    std::memcpy(bytes_ + used_ + sizeof record, text.bytes, text.length);
    used_ += static_cast<std::uint32_t>(sizeof record) + padded;
  }
  void clear() {
    used_ = 0;
    std::memset(byAddress_, 0, sizeof byAddress_);
    std::memset(defined_, 0, sizeof defined_);
  }

  Emit emit_;
  void* context_;
  std::uint32_t used_;
  Known byAddress_[kKnown];
  std::uint64_t defined_[kKnown];
  alignas(8) char bytes_[kBytes];
};

}  // namespace lanescope::inject
