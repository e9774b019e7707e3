// SPDX-License-Identifier: Apache-2.0
// One pass over the wanted columns of a table, whatever the table really has: a column that is missing reads as NULL.
// Rows come in no particular order.
//
// Loading is bounded by how fast rows come out of the file, and SQLite's interface costs more than all else together.
// So the pages of the table's b-tree are read directly where that is simple (table_pages.h), through SQLite elsewhere;
// tests hold the two against each other on every file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/report/database.h"

namespace lanescope::report {

/// The row being visited; wanted columns by position. Valid during the visit. Values are in SQLite's record format.
class TableRow {
 public:
  /// A value as it stands in a record: its serial type and its bytes (SQLite file format, section 2.1).
  struct Cell {
    std::uint64_t type = 0;
    const unsigned char* bytes = nullptr;
  };

  std::int64_t rowid() const { return rowid_; }
  bool isNull(int column) const { return cell(column).type == 0; }
  bool isInteger(int column) const {
    const std::uint64_t type = cell(column).type;
    return (type >= 1 && type <= 6) || type == 8 || type == 9;
  }
  /// 0 for what is no number.
  std::int64_t integer(int column) const {
    const Cell& value = cell(column);
    switch (value.type) {
      case 1:
        return static_cast<std::int8_t>(value.bytes[0]);
      case 2:
        return bigEndian<2>(value.bytes);
      case 3:
        return bigEndian<3>(value.bytes);
      case 4:
        return bigEndian<4>(value.bytes);
      case 5:
        return bigEndian<6>(value.bytes);
      case 6:
        return bigEndian<8>(value.bytes);
      case 7:
        return truncated(real(column));
      case 9:
        return 1;
      default:
        return 0;
    }
  }
  double real(int column) const;
  /// Empty for what is no text. May hold bytes that are not UTF-8.
  std::string_view text(int column) const {
    const Cell& value = cell(column);
    if (!isText(column)) return {};
    return {reinterpret_cast<const char*>(value.bytes), static_cast<std::size_t>((value.type - 13) / 2)};
  }
  bool isReal(int column) const { return cell(column).type == 7; }
  bool isText(int column) const { return cell(column).type >= 13 && cell(column).type % 2 == 1; }
  /// Empty for what is no blob.
  std::string_view blob(int column) const {
    const Cell& value = cell(column);
    if (value.type < 12 || value.type % 2 == 1) return {};  // 10 and 11 stand in damaged files only
    return {reinterpret_cast<const char*>(value.bytes), static_cast<std::size_t>((value.type - 12) / 2)};
  }
  const Cell& cell(int column) const { return cells_[static_cast<std::size_t>(column)]; }

 private:
  friend class RowFiller;
  template <int kBytes>
  static std::int64_t bigEndian(const unsigned char* bytes) {
    std::uint64_t value = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int8_t>(bytes[0])));
    for (int i = 1; i < kBytes; ++i) value = value << 8 | bytes[i];
    return static_cast<std::int64_t>(value);
  }
  static std::int64_t truncated(double value);

  std::int64_t rowid_ = 0;
  std::vector<Cell> cells_;
};

/// How the reading of table_pages.h and that through SQLite fill a row.
class RowFiller {
 public:
  explicit RowFiller(std::size_t columns) { row_.cells_.resize(columns); }
  void setRowid(std::int64_t rowid) { row_.rowid_ = rowid; }
  TableRow::Cell& cell(std::size_t column) { return row_.cells_[column]; }
  const TableRow& row() const { return row_; }

 private:
  TableRow row_;
};

enum class ScanEnd { kWhole, kStopped, kDamaged };

/// Takes a row; false stops the scan.
struct RowVisitor {
  bool (*visit)(void* context, const TableRow& row);
  void* context;
  bool operator()(const TableRow& row) const { return visit(context, row); }
};

using Columns = std::vector<std::string_view>;

ScanEnd scanTable(const Database& database, std::string_view table, const Columns& columns, RowVisitor visit);
ScanEnd scanThroughSqlite(const Database& database, std::string_view table, const Columns& columns, RowVisitor visit);

/// The same for a callable that returns nothing, or false to stop.
template <class Visit>
  requires(!std::is_same_v<Visit, RowVisitor>)
ScanEnd scanTable(const Database& database, std::string_view table, const Columns& columns, Visit visit) {
  const auto call = [](void* context, const TableRow& row) {
    if constexpr (std::is_void_v<decltype(visit(row))>) {
      (*static_cast<Visit*>(context))(row);
      return true;
    } else {
      return (*static_cast<Visit*>(context))(row);
    }
  };
  return scanTable(database, table, columns, RowVisitor{call, &visit});
}

/// The SELECT that reads these columns with the rowid first; empty if the table does not exist.
std::string selectColumns(const Database& database, std::string_view table, const Columns& columns);

}  // namespace lanescope::report
