// SPDX-License-Identifier: Apache-2.0
// The stream file of a process: whole chunks, appended. A chunk that does not fit leaves the file as it was. No signal
// reaches the program from here, and no file of the program is ever written, even if it took our descriptor's number.
// Any thread; one chunk at a time.
#pragma once

#include <atomic>
#include <cstdint>

#include "collector/inject/descriptor.h"
#include "collector/inject/futex.h"
#include "collector/wire/records.h"

namespace lanescope::inject {

class StreamFile {
 public:
  static constexpr std::size_t kLongestPath = 1024;

  bool create(const char* path);
  /// In a forked child: lets go of the parent's file.
  void abandon();

  /// False if it could not be written whole.
  bool append(wire::ChunkHeader header, const void* records, std::uint32_t bytes);
  bool append(wire::ChunkType type, const void* records, std::uint32_t bytes) {
    wire::ChunkHeader header;
    header.type = type;
    return append(header, records, bytes);
  }
  bool failing() const { return failing_.load(std::memory_order_relaxed); }  ///< the last write did
  int lastError() const { return lastError_; }  ///< errno of the last write that failed, 0 none

 private:
  bool ensureOurs();
  /// Whether the disk takes this chunk of events and the report as well. Asked once a MiB, and while it does not.
  bool leavesRoom(std::uint32_t bytes);

  Lock lock_;
  int descriptor_ = -1;
  int lastError_ = 0;
  std::atomic<bool> failing_{false};
  std::uint64_t size_ = 0;
  std::uint64_t nextLook_ = 0;  ///< size at which to ask for the disk's room again
  FileIdentity identity_;
  char path_[kLongestPath] = {};
};

}  // namespace lanescope::inject
