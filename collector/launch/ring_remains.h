// SPDX-License-Identifier: Apache-2.0
// What a process left in its rings: records that its writer had not yet put into the stream when the process ended.
// Reads the file of the rings by plain reads, so that a file that shrinks meanwhile does no harm. At most 1 MiB at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "collector/launch/stream_reader.h"

namespace lanescope::launch {

struct RingRemains {
  std::uint32_t slot = 0, tid = 0;
  std::uint64_t tail = 0, head = 0;
};

class RingFile {
 public:
  explicit RingFile(InputFile file) : file_(std::move(file)) {}

  /// The rings that hold something, by slot; `dropped` gets the events that found no room, over all rings.
  std::vector<RingRemains> remains(std::uint64_t& dropped) const;

  /// The bytes [from, head) of a ring in the order they were written; empty if that cannot be.
  std::string bytes(const RingRemains& ring, std::uint64_t from) const;

 private:
  InputFile file_;
};

}  // namespace lanescope::launch
