// SPDX-License-Identifier: Apache-2.0
// CUPTI's records about memory as records of the stream: allocations and releases, and what unified memory did.
#pragma once

#include "collector/inject/cupti_decode.h"

namespace lanescope::inject {

void decodeMemory(const CUpti_ActivityMemory4& from, DecodeContext& context, Chunk& chunk);
/// The function that a CPU's page fault came from is looked up where it is still mapped.
void decodeUnifiedMemory(const CUpti_ActivityUnifiedMemoryCounter3& from, DecodeContext& context, Chunk& chunk);

}  // namespace lanescope::inject
