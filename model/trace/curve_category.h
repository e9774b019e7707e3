// SPDX-License-Identifier: Apache-2.0
// How a Chrome trace that Lanescope wrote says what a curve is of: the category of its counter is this, the number of the
// unit (trace::Counter::Unit), and behind a comma the CUDA device if it is one's.
#pragma once

#include <string_view>

namespace lanescope::trace {

inline constexpr std::string_view kCurveCategory = "lanescope-curve:";

}  // namespace lanescope::trace
