// SPDX-License-Identifier: Apache-2.0
#include "model/export/tables.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "model/export/issues.h"
#include "model/export/out_file.h"
#include "model/export/texts.h"
#include "model/export/value_text.h"
#include "model/json.h"
#include "model/report/schema.h"
#include "model/utf8.h"

namespace lanescope::exporting {

namespace fs = std::filesystem;
using report::Slice;
using report::TableRow;

namespace {

/// A column as it is written: under `key`, text by id where `isId`; where it is NULL, by the id in column `otherwise`.
struct Shown {
  std::string key;
  int column = 0;
  bool isId = false;
  int otherwise = -1;
};

std::vector<Shown> shownColumns(const report::Database& database, const std::string& table) {
  const auto& columns = database.columns(table);
  std::vector<Shown> shown;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool isId = report::isStringId(table, columns[i]);
    const bool named = isId && columns[i].size() > 2 && columns[i].ends_with("Id");
    shown.push_back({.key = named ? columns[i].substr(0, columns[i].size() - 2) : columns[i],
                     .column = static_cast<int>(i),
                     .isId = isId});
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {  // text and textId are one
    const auto twin = std::ranges::find(columns, shown[i].key);
    if (shown[i].key == columns[i] || twin == columns.end()) continue;
    shown[static_cast<std::size_t>(twin - columns.begin())].otherwise = shown[i].column;
    shown[i].column = -1;
  }
  std::erase_if(shown, [](const Shown& each) { return each.column < 0; });
  return shown;
}

bool hasTimes(std::string_view column) {
  return column == "start" || column == "end" || column == "timestamp" || column == "rawTimestamp";
}

/// Writes the value that is shown: `id(n)` for a string by its id, `value(column)` for what stands in the row.
template <class Id, class Value>
void visitValue(const Shown& shown, const TableRow& row, Id id, Value value) {
  const bool other = shown.otherwise >= 0 && row.isNull(shown.column);
  const int column = other ? shown.otherwise : shown.column;
  if ((shown.isId || other) && row.isInteger(column)) id(row.integer(column));
  else value(column);
}

/// What the three formats of one text differ in; the rows are the same.
class TableText {
 public:
  TableText(Slice& slice, const Order& order, OutFile& out)
      : slice_(slice), format_(order.format), out_(out), text_(out.text()), texts_(slice.database()) {
    head(order.version);
  }

  void table(const std::string& name) {
    const auto columns = shownColumns(slice_.database(), name);
    std::vector<std::string> keys;
    for (const Shown& each : columns) {
      if (format_ == Format::kText) keys.push_back(' ' + repairUtf8(each.key) + '=');
      else appendQuoted(keys.emplace_back(), each.key);
    }
    std::string quotedTable;
    appendQuoted(quotedTable, name);
    const auto& all = slice_.database().columns(name);

    if (format_ == Format::kJson) text_ += (tables_++ ? ",\n" : "\n") + quotedTable + ": [";
    if (format_ == Format::kText) text_ += '\n' + repairUtf8(name) + '\n';
    bool first = true;
    slice_.forEach(name, {all.begin(), all.end()}, [&](const TableRow& row) {
      if (format_ == Format::kJson) text_ += first ? "\n{" : ",\n{";
      if (format_ == Format::kJsonLines) text_ += "{\"table\": " + quotedTable;
      if (format_ == Format::kText) text_ += ' ';
      bool behindOther = format_ == Format::kJsonLines;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool isNull =
            row.isNull(columns[i].column) && (columns[i].otherwise < 0 || row.isNull(columns[i].otherwise));
        if (isNull) continue;
        if (behindOther && format_ != Format::kText) text_ += ", ";
        text_ += keys[i];
        if (format_ != Format::kText) text_ += ": ";
        behindOther = true;
        visitValue(
            columns[i], row, [&](std::int64_t id) { text_ += texts_.quoted(id); },
            [&](int column) { appendJson(text_, row, column); });
      }
      text_ += format_ == Format::kText ? "\n" : format_ == Format::kJson ? "}" : "}\n";
      first = false;
      return out_.flow();
    });
    if (format_ == Format::kJson) text_ += "\n]";
  }

  void finish() {
    if (format_ == Format::kJson) text_ += "\n}}\n";
  }

 private:
  void head(const std::string& version) {
    JsonWriter about;
    about.beginObject();
    if (format_ == Format::kJsonLines) about.member("table", std::string_view("LANESCOPE_EXPORT"));
    about.member("writer", "lanescope " + version);
    about.member("source", slice_.database().path().filename().string());
    about.member("time_unit", std::string_view("ns"));
    about.member("origin", std::string_view("start of the session"));
    if (const auto range = slice_.part())
      about.key("range").beginArray().value(range->begin).value(range->end).endArray();
    appendIssues(about, slice_);
    about.endObject();
    if (format_ == Format::kJson) text_ += "{\"lanescope\": " + about.text() + ",\n\"tables\": {";
    else text_ += (format_ == Format::kText ? "# " : "") + about.text() + '\n';
  }

  Slice& slice_;
  const Format format_;
  OutFile& out_;
  std::string& text_;
  Texts texts_;
  int tables_ = 0;
};

Result<void> writeCsv(Slice& slice, const std::string& table, const fs::path& path, Texts& texts) {
  Result<OutFile> out = OutFile::create(path, report::IfExists::kRefuse);
  if (!out) return tl::unexpected(out.error());
  std::string& text = out->text();
  const auto columns = shownColumns(slice.database(), table);
  const auto separate = [&](std::size_t i) {
    if (i > 0) text += ',';
  };
  for (std::size_t i = 0; i < columns.size(); ++i) {
    separate(i);
    appendField(text, columns[i].key + (hasTimes(columns[i].key) ? " (ns)" : ""));
  }
  text += '\n';
  const auto& all = slice.database().columns(table);
  slice.forEach(table, {all.begin(), all.end()}, [&](const TableRow& row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      separate(i);
      visitValue(
          columns[i], row, [&](std::int64_t id) { appendField(text, texts.plain(id)); },
          [&](int column) { appendField(text, row, column); });
    }
    text += '\n';
    return out->flow();
  });
  return out->finish();
}

Error cancelled(const Order& order) { return {ErrorCode::kCancelled, order.destination.string(), ""}; }

/// A file's name for a table, whose own may hold anything.
std::string fileName(const std::string& table) {
  std::string name = repairUtf8(table.substr(0, 200));
  std::ranges::replace(name, '/', '_');
  return name + ".csv";
}

/// A folder of its own beside the destination, gone with all in it if it is not moved there.
struct PartialFolder {
  fs::path path;
  ~PartialFolder() {
    std::error_code ignored;
    if (!path.empty()) fs::remove_all(path, ignored);
  }
};

Result<void> moveFolder(PartialFolder& from, const Order& order) {
  const auto refuse = [&](const std::error_code& error) {
    return tl::unexpected(writeError(order.destination, error.value()));
  };
  std::error_code error;
  if (!fs::exists(order.destination, error)) {
    fs::rename(from.path, order.destination, error);
    if (error) return refuse(error);
    from.path.clear();
    return {};
  }
  for (const auto& file : fs::directory_iterator(from.path, error)) {
    const Result<void> moved =
        report::moveIntoPlace(file.path(), order.destination / file.path().filename(), report::IfExists::kReplace);
    if (!moved) return moved;
  }
  return {};
}

}  // namespace

Result<void> writeTables(Slice& slice, const Order& order) {
  Result<OutFile> out = OutFile::create(order.destination, order.ifExists);
  if (!out) return tl::unexpected(out.error());
  TableText text(slice, order, *out);
  for (const std::string& table : slice.tables()) {
    text.table(table);
    if (slice.cancelled()) return tl::unexpected(cancelled(order));
    if (!out->flow()) break;
  }
  text.finish();
  return out->finish();
}

Result<void> writeCsvFolder(Slice& slice, const Order& order) {
  std::error_code error;
  const bool exists = fs::exists(order.destination, error);
  if (exists && !fs::is_directory(order.destination, error)) {
    const std::string_view kind = report::streamKind(order.destination);
    return tl::unexpected(Error{ErrorCode::kWriteFailed, order.destination.string(),
                                fmt::format("{} where a folder is wanted", kind.empty() ? "a file" : kind)});
  }
  if (exists && order.ifExists == report::IfExists::kRefuse)
    return tl::unexpected(Error{ErrorCode::kExists, order.destination.string(), ""});
  fs::path beside = fs::absolute(order.destination, error).lexically_normal();
  if (!beside.has_filename()) beside = beside.parent_path();  // "folder/"
  PartialFolder folder{beside.string() + fmt::format(".partial-{}", getpid())};
  if (!fs::create_directory(folder.path, error)) {
    folder.path.clear();
    return tl::unexpected(writeError(order.destination, error ? error.value() : EEXIST));
  }
  Texts texts(slice.database());
  for (const std::string& table : slice.tables()) {
    const Result<void> written = writeCsv(slice, table, folder.path / fileName(table), texts);
    if (!written)
      return tl::unexpected(Error{written.error().code, order.destination.string(), written.error().detail});
    if (slice.cancelled()) return tl::unexpected(cancelled(order));
  }
  return moveFolder(folder, order);
}

}  // namespace lanescope::exporting
