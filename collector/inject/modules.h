// SPDX-License-Identifier: Apache-2.0
// What is loaded into this process, for those who unwind its stacks outside: a Module record for each part of a file, once.
// Asks the loader, whose list is locked for that, so only our writer does it, and the start of the program. Some
// microseconds where nothing has changed.
#pragma once

#include <cstdint>

namespace lanescope::inject {

struct Session;

/// Which parts were told of; of zeroed memory.
struct KnownModules {
  static constexpr std::uint32_t kMost = 8192;
  unsigned long long adds;  ///< of the loader, when it was last asked
  std::uint64_t hashes[kMost];

  /// False if it was known.
  bool insert(std::uint64_t hash);
};

/// New ones into the ring of this thread.
void noteModules(Session& session);

}  // namespace lanescope::inject
