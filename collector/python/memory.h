// SPDX-License-Identifier: Apache-2.0
// The memory that a Python lives in, this process's own or another's, as one function: whatever it gives is not trusted.
// Plain data, no allocation; the thread that owns it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lanescope::python {

using Address = std::uint64_t;

struct Memory {
  /// All of these bytes, or false.
  bool (*read)(void* self, Address from, void* to, std::size_t bytes) = nullptr;
  void* self = nullptr;

  bool get(Address from, void* to, std::size_t bytes) const { return read(self, from, to, bytes); }
  template <class T>
  bool get(Address from, T& to) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return read(self, from, &to, sizeof to);
  }
};

/// What could be an object of a program: aligned, and of the half of the addresses that programs have.
inline bool isObject(Address address) {
  constexpr Address kLowest = 0x1000, kHighest = 0x0000'7FFF'FFFF'F000;
  return address >= kLowest && address < kHighest && address % alignof(void*) == 0;
}

}  // namespace lanescope::python
