// SPDX-License-Identifier: Apache-2.0
// Reads the chunks of a stream file, trusting nothing in it: a chunk whose checksum is wrong is skipped and reading goes
// on at the next that is whole; what was skipped is counted. Sequential reads through one buffer that grows to the
// largest chunk (at most 64 MiB); O(size of the file) even if its bytes are made to mislead. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "collector/launch/input_file.h"
#include "collector/wire/records.h"

namespace lanescope::launch {

struct Chunk {
  wire::ChunkHeader header;
  std::string_view records;
};

class StreamReader {
 public:
  struct Damage {
    std::uint64_t places = 0;  ///< runs of bytes that hold no whole chunk
    std::uint64_t bytes = 0;
  };

  explicit StreamReader(InputFile file, std::uint64_t from = 0) : file_(std::move(file)), at_(from) {}

  /// The next whole chunk, valid until the next call; false at the end.
  bool next(Chunk& chunk);

  std::uint64_t position() const { return at_; }
  std::uint64_t size() const { return file_.size(); }
  const Damage& damage() const { return damage_; }

 private:
  static constexpr std::uint32_t kLargestChunk = 64u << 20;

  std::string_view window(std::uint64_t at, std::size_t count);
  bool wholeChunk(std::uint64_t at, Chunk& chunk, std::uint64_t& resumeAt);
  std::uint64_t findMagic(std::uint64_t from);
  void skip(std::uint64_t to);

  InputFile file_;
  std::vector<char> buffer_;
  std::uint64_t bufferAt_ = 0;
  std::size_t buffered_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t checkedInVain_ = 0;
  bool inDamage_ = false;
  Damage damage_;
};

/// A record where it stands in a chunk or ring; valid during the visit.
struct Record {
  wire::RecordType type{};
  std::uint32_t aux = 0;
  std::string_view bytes;  ///< with its header

  /// Its fields; those that a shorter record of another version lacks are 0.
  template <class T>
  T as() const {
    T fields{};
    std::memcpy(static_cast<void*>(&fields), bytes.data(), std::min(sizeof fields, bytes.size()));
    return fields;
  }
  /// What follows the fields: `aux` bytes, or as many as are there.
  template <class T>
  std::string_view behind() const {
    return bytes.size() > sizeof(T) ? bytes.substr(sizeof(T), aux) : std::string_view();
  }
};

/// Calls visit(Record) for each record; false if a record's size is impossible, which ends the walk.
template <class Visit>
bool forEachRecord(std::string_view records, Visit&& visit) {
  while (records.size() >= sizeof(wire::RecordHeader)) {
    wire::RecordHeader header;
    std::memcpy(&header, records.data(), sizeof header);
    const bool pad = header.type == wire::RecordType::kPad;
    const std::size_t size = pad ? header.aux : header.size;
    if (size < sizeof header || size > records.size()) return false;
    if (!pad) visit(Record{header.type, header.aux, records.substr(0, size)});
    records.remove_prefix(size);
  }
  return records.empty();
}

}  // namespace lanescope::launch
