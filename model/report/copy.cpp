// SPDX-License-Identifier: Apache-2.0
#include "model/report/copy.h"

#include <algorithm>

#include "model/report/writer.h"

namespace lanescope::report {
namespace {

/// The table with the columns this file has; a type other than SQLite's three becomes none, which keeps any value.
Result<Table> tableOf(const Database& source, const std::string& name) {
  Table table{.name = name, .meaning = {}, .columns = {}};
  auto info = source.prepare("PRAGMA table_info(" + quotedName(name) + ")");
  if (!info) return tl::unexpected(info.error());
  while (info->step()) {
    const std::string_view type = info->text(2);
    table.columns.push_back({.name = std::string(info->text(1)),
                             .type = type == "INTEGER" ? ColumnType::kInteger
                                     : type == "REAL"  ? ColumnType::kReal
                                     : type == "TEXT"  ? ColumnType::kText
                                                       : ColumnType::kAny,
                             .nullable = info->integer(3) == 0,
                             .key = info->integer(5) != 0});
  }
  return table;
}

Writer::Value valueOf(const Statement& row, int column) {
  switch (sqlite3_column_type(row.raw(), column)) {
    case SQLITE_INTEGER:
      return row.integer(column);
    case SQLITE_FLOAT:
      return row.real(column);
    case SQLITE_TEXT:
      return row.text(column);
    case SQLITE_BLOB:
      return Writer::Blob{row.text(column)};
    default:
      return {};
  }
}

/// The program's environment may hold keys and passwords.
bool isPrivate(std::string_view table, const std::vector<Writer::Field>& row) {
  return table == "META_DATA_CAPTURE" && std::any_of(row.begin(), row.end(), [](const Writer::Field& field) {
           const auto* text = std::get_if<std::string_view>(&field.value);
           return text && text->find("ENVIRONMENT_VARIABLE") != std::string_view::npos;
         });
}

std::optional<Error> copyTable(const Database& source, const std::string& name, Writer& writer, const Job& job) {
  const Result<Table> table = tableOf(source, name);
  if (!table) return table.error();
  writer.adopt(*table);

  // Row ids are kept: reports number NVTX ranges by them.
  std::string columns = "rowid";
  std::vector<Writer::Field> fields(1 + table->columns.size());
  fields[0].column = "rowid";
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    fields[i + 1].column = table->columns[i].name;
    columns += ", " + quotedName(table->columns[i].name);
  }
  auto rows = source.prepare("SELECT " + columns + " FROM " + quotedName(name));
  if (!rows) return rows.error();
  while (rows->step()) {
    if (job.cancelled()) return Error{ErrorCode::kCancelled, source.path().string(), ""};
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i].value = valueOf(*rows, static_cast<int>(i));
    if (!isPrivate(name, fields)) writer.append(name, fields);
  }
  if (rows->failed()) return source.damaged();
  return writer.error();
}

}  // namespace

Result<void> copyReport(const std::filesystem::path& source, const std::filesystem::path& destination,
                        IfExists ifExists, std::string_view version, const Job& job) {
  const Result<Database> database = Database::open(source);
  if (!database) return tl::unexpected(database.error());
  Result<Writer> writer = Writer::create(destination, ifExists, version);
  if (!writer) return tl::unexpected(writer.error());

  double done = 0;
  for (const std::string& table : database->tables()) {
    job.progress(done++ / static_cast<double>(database->tables().size()), table);
    if (table == "LANESCOPE_META") continue;  // says who wrote the file: now we do
    if (auto error = copyTable(*database, table, *writer, job)) return tl::unexpected(*error);
  }
  return writer->finish();
}

}  // namespace lanescope::report
