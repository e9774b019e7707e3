// SPDX-License-Identifier: Apache-2.0
// One row of a table by its rowid, read by column names: a column that is missing or NULL has no value. It remembers
// which columns were asked for, so that the rest can be shown too. O(log n) in the table; one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/report/database.h"

namespace lanescope::report {

class Record {
 public:
  Record(const Database& database, const std::string& table, std::uint64_t rowid);

  std::optional<std::int64_t> integer(std::string_view column) const;
  std::optional<double> real(std::string_view column) const;
  /// The text itself; valid while the record lives.
  std::optional<std::string_view> text(std::string_view column) const;
  /// The text in StringIds that the column refers to.
  std::optional<std::string> string(std::string_view column) const;

  struct Cell {
    std::string column, value;
  };
  /// Columns that hold something and were not asked for so far, in the table's order; bytes as their count.
  std::vector<Cell> unread() const;
  /// Counts a column as read.
  void skip(std::string_view column) const { find(column); }

 private:
  int find(std::string_view column) const;  ///< -1 if it is missing or NULL

  const Database& database_;
  Statement row_;
  mutable std::vector<bool> read_;
};

}  // namespace lanescope::report
