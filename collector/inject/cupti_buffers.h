// SPDX-License-Identifier: Apache-2.0
// The buffers that CUPTI fills. Taking one happens inside the program's CUDA calls: an exchange on a slot, no lock, no
// allocator; memory comes in pages when all are out, up to 256 MiB. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lanescope::inject {

class CuptiBuffers {
 public:
  static constexpr std::size_t kMostBytes = 256u << 20;

  /// Buffers of so many bytes, the first few of them made now.
  void begin(std::size_t bytes, int prepared);
  std::size_t bytes() const { return bytes_; }
  /// Null when the bound is reached or memory is short.
  std::uint8_t* take();
  void giveBack(std::uint8_t* buffer);

 private:
  static constexpr int kSlots = 256;

  std::uint8_t* make();

  std::size_t bytes_ = 0;
  int most_ = 0;
  std::atomic<int> made_{0};
  std::atomic<std::uint8_t*> free_[kSlots] = {};
};

}  // namespace lanescope::inject
