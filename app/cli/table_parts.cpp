// SPDX-License-Identifier: Apache-2.0
#include "app/cli/table_parts.h"

#include <algorithm>
#include <cstring>

#include "model/answers.h"

namespace lanescope::cli {
namespace {

using analysis::Cell;
using analysis::Table;

template <class T>
std::string bytesOf(const T& value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class T>
T valueOf(std::string_view bytes) {
  T value{};
  if (bytes.size() == sizeof value) std::ranges::copy(bytes, reinterpret_cast<char*>(&value));
  return value;
}

/// Which of its kinds a cell is, and its value.
std::string bytesOfCell(const Cell& cell) {
  if (const auto text = analysis::textOf(cell)) return "t" + std::string(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return "i" + bytesOf(*whole);
  if (const auto* real = std::get_if<double>(&cell)) return "d" + bytesOf(*real);
  return {};
}

Cell cellOf(std::string_view bytes) {
  if (bytes.empty()) return {};
  const std::string_view value = bytes.substr(1);
  if (bytes.front() == 't') return std::string(value);
  if (bytes.front() == 'i') return valueOf<std::int64_t>(value);
  return valueOf<double>(value);
}

/// Texts one after the other, empty ones behind the last.
class Texts {
 public:
  explicit Texts(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  std::string next() { return next_ < texts_.size() ? std::move(texts_[next_++]) : std::string(); }
  std::vector<std::string> rest() {
    return {std::make_move_iterator(texts_.begin() + static_cast<std::ptrdiff_t>(next_)),
            std::make_move_iterator(texts_.end())};
  }
  std::size_t number() { return std::min<std::size_t>(valueOf<std::uint64_t>(next()), texts_.size()); }

 private:
  std::vector<std::string> texts_;
  std::size_t next_ = 0;
};

void add(std::vector<std::string>& texts, const Table& table) {
  texts.insert(texts.end(), {table.name, table.title, bytesOf(table.look), bytesOf(table.columns.size())});
  for (const analysis::Column& column : table.columns) texts.insert(texts.end(), {column.title, bytesOf(column.kind)});
  texts.push_back(bytesOf(table.rows.size()));
  for (const auto& row : table.rows)
    for (const Cell& cell : row) texts.push_back(bytesOfCell(cell));
}

Table tableOf(Texts& texts) {
  Table table;
  table.name = texts.next();
  table.title = texts.next();
  table.look = valueOf<Table::Look>(texts.next());
  table.columns.resize(texts.number());
  for (analysis::Column& column : table.columns) {
    column.title = texts.next();
    column.kind = valueOf<analysis::ColumnKind>(texts.next());
  }
  table.rows.resize(texts.number());
  for (auto& row : table.rows)
    for (std::size_t i = 0; i < table.columns.size(); ++i) row.push_back(cellOf(texts.next()));
  return table;
}

}  // namespace

// Instances of all rows, then everything else, then how many instances there are.
bool writeTables(FileTables tables, int file) {
  std::vector<std::string> texts{tables.rank, bytesOf(tables.made.size())};
  std::uint64_t all = 0;
  for (TableOrNot& each : tables.made) {
    texts.insert(texts.end(), {each.words, each.table ? "table" : ""});
    if (!each.table) continue;
    add(texts, *each.table);
    texts.push_back(bytesOf(each.table->instances.size()));
    for (std::vector<std::int64_t>& instances : each.table->instances) {
      std::ranges::sort(instances);
      texts.push_back(bytesOf(instances.size()));
      all += instances.size();
      if (!writeAll(file, {reinterpret_cast<const char*>(instances.data()), instances.size() * sizeof(std::int64_t)}))
        return false;
    }
  }
  texts.insert(texts.end(), tables.more.begin(), tables.more.end());
  return writeAll(file, packed(texts)) && writeAll(file, bytesOf(all));
}

ReceivedTables::ReceivedTables(int file) : file_(file) {
  const std::string_view bytes = file_.bytes();
  if (bytes.size() < sizeof(std::uint64_t)) return;
  const std::size_t end = bytes.size() - sizeof(std::uint64_t);
  const std::size_t count =
      std::min<std::size_t>(valueOf<std::uint64_t>(bytes.substr(end)), end / sizeof(std::int64_t));
  const auto* next = reinterpret_cast<const std::int64_t*>(bytes.data());
  const auto* const last = next + count;
  const std::size_t begin = count * sizeof(std::int64_t);
  Texts texts(unpacked(bytes.substr(begin, end - begin)).value_or(std::vector<std::string>()));
  tables_.rank = texts.next();
  tables_.made.resize(texts.number());
  for (TableOrNot& each : tables_.made) {
    each.words = texts.next();
    auto& instances = instances_.emplace_back();
    if (texts.next().empty()) continue;
    each.table = tableOf(texts);
    instances.resize(texts.number());
    for (auto& row : instances) {
      const auto size =
          std::min<std::uint64_t>(valueOf<std::uint64_t>(texts.next()), static_cast<std::uint64_t>(last - next));
      row = {next, static_cast<std::size_t>(size)};
      next += size;
    }
  }
  tables_.more = texts.rest();
}

analysis::TablePart ReceivedTables::take(std::size_t i, std::string from) {
  return {std::move(from), std::move(*tables_.made[i].table), std::move(instances_[i])};
}

}  // namespace lanescope::cli
