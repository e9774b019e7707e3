// SPDX-License-Identifier: GPL-3.0-or-later
// A row with all that is above it, because a label alone may stand for many rows. Pure.
#pragma once

#include <string>

#include "model/trace/trace.h"

namespace lanescope::views {

/// "overlap [636] › CUDA HW · H100 › Kernels".
std::string rowPath(const trace::Trace& trace, std::uint32_t row);

}  // namespace lanescope::views
