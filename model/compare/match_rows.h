// SPDX-License-Identifier: Apache-2.0
// Rows of two traces that play one part: those of what roles.h matches, and below one row of each side those that are
// called the same. O(events + rows · log) beside roles.h. Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::compare {

struct Roles;

/// Either may be trace::kNone: the other side has no such row.
struct RowPair {
  std::uint32_t a = trace::kNone, b = trace::kNone;
  bool operator==(const RowPair&) const = default;
};

/// All rows of both, each once, in the order to show them: that of A, those that only B has behind the one that stands
/// before them in B; what is below a row directly behind it.
std::vector<RowPair> matchRows(const trace::Trace& a, const trace::Trace& b);
std::vector<RowPair> matchRows(const trace::Trace& a, const trace::Trace& b, const Roles& roles);

}  // namespace lanescope::compare
