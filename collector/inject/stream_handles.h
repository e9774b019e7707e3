// SPDX-License-Identifier: Apache-2.0
// Which stream a handle of the program stands for, as CUPTI tells when streams are made: 4096 of them, the later stream
// of a reused handle counts. Written rarely, by one lock that is never held while CUPTI is called.
#pragma once

#include <cstdint>

#include "collector/inject/futex.h"

namespace lanescope::inject {

class StreamHandles {
 public:
  void set(std::uint64_t handle, std::uint32_t stream, std::uint32_t context) {
    const Hold hold(lock_);
    Entry& entry = entries_[slotOf(handle)];
    entry = {handle, stream, context};
  }
  bool find(std::uint64_t handle, std::uint32_t& stream, std::uint32_t& context) {
    const Hold hold(lock_);
    const Entry& entry = entries_[slotOf(handle)];
    if (handle == 0 || entry.handle != handle) return false;
    stream = entry.stream;
    context = entry.context;
    return true;
  }

 private:
  struct Entry {
    std::uint64_t handle;
    std::uint32_t stream, context;
  };
  static constexpr std::uint32_t kEntries = 4096;

  /// The handle's own slot, else an empty one near it, else its first: then the older stream is forgotten.
  std::uint32_t slotOf(std::uint64_t handle) const {
    const auto first = static_cast<std::uint32_t>((handle >> 4) * 0x9E3779B97F4A7C15ull >> 52);
    for (std::uint32_t i = 0; i < 16; ++i) {
      const std::uint32_t slot = (first + i) % kEntries;
      if (entries_[slot].handle == handle || entries_[slot].handle == 0) return slot;
    }
    return first;
  }

  Lock lock_;
  Entry entries_[kEntries] = {};
};

}  // namespace lanescope::inject
