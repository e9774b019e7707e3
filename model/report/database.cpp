// SPDX-License-Identifier: Apache-2.0
#include "model/report/database.h"

#include <algorithm>
#include <charconv>

#include "model/report/file_kind.h"
#include "model/report/format_version.h"
#include "model/report/schema.h"

namespace lanescope::report {
namespace {

namespace fs = std::filesystem;

/// The path as a URI that SQLite decodes to the same bytes. The empty authority keeps a leading "//" a path.
std::string immutableUri(const fs::path& path) {
  constexpr std::string_view kSafe = "/-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr char kHex[] = "0123456789ABCDEF";
  std::error_code ignored;
  std::string uri = "file://";
  const fs::path whole = fs::absolute(path, ignored);
  for (const char c : whole.native()) {
    if (kSafe.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return uri + "?mode=ro&immutable=1";
}

/// The file may be hostile: bound what its schema and its records can make SQLite do.
void restrain(sqlite3* handle) {
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 256 << 20);
  sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
  sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 100);
  sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_exec(handle, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
}

/// ": without T.C, …" of columns that all schemas known so far have; empty if none is missing.
std::string missingColumns(const Database& database) {
  constexpr int kNamed = 8;
  std::string list;
  int missing = 0;
  for (const Table& table : catalogue()) {
    if (!database.has(table.name)) continue;
    for (const Column& column : table.columns) {
      if (column.nullable || database.has(table.name, column.name)) continue;
      if (++missing <= kNamed) list += (missing == 1 ? ": without " : ", ") + table.name + "." + column.name;
    }
  }
  return missing > kNamed ? list + " and " + std::to_string(missing - kNamed) + " more" : list;
}

}  // namespace

Result<Database> Database::open(const fs::path& path) {
  Result<Database> database = openSqlite(path);
  if (!database) return database;
  if (const auto error = database->refused()) return tl::unexpected(*error);
  database->noteNewerSchema();
  return database;
}

Result<Database> Database::openForeign(const fs::path& path) { return openSqlite(path); }

Result<Database> Database::openSqlite(const fs::path& path) {
  Result<Header> header = readHeader(path);
  if (!header) return tl::unexpected(header.error());
  const bool ours = header->applicationId == kApplicationId;
  if (ours && header->userVersion > kFormatVersion) {
    return tl::unexpected(Error{ErrorCode::kTooNew, path.string(),
                                "has format version " + std::to_string(header->userVersion) +
                                    ", and this Lanescope reads versions up to " + std::to_string(kFormatVersion)});
  }

  Database database;
  database.path_ = path;
  database.formatVersion_ = ours ? header->userVersion : 0;
  sqlite3* handle = nullptr;
  const int status = sqlite3_open_v2(immutableUri(path).c_str(), &handle,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  database.handle_.reset(handle);
  if (status != SQLITE_OK) return tl::unexpected(database.damaged());
  restrain(handle);

  if (auto error = database.readTables()) return tl::unexpected(*error);
  database.noteJournals();
  return database;
}

std::optional<Error> Database::readTables() {
  auto names = prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name");
  if (!names) return names.error();
  while (names->step()) {
    std::string name(names->text(0));
    if (name.starts_with("sqlite_")) continue;
    if (prepare("SELECT rowid FROM " + quotedName(name))) {
      tables_.push_back(std::move(name));
    } else {
      warnings_.push_back({"unreadable-table", 1, "Table " + name + " has no row ids and was left out"});
    }
  }
  if (names->failed()) return damaged();
  return std::nullopt;
}

std::optional<Error> Database::refused() const {
  if (has("StringTable", "_id_")) return Error{ErrorCode::kNvprofReport, path_.string(), ""};
  const bool known = std::any_of(tables_.begin(), tables_.end(),
                                 [](const std::string& table) { return table != "StringIds" && inCatalogue(table); });
  if (!known || !has("StringIds", "id") || !has("StringIds", "value")) {
    return Error{ErrorCode::kNotAReport, path_.string(), "is an SQLite database, but not a report"};
  }
  return std::nullopt;
}

void Database::noteJournals() {
  for (const char* suffix : {"-wal", "-journal"}) {
    fs::path beside = path_;
    beside += suffix;
    std::error_code error;
    const auto size = fs::file_size(beside, error);
    if (error || size == 0) continue;
    warnings_.push_back({"journal", 1,
                         "The program that writes this file has not finished: what stands in " +
                             beside.filename().string() + " is not shown"});
  }
}

void Database::noteNewerSchema() {
  const std::string version = exportSchemaVersion(*this);
  int major = 0;
  std::from_chars(version.data(), version.data() + version.size(), major);
  if (major > kExportSchemaMajor) {
    warnings_.push_back({"newer-schema", 1,
                         "Export schema " + version + ", known up to " + std::to_string(kExportSchemaMajor) +
                             ".x: what has moved or changed its meaning may be missing" + missingColumns(*this)});
  }
}

bool Database::has(std::string_view table) const { return std::binary_search(tables_.begin(), tables_.end(), table); }

bool Database::has(std::string_view table, std::string_view column) const {
  const auto& all = columns(table);
  return std::find(all.begin(), all.end(), column) != all.end();
}

const std::vector<std::string>& Database::columns(std::string_view table) const {
  const auto known = columns_.find(table);
  if (known != columns_.end()) return known->second;
  std::vector<std::string>& names = columns_[std::string(table)];
  if (!has(table)) return names;
  if (auto info = prepare("PRAGMA table_xinfo(" + quotedName(table) + ")")) {
    while (info->step()) names.emplace_back(info->text(1));
    if (info->failed()) {  // stopped by a StepLimit, say: the next one who asks may be luckier
      static const std::vector<std::string> kNoColumns;
      columns_.erase(columns_.find(table));
      return kNoColumns;
    }
  }
  return names;
}

Result<Statement> Database::prepare(const std::string& sql) const {
  sqlite3_stmt* compiled = nullptr;
  const int status = sqlite3_prepare_v2(raw(), sql.c_str(), static_cast<int>(sql.size()), &compiled, nullptr);
  Statement statement;
  statement.statement_.reset(compiled);
  if (status != SQLITE_OK) return tl::unexpected(damaged());
  return statement;
}

std::int64_t Database::integer(const std::string& sql, std::int64_t otherwise) const {
  auto statement = prepare(sql);
  return statement && statement->step() ? statement->integer(0) : otherwise;
}

std::string Database::text(const std::string& sql) const {
  auto statement = prepare(sql);
  return statement && statement->step() ? std::string(statement->text(0)) : std::string();
}

Error Database::damaged() const { return {ErrorCode::kDamaged, path_.string(), sqlite3_errmsg(raw())}; }

std::string quotedName(std::string_view identifier) {
  std::string text = "\"";
  for (const char c : identifier) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

}  // namespace lanescope::report
