// SPDX-License-Identifier: Apache-2.0
// Which names of two traces are one, for events that are to be matched: a number for each name id of each side. Strictly,
// where the text is the same or match_names.h says so (calls of the CUDA API without their version); loosely, where texts
// differ in numbers only, or kernels in their templates. O(events + length of all names). Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::compare {

/// By name id; equal numbers are one name, on both sides and of both. Never 0.
struct NameNumbers {
  std::vector<std::uint64_t> strict, loose;
};

struct CommonNames {
  NameNumbers a, b;
};

CommonNames commonNames(const trace::Trace& a, const trace::Trace& b);

}  // namespace lanescope::compare
