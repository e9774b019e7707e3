// SPDX-License-Identifier: Apache-2.0
// Links between events that are named by where they stand in the file, as files write them.
#pragma once

#include <cstdint>
#include <span>

#include "model/trace/trace.h"

namespace lanescope::trace {

/// A row of a table of the report, by Trace::tables.
struct RowRef {
  std::uint16_t table = 0;
  std::uint64_t row = 0;
  auto operator<=>(const RowRef&) const = default;
};

struct RowLink {
  RowRef from, to;
};

/// The trace in which the events of these rows belong together (Trace::tied), besides those that do already, `from`
/// leading to `to`; rows of which there is no event link nothing. O(events · log links).
TracePtr withRowLinks(const TracePtr& trace, std::span<const RowLink> links);

}  // namespace lanescope::trace
