// SPDX-License-Identifier: Apache-2.0
// What the importers of databases share: reading a table row by row, with progress, and telling what was wrong with it
// or was left out.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "model/import/recording.h"
#include "model/job.h"
#include "model/report/database.h"
#include "model/report/table_scan.h"

namespace lanescope::imported {

class TableReading {
 public:
  TableReading(const report::Database& database, Recording& recording, const Job& job);

  /// Calls row(TableRow) for each row; stops when the job is cancelled. A table that is not there has no rows.
  template <class Row>
  void forEach(std::string_view table, const report::Columns& columns, Row row) {
    read_.emplace(table);
    if (job_.cancelled() || !database_.has(table)) return;
    const report::ScanEnd end = report::scanTable(database_, table, columns, [&](const report::TableRow& each) {
      if (++rows_ % kRowsPerReport == 0 && !tick(table)) return false;
      row(each);
      return true;
    });
    if (end == report::ScanEnd::kDamaged) damaged(table);
  }

  /// True if both hold whole numbers; else the row is counted as damaged.
  bool hasTimes(const report::TableRow& row, int start, int end) {
    if (row.isInteger(start) && row.isInteger(end)) return true;
    ++notNumbers_;
    return false;
  }

  /// No row of the table has a greater row id. O(log n).
  std::uint64_t lastRow(std::string_view table) const;

  /// A table of which nothing is missed.
  void needNot(std::string_view table) { read_.emplace(table); }

  /// Rows of a table that are told of as not shown.
  void leaveOut(std::string_view table, std::uint64_t rows);

  /// Issues of what was read, and of tables that begin so and that nobody read.
  void tell(std::string_view prefix, std::uint64_t missingNames);

 private:
  bool tick(std::string_view table) const;
  void damaged(std::string_view table);

  static constexpr std::uint64_t kRowsPerReport = 1 << 16;
  const report::Database& database_;
  Recording& recording_;
  const Job& job_;
  std::uint64_t rows_ = 0, expected_ = 0, notNumbers_ = 0;
  std::set<std::string, std::less<>> read_;
  std::map<std::string, std::uint64_t, std::less<>> leftOut_;
};

}  // namespace lanescope::imported
