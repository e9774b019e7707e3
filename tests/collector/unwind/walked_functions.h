// SPDX-License-Identifier: Apache-2.0
// Functions without frame pointers, to be found on a stack.
#pragma once

#include "tests/collector/unwind/own_stack.h"

namespace lanescope::unwind {

extern "C" {
int walkedOuter(OwnStack* into, int depth);
int walkedThroughQsort(OwnStack* into);
int walkedThroughSignal(OwnStack* into);
}

}  // namespace lanescope::unwind
