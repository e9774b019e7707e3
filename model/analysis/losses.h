// SPDX-License-Identifier: Apache-2.0
// Which figures of a trace what was lost of it touches: the banner shows the worst, tables put a mark beside a number.
// Issues that leave every number whole (a name that is missing, events that overlap) are not losses. Pure.
// O(issues), a handful.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::analysis {

struct Loss {
  std::size_t issue = 0;  ///< index into Trace::issues
  /// Whose counts and times are affected; none: any figure may be.
  std::optional<trace::EventKind> kind;
};

/// Most important first: what may have taken anything before what took events of one kind. An issue that touches
/// several kinds is there once for each.
std::vector<Loss> affected(const trace::Trace& trace);

/// Why figures of events of this kind are not whole, a line a reason; empty if they are.
std::string affectedText(const trace::Trace& trace, trace::EventKind kind);

}  // namespace lanescope::analysis
