// SPDX-License-Identifier: Apache-2.0
// What a descriptor is, as /proc says it: a path, "socket:[12345]", "pipe:[678]". A system call each time, about 2 us,
// asked for calls that took long enough to be told of. Lives on the stack; any thread.
#pragma once

#include <unistd.h>

#include <cstdint>

namespace lanescope::preload {

class DescriptorText {
 public:
  /// Null if it is none, or is closed by now.
  const char* of(std::int64_t descriptor) {
    char path[40] = "/proc/self/fd/";
    constexpr std::size_t kBefore = 14;
    char digits[20];
    std::size_t count = 0;
    auto rest = static_cast<std::uint64_t>(descriptor);
    do digits[count++] = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);
    for (std::size_t i = 0; i < count; ++i) path[kBefore + i] = digits[count - 1 - i];
    path[kBefore + count] = 0;
    const ssize_t length = readlink(path, bytes_, sizeof bytes_ - 1);
    if (length <= 0) return nullptr;
    bytes_[length] = 0;
    return bytes_;
  }

 private:
  char bytes_[512];
};

}  // namespace lanescope::preload
