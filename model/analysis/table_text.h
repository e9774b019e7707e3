// SPDX-License-Identifier: Apache-2.0
// A table of figures as text, in the formats of Nsight Systems (facts 2.1, 2.3): the unit stands in the column's title,
// numbers are rounded half away from zero. Every format carries the same digits. Ends with a newline. O(cells).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/analysis/table.h"

namespace lanescope::analysis {

/// What times are written in. A unit above ns adds the decimals that keep every nanosecond.
enum class TimeUnit : std::uint8_t { kNanoseconds, kMicroseconds, kMilliseconds, kSeconds };

/// "nsec", "usec", "msec", "sec", "nanoseconds", …, and any beginning of one that fits one unit only.
std::optional<TimeUnit> findTimeUnit(std::string_view name);

enum class TableFormat : std::uint8_t {
  kColumn,  ///< for a person: aligned, numbers in groups of three, names of more than 100 characters cut
  kTable,  ///< the same in boxes
  kCsv,  ///< RFC 4180
  kTsv,
  kJson,  ///< an array of objects, keyed by the titles
  kHdoc,  ///< a page of HTML
  kHtable,  ///< its <table> alone
};

/// A format with its options.
struct TableStyle {
  TableStyle(TableFormat of = TableFormat::kCsv)
      : format(of) {}  // NOLINT(google-explicit-constructor): options are few

  TableFormat format;
  bool header = true;
  bool limit = true;  ///< cuts what is longer than 100 characters
  bool grouped = true;  ///< 1,234,567
  bool escaped = false;  ///< tsv: \t, \n, \r and \\ for what has no other way to be written; else they become spaces
  std::vector<std::optional<std::size_t>> widths;  ///< of the first columns; nothing: by what they hold; 0: hidden
  std::string title, css;  ///< of a page: its heading, and the address of its style sheet
};

/// "csv", "column:nohdr:nolimit:nofmt:20:.:0", "tsv:esc", "hdoc:title=Kernels:css=style.css".
std::optional<TableStyle> findTableStyle(std::string_view text);

/// What is wrong with a text that findTableStyle() does not take: which part of it.
std::string whyNoStyle(std::string_view text);

/// "csv", which is also a file's extension.
std::string_view nameOf(TableFormat format);

struct FormatHelp {
  std::string_view name, about;
};
std::span<const FormatHelp> formatHelp();

std::string toText(const Table& table, const TableStyle& style, TimeUnit unit = TimeUnit::kNanoseconds);

}  // namespace lanescope::analysis
