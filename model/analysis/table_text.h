// SPDX-License-Identifier: Apache-2.0
// A table of figures as text, in the formats of Nsight Systems (facts 2.1, 2.3): the unit stands in the column's title,
// numbers are rounded half away from zero. Every format carries the same digits. Ends with a newline.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/analysis/table.h"

namespace lanescope::analysis {

/// What times are written in. A unit above ns adds the decimals that keep every nanosecond.
enum class TimeUnit : std::uint8_t { kNanoseconds, kMicroseconds, kMilliseconds, kSeconds };

/// "nsec", "usec", "msec", "sec", "nanoseconds", …, and any beginning of one that fits one unit only.
std::optional<TimeUnit> findTimeUnit(std::string_view name);

enum class TableFormat : std::uint8_t {
  kColumn,  ///< for a person: aligned, numbers in groups of three, names of more than 100 characters cut
  kCsv,  ///< RFC 4180
  kTsv,
  kJson,  ///< an array of objects, keyed by the titles
};

std::optional<TableFormat> findTableFormat(std::string_view name);

/// "csv", which is also a file's extension.
std::string_view nameOf(TableFormat format);

std::string toText(const Table& table, TableFormat format, TimeUnit unit = TimeUnit::kNanoseconds);

}  // namespace lanescope::analysis
