// SPDX-License-Identifier: Apache-2.0
// Tables of one report made of several files as one table. Rows merge where a row's figures are those of its instances
// (NAME_sum with total, count, mean, median, least, greatest and deviation): a row a key, its figures exactly those of
// all instances together. Rows of any other report stand below each other. O(instances), but constant memory. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/analysis/table.h"

namespace lanescope::analysis {

/// The table of one file.
struct TablePart {
  std::string from;  ///< "0", a rank, or a file
  Table table;
  std::vector<std::span<const std::int64_t>> instances = {};  ///< by row, ascending; none: rows do not merge
};

/// One row for each key. Nothing where rows do not merge.
std::optional<Table> mergedTable(std::span<const TablePart> parts);

/// All rows, part by part, behind a column that says which; what a part has no such column for is empty.
Table tableByPart(std::vector<TablePart> parts, const std::string& title);

}  // namespace lanescope::analysis
