// SPDX-License-Identifier: Apache-2.0
#include "model/report/table_scan.h"

#include <array>
#include <bit>
#include <limits>

#include "model/report/table_pages.h"

namespace lanescope::report {
namespace {

/// A value of SQLite's as a record would hold it; numbers are written into `room`.
TableRow::Cell cellOf(sqlite3_stmt* statement, int column, std::array<unsigned char, 8>& room) {
  const auto number = [&](std::uint64_t bits) {
    for (int i = 0; i < 8; ++i) room[static_cast<std::size_t>(i)] = static_cast<unsigned char>(bits >> (56 - 8 * i));
    return room.data();
  };
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return {6, number(static_cast<std::uint64_t>(sqlite3_column_int64(statement, column)))};
    case SQLITE_FLOAT:
      return {7, number(std::bit_cast<std::uint64_t>(sqlite3_column_double(statement, column)))};
    case SQLITE_TEXT: {
      const unsigned char* text = sqlite3_column_text(statement, column);
      return {13 + 2 * static_cast<std::uint64_t>(sqlite3_column_bytes(statement, column)), text};
    }
    case SQLITE_BLOB: {
      const auto* blob = static_cast<const unsigned char*>(sqlite3_column_blob(statement, column));
      return {12 + 2 * static_cast<std::uint64_t>(sqlite3_column_bytes(statement, column)), blob};
    }
    default:
      return {};
  }
}

}  // namespace

double TableRow::real(int column) const {
  const Cell& value = cell(column);
  if (value.type != 7) return static_cast<double>(integer(column));
  return std::bit_cast<double>(static_cast<std::uint64_t>(bigEndian<8>(value.bytes)));
}

std::int64_t TableRow::truncated(double value) {
  constexpr double kLimit = 9223372036854775808.0;
  if (!(value > -kLimit)) return value == value ? std::numeric_limits<std::int64_t>::min() : 0;
  return value < kLimit ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::max();
}

std::string selectColumns(const Database& database, std::string_view table, const Columns& columns) {
  if (!database.has(table)) return {};
  std::string sql = "SELECT rowid";
  for (const std::string_view column : columns)
    sql += database.has(table, column) ? ", " + quotedName(column) : ", NULL";
  return sql + " FROM " + quotedName(table);
}

ScanEnd scanTable(const Database& database, std::string_view table, const Columns& columns, RowVisitor visit) {
  if (!database.has(table)) return ScanEnd::kWhole;
  return canReadPages(database, table) ? scanPages(database, table, columns, visit)
                                       : scanThroughSqlite(database, table, columns, visit);
}

ScanEnd scanThroughSqlite(const Database& database, std::string_view table, const Columns& columns, RowVisitor visit) {
  if (!database.has(table)) return ScanEnd::kWhole;
  auto statement = database.prepare(selectColumns(database, table, columns));
  if (!statement) return ScanEnd::kDamaged;
  RowFiller filler(columns.size());
  std::vector<std::array<unsigned char, 8>> rooms(columns.size());
  while (statement->step()) {
    filler.setRowid(statement->integer(0));
    for (std::size_t i = 0; i < columns.size(); ++i)
      filler.cell(i) = cellOf(statement->raw(), static_cast<int>(i) + 1, rooms[i]);
    if (!visit(filler.row())) return ScanEnd::kStopped;
  }
  return statement->failed() ? ScanEnd::kDamaged : ScanEnd::kWhole;
}

}  // namespace lanescope::report
