// SPDX-License-Identifier: Apache-2.0
// Where the events of a recording go in a report: the one decision that toTrace() and toReport() share, so that both say
// the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/import/global_ids.h"
#include "model/import/recording.h"

namespace lanescope::imported {

/// A table of the report, and the kinds of event in it.
struct Destination {
  const char* table;
  bool (*holds)(trace::EventKind);
};

/// In the order in which report::load() reads them.
std::span<const Destination> destinations();

/// A track as the report has it.
struct Placed {
  trace::EventKind kind;  ///< a range of no thread is of its process, from start to end
  std::uint32_t process = 0;
  std::int64_t globalPid = 0;
  std::int64_t globalTid = 0;  ///< that of the process where it is of no thread
  bool hasThread = false;
  std::int64_t device = 0, context = 0, stream = 0;  ///< of what a GPU did
  std::int64_t domain = 0;  ///< of ranges and marks
};

Placed placed(const Recording& recording, const GlobalIds& ids, const Track& track);

/// The id of a domain in its process; 0 is NVTX's default one.
std::int64_t domainId(const Recording& recording, std::uint32_t domain);

/// A kind whose events go by one name: that name and its label. Empty for the others.
std::pair<std::string, std::string_view> fixedName(trace::EventKind kind, std::uint8_t copyKind);

/// What an event without a name is called.
inline constexpr const char* kUnnamed = "(unnamed)";

/// An event of a table.
struct RowAt {
  std::uint64_t row;
  EventAt event;
};

/// The row of the report that an event stands in.
struct RowOf {
  const char* table;
  std::uint64_t row;
};
RowOf placeOf(const Recording& recording, EventAt event);

/// The events of these tracks by their source row.
std::vector<RowAt> byRow(const Recording& recording, std::span<const std::uint32_t> tracks);

}  // namespace lanescope::imported
