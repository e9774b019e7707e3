// SPDX-License-Identifier: Apache-2.0
#include "model/report/copy.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/format.h"
#include "model/report/source.h"

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

Writer::Value valueOf(const TableRow& row, int column) {
  if (row.isNull(column)) return {};
  if (row.isInteger(column)) return row.integer(column);
  if (row.isReal(column)) return row.real(column);
  if (row.isText(column)) return row.text(column);
  return Writer::Blob{row.blob(column)};
}

/// Where a domain, category or thread was named is no part of what happened: outside the range it is no time at all,
/// so that the part does not seem to reach there.
bool isNameOutside(const Slice& slice, const TableRow& row, int start, int type) {
  return slice.range() && type >= 0 && start >= 0 && !row.isNull(type) && isNvtxName(row.integer(type)) &&
         !slice.range()->contains(row.integer(start));
}

/// Strings that rows of a part refer to. A column that we do not know counts as if it did.
class UsedStrings {
 public:
  explicit UsedStrings(const Database& database)
      : first_(database.integer("SELECT min(id) FROM StringIds")),
        last_(database.integer("SELECT max(id) FROM StringIds", -1)) {}

  static bool mayRefer(const std::string& table, const Column& column) {
    return isStringId(table, column.name) || meaning(table, column).empty();
  }
  void add(const TableRow& row, int column) {
    const std::int64_t id = row.integer(column);
    if (row.isInteger(column) && id >= first_ && id <= last_) ids_.insert(id);
  }
  bool contains(std::int64_t id) const { return ids_.contains(id); }

 private:
  std::int64_t first_, last_;
  IdSet ids_;
};

std::optional<Error> copyTable(Slice& slice, const std::string& name, UsedStrings& used, Writer& writer) {
  const Result<Table> table = tableOf(slice.database(), name);
  if (!table) return table.error();
  writer.adopt(*table);

  Columns columns;
  // Row ids are kept: reports number NVTX ranges by them.
  std::vector<Writer::Field> fields(1 + table->columns.size());
  fields[0].column = "rowid";
  std::vector<int> references;  // columns that may hold the id of a string
  int start = -1, type = -1, id = -1;
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    fields[i + 1].column = table->columns[i].name;
    columns.emplace_back(table->columns[i].name);
    const auto at = static_cast<int>(i);
    if (slice.range() && UsedStrings::mayRefer(name, table->columns[i])) references.push_back(at);
    if (name == "NVTX_EVENTS" && columns.back() == "start") start = at;
    if (name == "NVTX_EVENTS" && columns.back() == "eventType") type = at;
    if (slice.range() && name == "StringIds" && columns.back() == "id") id = at;
  }
  slice.forEach(name, columns, [&](const TableRow& row) {
    if (id >= 0 && !used.contains(row.integer(id))) return true;
    fields[0].value = row.rowid();
    for (std::size_t i = 1; i < fields.size(); ++i) fields[i].value = valueOf(row, static_cast<int>(i) - 1);
    if (isNameOutside(slice, row, start, type)) fields[static_cast<std::size_t>(start) + 1].value = std::int64_t{0};
    for (const int column : references) used.add(row, column);
    writer.append(name, fields);
    return !writer.error();
  });
  return writer.error();
}

constexpr std::string_view kSliceIssue = "slice", kMemoryIssue = "slice-memory";

void noteIssue(Writer& writer, std::string_view kind, std::uint64_t count, const std::string& text,
               std::string_view about = {}) {
  const Writer::Field fields[] = {{"kind", kind},
                                  {"count", static_cast<std::int64_t>(count)},
                                  {"text", std::string_view(text)},
                                  {"about", about.empty() ? Writer::Value() : Writer::Value(about)}};
  writer.append("LANESCOPE_ISSUES", fields);
}

/// A part of a part is one part: it counts what was left out before too.
void noteIssues(Slice& slice, Writer& writer, std::uint64_t memoryLeftOut) {
  std::uint64_t leftOut = slice.rowsLeftOut();
  slice.forEach("LANESCOPE_ISSUES", {"kind", "count", "text", "about"}, [&](const TableRow& row) {
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer(1), 0));
    if (slice.range() && row.text(0) == kSliceIssue) leftOut += count;
    else if (slice.range() && row.text(0) == kMemoryIssue) memoryLeftOut += count;
    else noteIssue(writer, row.text(0), count, std::string(row.text(2)), row.text(3));
  });
  if (slice.range())
    noteIssue(writer, kSliceIssue, leftOut,
              fmt::format("A part of a recording, {} to {}: {} events outside it were left out, {} that reach beyond "
                          "it are whole",
                          formatExact(slice.part()->begin), formatExact(slice.part()->end), formatCount(leftOut),
                          formatCount(slice.rowsCrossing())));
  if (memoryLeftOut > 0)
    noteIssue(writer, kMemoryIssue, memoryLeftOut,
              "Memory in use is counted from where this part begins: what was allocated before is not in it");
  for (const std::string& table : slice.damage())
    noteIssue(
        writer, "table-damaged", 1,
        fmt::format("Table {} was damaged where this was exported from: rows behind the damage are missing", table));
}

/// What a part of a recording was made of; what is written in that file is of the whole.
void noteSource(const Database& database, Writer& writer) {
  const auto source = sourceOf(database);
  if (!source) return;
  for (const auto& [name, value] : {std::pair<std::string_view, const std::string&>("file", source->file.native()),
                                    {"format", source->format},
                                    {"version", source->version}}) {
    const Writer::Field fields[] = {{"name", name}, {"value", std::string_view(value)}};
    writer.append("LANESCOPE_SOURCE", fields);
  }
}

void notePart(const Slice& slice, Writer& writer) {
  const auto part = slice.part();
  if (!part) return;
  for (const auto& [name, time] : {std::pair(kPartBegin, part->begin), {kPartEnd, part->end}}) {
    const std::string text = std::to_string(time);
    const Writer::Field fields[] = {{"name", name}, {"value", std::string_view(text)}};
    writer.append("LANESCOPE_META", fields);
  }
}

}  // namespace

Result<void> copyReport(Slice& slice, const std::filesystem::path& destination, IfExists ifExists,
                        std::string_view version, Dialect dialect) {
  Result<Writer> writer = Writer::create(destination, ifExists, version, dialect);
  if (!writer) return tl::unexpected(writer.error());
  UsedStrings used(slice.database());
  std::uint64_t memoryLeftOut = 0;
  std::vector<std::string> tables = slice.tables();
  std::ranges::stable_partition(tables, [](const std::string& table) { return table != "StringIds"; });
  for (const std::string& table : tables) {
    if (table == "LANESCOPE_META" || table == "LANESCOPE_ISSUES") continue;  // says who wrote the file: now we do
    if (slice.range() && (table == "LANESCOPE_SOURCE" || table == "LANESCOPE_COPIES_WRITTEN")) continue;
    const std::uint64_t before = slice.rowsLeftOut();
    if (auto error = copyTable(slice, table, used, *writer)) return tl::unexpected(*error);
    if (slice.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, destination.string(), ""});
    if (table == "CUDA_GPU_MEMORY_USAGE_EVENTS") memoryLeftOut = slice.rowsLeftOut() - before;
  }
  if (slice.range()) noteSource(slice.database(), *writer);
  noteIssues(slice, *writer, memoryLeftOut);
  notePart(slice, *writer);
  return writer->finish();
}

}  // namespace lanescope::report
