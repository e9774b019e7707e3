// SPDX-License-Identifier: Apache-2.0
// A file of chunks (collector/wire/records.h) in the session folder, to which a sampler adds. What write() took survives
// everybody's end. Nothing throws; a chunk that finds no room is left out whole and its bytes are counted. One thread.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "collector/wire/records.h"

namespace lanescope::sample {

/// ns of a clock.
std::uint64_t readClock(clockid_t clock);

class ChunkFile {
 public:
  ChunkFile() = default;
  /// False with errno if it cannot be made.
  bool create(const std::string& path);
  ChunkFile(const ChunkFile&) = delete;
  ChunkFile& operator=(const ChunkFile&) = delete;
  ~ChunkFile();

  /// Prepares a chunk for the next write(). `slot` as the type has it.
  void add(wire::ChunkType type, std::string_view records, std::uint32_t slot = 0);
  /// Everything that was added, at once; false if none of it could be written.
  bool write();
  bool write(wire::ChunkType type, std::string_view records) {
    add(type, records);
    return write();
  }

  std::uint64_t unwritten() const { return unwritten_; }  ///< bytes of records

 private:
  int file_ = -1;
  std::string pending_;
  std::uint64_t unwritten_ = 0, pendingRecords_ = 0;
};

}  // namespace lanescope::sample
