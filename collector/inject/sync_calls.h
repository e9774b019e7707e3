// SPDX-License-Identifier: Apache-2.0
// Synchronisation and CUDA events, told from the calls that make them. CUPTI's activity kinds for the two cost a training
// step of 400 launches 1 to 2 ms (tests/bench/RESULTS.md), this a look into a table for each such call. A wait names the
// record of its event that it waits for, by a number that counts records.
#pragma once

#include <cstdint>

#include "collector/inject/cupti_library.h"
#include "collector/inject/ring.h"

namespace lanescope::inject {

struct SyncCall {
  enum Kind : std::uint8_t { kNone, kStreamSynchronize, kStreamWait, kEventSynchronize, kEventQuery, kEventRecord };
  Kind kind = kNone;
  bool perThread = false;  ///< the default stream is the thread's own
};

/// By the name of a call of the runtime or the driver, in any of its variants.
SyncCall syncCallOf(const char* name);

/// A query that was answered with "not ready". Nsight Systems leaves those out, too.
bool isUnansweredQuery(SyncCall of, std::uint32_t result);

/// After the call returned: its record to the ring, unless it failed.
void recordSync(SyncCall of, const CuptiLibrary& library, const CUpti_CallbackData& call, std::uint64_t start,
                std::uint64_t end, std::uint32_t result, ThreadRing& ring);

}  // namespace lanescope::inject
