// SPDX-License-Identifier: Apache-2.0
// How a Chrome trace that Lanescope wrote says what the format has no word for: the argument of a sample whose callers
// are not known, and the member of a stack frame that is Python's.
#pragma once

#include <string_view>

namespace lanescope::trace {

inline constexpr std::string_view kStackArgument = "stack", kStackNotTaken = "not taken", kPythonMember = "python";

}  // namespace lanescope::trace
