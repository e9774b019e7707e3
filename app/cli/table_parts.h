// SPDX-License-Identifier: Apache-2.0
// The tables of one file on their way from the process that made them to the one that shows them together. Instances of
// rows stay in the file that they came in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/file_workers.h"
#include "model/analysis/merged_table.h"

namespace lanescope::cli {

/// What was made of a file for one order.
struct TableOrNot {
  std::string words;  ///< without a table: why there is none
  std::optional<analysis::Table> table;
};

struct FileTables {
  std::string rank;  ///< report_files.h
  std::vector<TableOrNot> made;
  std::vector<std::string> more;  ///< whatever else the two agree on
};

/// False, with errno, if not all could be written. Sorts instances.
bool writeTables(FileTables tables, int file);

/// Those that a file was left with.
class ReceivedTables {
 public:
  explicit ReceivedTables(int file);

  const std::string& rank() const { return tables_.rank; }
  const std::vector<std::string>& more() const { return tables_.more; }
  const std::string& words(std::size_t i) const { return tables_.made[i].words; }
  bool hasTable(std::size_t i) const { return tables_.made[i].table.has_value(); }

  /// The table, which is gone from here then; as long as this object lives.
  analysis::TablePart take(std::size_t i, std::string from);

 private:
  MappedFile file_;
  FileTables tables_;
  std::vector<std::vector<std::span<const std::int64_t>>> instances_;  // by order, by row
};

}  // namespace lanescope::cli
