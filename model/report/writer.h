// SPDX-License-Identifier: Apache-2.0
// Writes a .rep. Rows go to a temporary file beside the destination, which takes its name in finish(), whole and at
// once; a Writer that is dropped before leaves nothing. The first error sticks: later rows are ignored, and finish()
// returns it. Tables appear with their first row. One thread; about a microsecond a row.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "model/error.h"
#include "model/report/database.h"
#include "model/report/new_file.h"
#include "model/report/rows.h"
#include "model/report/schema.h"

namespace lanescope::report {

/// How a file says what it is: as ours, or as any export of Nsight Systems.
enum class Dialect { kRep, kNsys };

class Writer {
 public:
  struct Blob {
    std::string_view bytes;
  };
  using Value = std::variant<std::monostate, std::int64_t, double, std::string_view, Blob>;
  struct Field {
    std::string_view column;
    Value value;
  };

  /// `version` is that of the program, kept in the file.
  static Result<Writer> create(const std::filesystem::path& destination, IfExists ifExists, std::string_view version,
                               Dialect dialect = Dialect::kRep);
  Writer(Writer&&) noexcept;
  ~Writer();

  /// From the next table on: a column may be NULL although the catalogue says otherwise, where a file does not tell it.
  void allowNulls() { allowNulls_ = true; }

  /// The id of this string in StringIds.
  std::int64_t string(std::string_view text);

  /// A row of rows.h.
  template <class Row>
  void add(const Row& row) {
    fields_.clear();
    row.columns([this](std::string_view column, const auto& value) { fields_.push_back({column, valueOf(value)}); });
    append(Row::kTable, fields_);
  }

  /// A name and value that belong to the recording as a whole (META_DATA_CAPTURE).
  void addCaptureFact(std::string_view name, std::string_view value) { appendPair("META_DATA_CAPTURE", name, value); }

  /// A row of any table; every row of a table has the columns of its first. Columns left out are NULL.
  void append(std::string_view table, std::span<const Field> fields);

  /// A table as another file has it, before its first row. A file with adopted tables keeps the schema version of where
  /// they came from.
  void adopt(const Table& table);

  const std::optional<Error>& error() const { return error_; }

  /// Completes the file and gives it its name.
  Result<void> finish();

 private:
  struct Close {
    void operator()(sqlite3* h) const { sqlite3_close_v2(h); }
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  Writer() = default;

  static Value valueOf(std::int64_t value) { return value; }
  static Value valueOf(bool value) { return std::int64_t{value}; }
  static Value valueOf(double value) { return value; }
  static Value valueOf(std::string_view value) { return value; }
  static Value valueOf(const Bytes& value) { return Blob{value.bytes}; }
  template <class T>
  static Value valueOf(const std::optional<T>& value) {
    return value ? valueOf(*value) : Value();
  }

  bool run(const std::string& sql);
  bool require(std::string_view table);
  Statement* insertInto(std::string_view table, std::span<const Field> fields);
  void fail();
  void writeLabels();
  void writeSchemaVersion();
  void appendPair(std::string_view table, std::string_view name, std::string_view value);

  static constexpr std::int64_t kRowsPerTransaction = 100'000;

  std::filesystem::path destination_, temporary_;
  IfExists ifExists_ = IfExists::kRefuse;
  Dialect dialect_ = Dialect::kRep;
  std::string version_;
  std::unique_ptr<sqlite3, Close> handle_;
  std::set<std::string, std::less<>> tables_;
  std::unordered_map<std::string, Statement, Hash, std::equal_to<>> inserts_;
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> strings_;
  std::vector<Field> fields_;
  std::optional<Error> error_;
  std::int64_t rows_ = 0;
  bool adopted_ = false, allowNulls_ = false;
};

}  // namespace lanescope::report
