// SPDX-License-Identifier: Apache-2.0
// What a person calls an event: kindName(), but for ranges and marks that another tool wrote, which are no NVTX: operators,
// Python's functions, annotations, slices. O(1). Any thread.
#pragma once

#include <string_view>

#include "model/trace/trace.h"

namespace lanescope::trace {

std::string_view kindWord(const Trace& trace, const LaneInfo& info);

}  // namespace lanescope::trace
