// SPDX-License-Identifier: Apache-2.0
// Makes small SQLite databases of any shape from readable rows: tables and columns appear with the rows that name them.
//
//   const auto file = DatabaseBuilder(folder / "a.nvvp").row("StringTable", {{"_id_", 1}, {"value", "gemm"}}).write();
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

struct sqlite3;

namespace lanescope::test {

class DatabaseBuilder {
 public:
  struct Blob {
    std::string bytes;
  };
  using Value = std::variant<std::nullptr_t, std::int64_t, int, double, const char*, std::string, Blob>;
  using Values = std::initializer_list<std::pair<const char*, Value>>;

  /// An existing file is replaced. `key` is what the row id is called in every table, "" for none.
  explicit DatabaseBuilder(std::filesystem::path file, std::string key = {});
  ~DatabaseBuilder();
  DatabaseBuilder(const DatabaseBuilder&) = delete;
  DatabaseBuilder& operator=(const DatabaseBuilder&) = delete;

  DatabaseBuilder& row(const std::string& table, Values values);
  DatabaseBuilder& sql(const std::string& statements);

  /// Finishes the file and returns its path; the builder is spent.
  std::filesystem::path write();

 private:
  std::filesystem::path file_;
  std::string key_;
  sqlite3* database_ = nullptr;
  std::map<std::string, std::set<std::string>> columns_;
};

/// Numbers of 32 bits, one behind the other, as the structures of a driver stand in memory.
std::string words(std::initializer_list<std::uint32_t> numbers);

}  // namespace lanescope::test
