// SPDX-License-Identifier: Apache-2.0
// What importers call the domains of events that are no NVTX, by which they are told apart later.
#pragma once

#include <string_view>

namespace lanescope::trace {

inline constexpr std::string_view kOperators = "PyTorch", kPythonFunctions = "Python", kAnnotations = "Annotations",
                                  kSlices = "Slices", kAsync = "Async";

}  // namespace lanescope::trace
