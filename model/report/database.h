// SPDX-License-Identifier: Apache-2.0
// SQLite, wrapped thinly: the only header that model/report's files need for it, and model/report is the only folder
// that uses it. A report is opened so that its file is never written to, nothing is left beside it, and another
// process's lock does not matter ("immutable": SQLite takes no lock and makes no journal). One thread at a time.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "model/trace/trace.h"

namespace lanescope::report {

/// A prepared SELECT. Columns are read by position; wrong types convert as SQLite does.
class Statement {
 public:
  Statement() = default;

  /// True for a row; false at the end or on an error, which failed() then tells.
  bool step() { return (status_ = sqlite3_step(raw())) == SQLITE_ROW; }
  bool failed() const { return status_ != SQLITE_ROW && status_ != SQLITE_DONE; }
  void reset() { sqlite3_reset(raw()); }
  void bind(int index, std::int64_t value) { sqlite3_bind_int64(raw(), index, value); }
  void bind(int index, const std::string& value) {
    sqlite3_bind_text(raw(), index, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  }

  std::int64_t integer(int column) const { return sqlite3_column_int64(raw(), column); }
  double real(int column) const { return sqlite3_column_double(raw(), column); }
  /// Valid until the next step. May hold bytes that are not UTF-8.
  std::string_view text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(raw(), column));
    return bytes ? std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(raw(), column)))
                 : std::string_view();
  }
  bool isNull(int column) const { return sqlite3_column_type(raw(), column) == SQLITE_NULL; }
  bool isInteger(int column) const { return sqlite3_column_type(raw(), column) == SQLITE_INTEGER; }
  int columns() const { return sqlite3_column_count(raw()); }
  std::string columnName(int column) const { return sqlite3_column_name(raw(), column); }
  sqlite3_stmt* raw() const { return statement_.get(); }

 private:
  friend class Database;
  friend class Writer;
  struct Finalize {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int status_ = SQLITE_DONE;
};

class Database {
 public:
  /// Opens an existing report read-only. What is no report is refused by what it is: a folder, empty, a vendor's file,
  /// another program's database. Costs the header and the schema, whatever the size of the file.
  static Result<Database> open(const std::filesystem::path& path);

  /// The same for a database of another program, whatever its tables.
  static Result<Database> openForeign(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

  /// The .rep format version; 0 for an export of Nsight Systems.
  std::uint32_t formatVersion() const { return formatVersion_; }

  /// What was odd about the file but did not keep it from opening: a journal beside it, a newer schema, odd tables.
  const std::vector<trace::Issue>& warnings() const { return warnings_; }

  bool has(std::string_view table) const;
  bool has(std::string_view table, std::string_view column) const;
  /// Sorted; without views, virtual tables, tables that have no rowid, and SQLite's own.
  const std::vector<std::string>& tables() const { return tables_; }
  /// In the table's order; empty if there is no such table. Read once per table.
  const std::vector<std::string>& columns(std::string_view table) const;

  /// kDamaged with SQLite's own words if it does not compile.
  Result<Statement> prepare(const std::string& sql) const;

  /// The first column of the first row, or `otherwise` without a row or on an error.
  std::int64_t integer(const std::string& sql, std::int64_t otherwise = 0) const;
  std::string text(const std::string& sql) const;

  /// What SQLite said last, as an error about this file.
  Error damaged() const;

  sqlite3* raw() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* h) const { sqlite3_close_v2(h); }
  };
  static Result<Database> openSqlite(const std::filesystem::path& path);
  std::optional<Error> readTables();
  std::optional<Error> refused() const;
  void noteJournals();
  void noteNewerSchema();

  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> handle_;
  std::uint32_t formatVersion_ = 0;
  std::vector<std::string> tables_;
  mutable std::map<std::string, std::vector<std::string>, std::less<>> columns_;
  std::vector<trace::Issue> warnings_;
};

/// An identifier in double quotes, with those inside doubled. (Not "quoted": std::quoted would win by its argument.)
std::string quotedName(std::string_view identifier);

}  // namespace lanescope::report
