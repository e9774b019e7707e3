// SPDX-License-Identifier: Apache-2.0
// Switching on what CUPTI tells of unified memory: page faults and the pages that move because of them. Costly, so only
// where it was asked for. CUPTI takes it only once the driver is up, later than we are: so after the call that made the
// first context, before the program can touch any managed memory.
#pragma once

#include "collector/inject/cupti_library.h"
#include "collector/inject/options.h"

namespace lanescope::inject {

/// Once a context was made, from its callback's end or from the flushing thread; again is nothing.
void startUnifiedMemory(const CuptiLibrary& library, const Options& options);

}  // namespace lanescope::inject
