// SPDX-License-Identifier: Apache-2.0
// The Python of this process, for the frames of a thread that calls into CUDA. Such a thread does not change its own
// frames meanwhile, whoever holds the interpreter lock, so they are read as they lie; the first ones and all texts by the
// kernel, so that an interpreter that is not what it says stops that instead of the program. No lock, no allocation.
// About 100 ns a frame.
#pragma once

#include <atomic>
#include <cstdint>

#include "collector/inject/ring.h"

namespace lanescope::inject {

struct Session;

/// Which codes this session's stream has; of zeroed memory. A code whose place another has taken is told again.
struct ToldCodes {
  static constexpr std::uint32_t kPlaces = 8192;
  std::atomic<std::uint64_t> codes[kPlaces];
};

/// Asks the loader for it, whose list is locked for that, so only our writer does; until it is found, then once more in a
/// forked child. Tells in the stream where it is.
void lookForPython(Session& session);

/// The Python frames of this thread as a record behind that of the call; nothing where it runs none.
void appendPythonStack(Session& session, ThreadRing& ring, std::uint64_t time);

}  // namespace lanescope::inject
