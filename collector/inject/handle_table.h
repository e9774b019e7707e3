// SPDX-License-Identifier: Apache-2.0
// What is known of handles of the program, streams or events: a fixed table, where the later of two that share a place
// stays and the earlier is forgotten. One lock, never held while CUPTI is called. Some 20 ns a look.
#pragma once

#include <cstdint>

#include "collector/inject/futex.h"

namespace lanescope::inject {

template <class Value, unsigned kBits>
class HandleTable {
 public:
  /// Calls `change` with what stands for the handle, all zero if it is new; a copy of it afterwards.
  template <class Change>
  Value update(std::uint64_t handle, Change&& change) {
    const Hold hold(lock_);
    Entry& entry = entries_[slotOf(handle)];
    if (entry.handle != handle) entry = {handle, Value{}};
    change(entry.value);
    return entry.value;
  }

  /// False if it is not known; 0 never is.
  bool find(std::uint64_t handle, Value& value) {
    const Hold hold(lock_);
    const Entry& entry = entries_[slotOf(handle)];
    if (handle == 0 || entry.handle != handle) return false;
    value = entry.value;
    return true;
  }

 private:
  struct Entry {
    std::uint64_t handle;
    Value value;
  };
  static constexpr std::uint32_t kEntries = 1u << kBits;

  /// The handle's own slot, else an empty one near it, else its first.
  std::uint32_t slotOf(std::uint64_t handle) const {
    const auto first = static_cast<std::uint32_t>((handle >> 4) * 0x9E3779B97F4A7C15ull >> (64 - kBits));
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
