// SPDX-License-Identifier: Apache-2.0
// CUPTI in this process: subscribed to before the first context exists, its activity records decoded to the stream file
// as buffers come back, its API callbacks to the rings. No lock of ours is held while CUPTI is called. Where it cannot be
// had, one message says why and what would help, and the rest of the recording goes on.
#pragma once

#include <cstdint>

namespace lanescope::inject {

struct Session;

/// Once per process image; from InitializeInjection only.
void startCupti(Session& session);
bool cuptiActive();

enum class Flush {
  kCompleted,  ///< what has ended, as often as one likes
  kForced,  ///< all there is, at the end of the process only
};
/// Nothing if CUPTI is not in use. May block.
void flushCupti(Flush flush);
/// No more calls of CUPTI.
void stopCupti();

}  // namespace lanescope::inject
