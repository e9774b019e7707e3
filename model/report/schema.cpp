// SPDX-License-Identifier: Apache-2.0
#include "model/report/schema.h"

#include <algorithm>
#include <array>

#include "model/report/database.h"
#include "model/report/schema_text.h"

namespace lanescope::report {
namespace {

Column parseColumn(std::string_view text) {
  Column column;
  if (text.ends_with('*')) column.key = true;
  if (text.ends_with('?')) column.nullable = true;
  if (column.key || column.nullable) text.remove_suffix(1);
  if (text.ends_with(":T")) column.type = ColumnType::kText;
  if (text.ends_with(":R")) column.type = ColumnType::kReal;
  if (column.type != ColumnType::kInteger) text.remove_suffix(2);
  column.name = text;
  return column;
}

Table parseTable(const schema_text::TableText& text) {
  Table table{.name = text.name, .meaning = text.meaning, .columns = {}};
  for (std::string_view rest = text.columns; !rest.empty();) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    table.columns.push_back(parseColumn(rest.substr(0, blank)));
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
  return table;
}

std::vector<Table> parseCatalogue() {
  std::vector<Table> tables;
  for (const auto& text : schema_text::tables()) tables.push_back(parseTable(text));
  return tables;
}

const char* typeName(ColumnType type) {
  switch (type) {
    case ColumnType::kInteger:
      return "INTEGER";
    case ColumnType::kReal:
      return "REAL";
    case ColumnType::kText:
      return "TEXT";
    case ColumnType::kAny:
      return "";
  }
  return "";
}

}  // namespace

const std::vector<Table>& catalogue() {
  static const std::vector<Table> tables = parseCatalogue();
  return tables;
}

const Table* findTable(std::string_view name) {
  const auto& tables = catalogue();
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const Table& t) { return t.name == name; });
  return found != tables.end() ? &*found : nullptr;
}

bool inCatalogue(std::string_view table) {
  constexpr std::array<std::string_view, 4> kFamilies = {"CUPTI_ACTIVITY_KIND_", "CUDA_", "TARGET_INFO_", "OSRT_"};
  return findTable(table) ||
         std::any_of(kFamilies.begin(), kFamilies.end(), [&](auto family) { return table.starts_with(family); });
}

std::string_view meaning(std::string_view table, const Column& column) {
  const std::string own = std::string(table) + "." + column.name;
  std::string_view general;
  for (const auto& entry : schema_text::glossary()) {
    if (own == entry.column) return entry.meaning;
    if (column.name == entry.column) general = entry.meaning;
  }
  return general;
}

bool isStringId(std::string_view table, std::string_view column) {
  if (const std::string_view known = meaning(table, {.name = std::string(column)}); !known.empty())
    return known.ends_with("in StringIds");
  return column.ends_with("nameId") || column.ends_with("NameId") || column == "textId";
}

std::string createTable(const Table& table) {
  std::string columns, key;
  for (const Column& column : table.columns) {
    columns += (columns.empty() ? "" : ", ") + quotedName(column.name) + " " + typeName(column.type);
    if (!column.nullable) columns += " NOT NULL";
    if (column.key) key += (key.empty() ? "" : ", ") + quotedName(column.name);
  }
  if (!key.empty()) columns += ", PRIMARY KEY (" + key + ")";
  return "CREATE TABLE " + quotedName(table.name) + " (" + columns + ")";
}

std::string_view enumLabel(std::string_view table, std::int64_t id) {
  for (const Enumeration& enumeration : enumerations()) {
    if (table != enumeration.table) continue;
    for (const Label& label : enumeration.labels) {
      if (label.id == id) return label.label;
    }
  }
  return {};
}

std::string exportSchemaVersion(const Database& database) {
  for (const char* table : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {  // the second until 2022
    if (!database.has(table, "name") || !database.has(table, "value")) continue;
    return database.text(std::string("SELECT value FROM ") + table + " WHERE name = 'EXPORT_SCHEMA_VERSION'");
  }
  return {};
}

}  // namespace lanescope::report
