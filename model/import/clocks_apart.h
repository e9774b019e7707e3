// SPDX-License-Identifier: Apache-2.0
// Whether times of GPU work and of the calls that started it are of one clock. No queue holds work for minutes in all cases,
// and nothing runs before it is called: where every launch that is looked at says so, the file mixes two clocks. Looks at
// the first ten thousand works that name their call; O(calls).
#pragma once

#include "model/import/recording.h"

namespace lanescope::imported {

/// Adds an issue "import-clocks-apart" to the recording where they are two.
void tellClocksApart(Recording& recording);

}  // namespace lanescope::imported
