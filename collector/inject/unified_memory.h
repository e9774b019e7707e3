// SPDX-License-Identifier: Apache-2.0
// Switching on what CUPTI tells of unified memory: page faults and the pages that move because of them. Costly, so only
// where it was asked for. CUPTI may refuse before there is a context; then it is tried again when there is one.
#pragma once

#include "collector/inject/cupti_library.h"
#include "collector/inject/options.h"

namespace lanescope::inject {

/// Not from a callback. `last`: what is refused now stays refused, and the user is told.
void startUnifiedMemory(const CuptiLibrary& library, const Options& options, bool last);

}  // namespace lanescope::inject
