// SPDX-License-Identifier: Apache-2.0
#include "model/report/writer.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "model/report/format_version.h"

namespace lanescope::report {
namespace {

namespace fs = std::filesystem;

void bindValue(sqlite3_stmt* statement, int index, const Writer::Value& value) {
  // Static: the row outlives the step that reads it.
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    sqlite3_bind_int64(statement, index, *integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    sqlite3_bind_double(statement, index, *real);
  } else if (const auto* text = std::get_if<std::string_view>(&value)) {
    sqlite3_bind_text64(statement, index, text->data() ? text->data() : "", text->size(), SQLITE_STATIC, SQLITE_UTF8);
  } else if (const auto* blob = std::get_if<Writer::Blob>(&value)) {
    sqlite3_bind_blob64(statement, index, blob->bytes.data() ? blob->bytes.data() : "", blob->bytes.size(),
                        SQLITE_STATIC);
  } else {
    sqlite3_bind_null(statement, index);
  }
}

}  // namespace

Writer::Writer(Writer&&) noexcept = default;

Writer::~Writer() {
  inserts_.clear();
  handle_.reset();
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

Result<Writer> Writer::create(const fs::path& destination, IfExists ifExists, std::string_view version,
                              Dialect dialect) {
  Result<fs::path> temporary = createBeside(destination, ifExists);
  if (!temporary) return tl::unexpected(temporary.error());
  Writer writer;
  writer.destination_ = destination;
  writer.temporary_ = std::move(*temporary);
  writer.ifExists_ = ifExists;
  writer.dialect_ = dialect;
  writer.version_ = version;

  sqlite3* handle = nullptr;
  const int status =
      sqlite3_open_v2(writer.temporary_.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  writer.handle_.reset(handle);
  if (status != SQLITE_OK) {
    writer.fail();
  } else {
    // No journal: a file that is not finished is thrown away whole.
    if (dialect == Dialect::kRep)
      writer.run(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, kFormatVersion));
    writer.run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN");
  }
  if (writer.error_) return tl::unexpected(*writer.error_);
  return writer;
}

std::int64_t Writer::string(std::string_view text) {
  if (const auto known = strings_.find(text); known != strings_.end()) return known->second;
  const auto id = static_cast<std::int64_t>(strings_.size());
  strings_.emplace(text, id);
  const Field fields[] = {{"id", id}, {"value", text}};
  append("StringIds", fields);
  return id;
}

void Writer::append(std::string_view table, std::span<const Field> fields) {
  Statement* insert = error_ ? nullptr : insertInto(table, fields);
  if (!insert) return;
  for (std::size_t i = 0; i < fields.size(); ++i) bindValue(insert->raw(), static_cast<int>(i) + 1, fields[i].value);
  insert->step();
  if (insert->failed()) fail();
  insert->reset();
  if (++rows_ % kRowsPerTransaction == 0) run("COMMIT; BEGIN");
}

void Writer::adopt(const Table& table) {
  adopted_ = true;
  tables_.insert(table.name);
  run(createTable(table));
}

bool Writer::require(std::string_view table) {
  if (tables_.find(table) != tables_.end()) return true;
  tables_.emplace(table);
  Table made = *findTable(table);
  if (allowNulls_)
    for (Column& column : made.columns) column.nullable |= !column.key;
  return run(createTable(made));
}

Statement* Writer::insertInto(std::string_view table, std::span<const Field> fields) {
  if (const auto known = inserts_.find(table); known != inserts_.end()) return &known->second;
  if (!require(table)) return nullptr;
  std::string columns, places;
  for (const Field& field : fields) {
    columns += (columns.empty() ? "" : ", ") + quotedName(field.column);
    places += places.empty() ? "?" : ", ?";
  }
  const std::string sql = "INSERT INTO " + quotedName(table) + " (" + columns + ") VALUES (" + places + ")";
  sqlite3_stmt* compiled = nullptr;
  if (sqlite3_prepare_v3(handle_.get(), sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &compiled, nullptr) != SQLITE_OK) {
    fail();
    return nullptr;
  }
  Statement& insert = inserts_[std::string(table)];
  insert.statement_.reset(compiled);
  return &insert;
}

void Writer::fail() {
  if (error_) return;
  int systemError = 0;  // of the file, because a failed commit does not reach sqlite3_system_errno()
  sqlite3_file_control(handle_.get(), nullptr, SQLITE_FCNTL_LAST_ERRNO, &systemError);
  if (systemError == 0) systemError = sqlite3_system_errno(handle_.get());
  switch (sqlite3_errcode(handle_.get()) & 0xFF) {
    case SQLITE_FULL:
      error_ = Error{ErrorCode::kDiskFull, destination_.string(), ""};
      break;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      error_ = writeError(destination_, systemError ? systemError : EIO);
      break;
    default:
      error_ = Error{ErrorCode::kWriteFailed, destination_.string(), sqlite3_errmsg(handle_.get())};
  }
}

bool Writer::run(const std::string& sql) {
  if (error_) return false;
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  return !error_;
}

void Writer::appendPair(std::string_view table, std::string_view name, std::string_view value) {
  const Field fields[] = {{"name", name}, {"value", value}};
  append(table, fields);
}

void Writer::writeLabels() {
  for (const Enumeration& enumeration : enumerations()) {
    if (tables_.find(enumeration.table) != tables_.end()) continue;
    run(fmt::format("CREATE TABLE {} (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)", enumeration.table));
    tables_.insert(enumeration.table);
    for (const Label& label : enumeration.labels) {
      const Field fields[] = {{"id", std::int64_t{label.id}},
                              {"name", std::string_view(label.name)},
                              {"label", std::string_view(label.label)}};
      append(enumeration.table, fields);
    }
  }
}

void Writer::writeSchemaVersion() {
  constexpr const char* kTable = "META_DATA_EXPORT";
  constexpr const char* kKeys[] = {"_MAJOR", "_MINOR", "_MICRO"};
  appendPair(kTable, "EXPORT_PRODUCT_NAME", "Lanescope");
  appendPair(kTable, "EXPORT_PRODUCT_VERSION", version_);
  appendPair(kTable, "EXPORT_SCHEMA_VERSION", kExportSchemaVersion);
  std::string_view rest = kExportSchemaVersion;
  for (const char* key : kKeys) {
    const std::size_t point = std::min(rest.find('.'), rest.size());
    appendPair(kTable, std::string("EXPORT_SCHEMA_VERSION") + key, rest.substr(0, point));
    rest.remove_prefix(std::min(point + 1, rest.size()));
  }
}

Result<void> Writer::finish() {
  if (!error_) require("StringIds");
  writeLabels();
  if (!adopted_) writeSchemaVersion();
  if (dialect_ == Dialect::kRep) {
    appendPair("LANESCOPE_META", "writer", "lanescope");
    appendPair("LANESCOPE_META", "version", version_);
    appendPair("LANESCOPE_META", "created", fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr))));
  }
  run("COMMIT");
  inserts_.clear();
  if (!error_) {
    sqlite3* const handle = handle_.release();
    if (sqlite3_close(handle) != SQLITE_OK) handle_.reset(handle);
  }
  if (error_) return tl::unexpected(*error_);
  Result<void> moved = moveIntoPlace(temporary_, destination_, ifExists_);
  if (moved) temporary_.clear();
  return moved;
}

}  // namespace lanescope::report
