// SPDX-License-Identifier: Apache-2.0
// What a descriptor is, as /proc says it: a path, "socket:[12345]", "pipe:[678]". That costs 3 us, so it is kept of 256
// descriptors, and asked again where another file has come to the number: 0.4 us. A file that is renamed meanwhile keeps the
// name that it had. Nobody waits for anybody; any thread, also in signal handlers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope::preload {

class DescriptorText {
 public:
  /// Null if it is none, or is closed by now. Lives as long as this object.
  const char* of(std::int64_t descriptor);

 private:
  bool read(std::int64_t descriptor);

  static constexpr std::size_t kMost = 512;
  char bytes_[kMost];
};

}  // namespace lanescope::preload
