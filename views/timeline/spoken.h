// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader says of the timeline: of the current event, else of the current row. Pure; text is bounded.
#pragma once

#include <QString>

#include "views/timeline/view_state.h"

namespace lanescope::views {

/// "attention, kernel, starts at 590.134 633 ms, lasts 92.194 µs, launched by cudaLaunchKernel, row Stream 14";
/// "row Kernels, collapsed"; what is selected follows. Empty where nothing is chosen.
QString spokenState(const ViewState& state);

}  // namespace lanescope::views
