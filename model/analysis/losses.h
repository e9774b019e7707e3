// SPDX-License-Identifier: Apache-2.0
// Which figures of a trace what was lost of it touches: the banner shows the worst, tables put a mark beside a number.
// Issues that leave every number whole (a name that is missing, events that overlap) are not losses. Pure.
// O(issues), a handful.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::analysis {

struct Loss {
  std::size_t issue = 0;  ///< index into Trace::issues
  /// Whose counts and times are affected; none: any figure may be.
  std::optional<trace::EventKind> kind;
  bool ofFigures = true;  ///< false: of curves and the like, which no figure of events is made of

  bool touches(trace::EventKind figure) const { return ofFigures && (!kind || *kind == figure); }
};

/// Most important first: what may have taken anything before what took events of one kind. An issue that touches
/// several kinds is there once for each.
std::vector<Loss> affected(const trace::Trace& trace);

/// Why figures of events of these kinds are not whole, each reason once; empty if they are.
std::vector<std::string> reasons(const trace::Trace& trace, std::span<const trace::EventKind> kinds);

/// Those for one kind, a line a reason.
std::string affectedText(const trace::Trace& trace, trace::EventKind kind);

/// True for what is no loss: the report is a part of a recording, and this is what was left out.
bool isOnPurpose(const trace::Issue& issue);

/// True for a kind of issue that the table of this module knows. A new one needs a line there.
bool isKnownIssue(std::string_view kind);

}  // namespace lanescope::analysis
