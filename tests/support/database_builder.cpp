// SPDX-License-Identifier: Apache-2.0
#include "tests/support/database_builder.h"

#include <sqlite3.h>

#include <stdexcept>

namespace lanescope::test {
namespace {

template <class... Visits>
struct Overloaded : Visits... {
  using Visits::operator()...;
};
template <class... Visits>
Overloaded(Visits...) -> Overloaded<Visits...>;

void bind(sqlite3_stmt* statement, int at, const DatabaseBuilder::Value& value) {
  const auto text = [&](const std::string& bytes) {
    sqlite3_bind_text(statement, at, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
  };
  std::visit(Overloaded{[&](std::nullptr_t) { sqlite3_bind_null(statement, at); },
                        [&](std::int64_t number) { sqlite3_bind_int64(statement, at, number); },
                        [&](int number) { sqlite3_bind_int64(statement, at, number); },
                        [&](double number) { sqlite3_bind_double(statement, at, number); },
                        [&](const char* bytes) { text(bytes); }, [&](const std::string& bytes) { text(bytes); },
                        [&](const DatabaseBuilder::Blob& blob) {
                          sqlite3_bind_blob(statement, at, blob.bytes.data(), static_cast<int>(blob.bytes.size()),
                                            SQLITE_TRANSIENT);
                        }},
             value);
}

}  // namespace

DatabaseBuilder::DatabaseBuilder(std::filesystem::path file, std::string key)
    : file_(std::move(file)), key_(std::move(key)) {
  std::filesystem::remove(file_);
  if (sqlite3_open(file_.c_str(), &database_) != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(database_));
  sql("BEGIN");
}

DatabaseBuilder::~DatabaseBuilder() { sqlite3_close(database_); }

DatabaseBuilder& DatabaseBuilder::row(const std::string& table, Values values) {
  const auto [at, isNew] = columns_.try_emplace(table);
  if (isNew) {
    std::string columns = key_.empty() ? std::string() : key_ + " INTEGER PRIMARY KEY AUTOINCREMENT";
    if (!key_.empty()) at->second.insert(key_);
    for (const auto& [name, value] : values)
      if (at->second.insert(name).second) columns += (columns.empty() ? "\"" : ", \"") + std::string(name) + '"';
    sql("CREATE TABLE \"" + table + "\"(" + columns + ")");
  }
  std::string names, marks;
  for (const auto& [name, value] : values) {
    if (at->second.insert(name).second) sql("ALTER TABLE \"" + table + "\" ADD COLUMN \"" + name + '"');
    names += (names.empty() ? "\"" : ", \"") + std::string(name) + '"';
    marks += marks.empty() ? "?" : ", ?";
  }
  sqlite3_stmt* statement = nullptr;
  const std::string insert = "INSERT INTO \"" + table + "\"(" + names + ") VALUES(" + marks + ")";
  if (sqlite3_prepare_v2(database_, insert.c_str(), -1, &statement, nullptr) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(database_));
  int index = 0;
  for (const auto& [name, value] : values) bind(statement, ++index, value);
  sqlite3_step(statement);
  if (sqlite3_finalize(statement) != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(database_));
  return *this;
}

DatabaseBuilder& DatabaseBuilder::sql(const std::string& statements) {
  if (sqlite3_exec(database_, statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(database_));
  return *this;
}

std::filesystem::path DatabaseBuilder::write() {
  sql("COMMIT");
  sqlite3_close(database_);
  database_ = nullptr;
  return file_;
}

std::string words(std::initializer_list<std::uint32_t> numbers) {
  std::string bytes;
  for (const std::uint32_t number : numbers)
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> 8 * i & 0xFF);
  return bytes;
}

}  // namespace lanescope::test
