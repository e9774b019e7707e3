// SPDX-License-Identifier: Apache-2.0
// The tables of a .rep: those of the Nsight Systems SQLite export (schema 3.20 and on) that Lanescope writes, and its
// own, LANESCOPE_*. The one catalogue behind the writer's DDL, the test of FORMAT.md, the labels shown for enumerated
// values, and the question whether a database is a report at all. Built once, then read from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::report {

class Database;

enum class ColumnType : std::uint8_t { kInteger, kReal, kText, kAny };  ///< kAny: declared without a type

struct Column {
  std::string name;
  ColumnType type = ColumnType::kInteger;
  bool nullable = false;
  bool key = false;  ///< belongs to the primary key
};

struct Table {
  std::string name;
  std::string meaning;
  std::vector<Column> columns;
};

/// All tables but the ENUM_* ones.
const std::vector<Table>& catalogue();
const Table* findTable(std::string_view name);

/// True for tables that this dialect has, by name or by family (CUPTI_ACTIVITY_KIND_*), in any version.
bool inCatalogue(std::string_view table);

/// What a column holds, in one line.
std::string_view meaning(std::string_view table, const Column& column);

/// True for a column that refers to StringIds; columns we do not know are told by their names.
bool isStringId(std::string_view table, std::string_view column);

/// CREATE TABLE with the columns in the catalogue's order.
std::string createTable(const Table& table);

struct Label {
  int id;
  const char* name;   ///< the symbol
  const char* label;  ///< for a person
};

struct Enumeration {
  const char* table;  ///< ENUM_…(id, name, label)
  std::span<const Label> labels;
};

std::span<const Enumeration> enumerations();

/// The label of an enumerated value, for example ("ENUM_CUPTI_SYNC_TYPE", 3): "Stream sync"; empty if unknown.
std::string_view enumLabel(std::string_view table, std::int64_t id);

/// "3.20.3" as the file says, empty if it does not.
std::string exportSchemaVersion(const Database& database);

}  // namespace lanescope::report
