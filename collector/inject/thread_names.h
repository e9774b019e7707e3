// SPDX-License-Identifier: Apache-2.0
// What the system calls the program's threads (pthread_setname_np), for those that have a ring. Each tells its name when it
// gets its ring, so that one that lives a moment has one; what comes later is read by the writer now and then.
#pragma once

#include "collector/inject/ring.h"

namespace lanescope::inject {

struct Session;

/// By the thread itself.
void tellThreadName(ThreadRing& ring);

/// Names that have changed to the stream: about 10 us a living thread. Whoever empties rings, one caller at a time.
void writeThreadNames(Session& session);

}  // namespace lanescope::inject
