// SPDX-License-Identifier: Apache-2.0
#include "model/report/record.h"

#include "model/format.h"

namespace lanescope::report {

Record::Record(const Database& database, const std::string& table, std::uint64_t rowid) : database_(database) {
  if (!database.has(table)) return;
  auto row = database.prepare("SELECT * FROM " + quotedName(table) + " WHERE rowid = ?1");
  if (!row) return;
  row->bind(1, static_cast<std::int64_t>(rowid));
  if (row->step()) row_ = std::move(*row);
  if (row_.raw()) read_.resize(static_cast<std::size_t>(row_.columns()));
}

int Record::find(std::string_view column) const {
  if (!row_.raw()) return -1;
  for (int i = 0; i < row_.columns(); ++i) {
    if (column != sqlite3_column_name(row_.raw(), i)) continue;
    read_[static_cast<std::size_t>(i)] = true;
    return row_.isNull(i) ? -1 : i;
  }
  return -1;
}

std::vector<Record::Cell> Record::unread() const {
  std::vector<Cell> cells;
  for (int i = 0; i < static_cast<int>(read_.size()); ++i) {
    if (read_[static_cast<std::size_t>(i)] || row_.isNull(i)) continue;
    const bool bytes = sqlite3_column_type(row_.raw(), i) == SQLITE_BLOB;
    cells.push_back({row_.columnName(i), bytes ? formatBytes(row_.text(i).size()) : std::string(row_.text(i))});
  }
  return cells;
}

std::optional<std::int64_t> Record::integer(std::string_view column) const {
  const int i = find(column);
  return i >= 0 && row_.isInteger(i) ? std::optional(row_.integer(i)) : std::nullopt;
}

std::optional<double> Record::real(std::string_view column) const {
  const int i = find(column);
  return i >= 0 ? std::optional(row_.real(i)) : std::nullopt;
}

std::optional<std::string_view> Record::text(std::string_view column) const {
  const int i = find(column);
  return i >= 0 ? std::optional(row_.text(i)) : std::nullopt;
}

std::optional<std::string> Record::string(std::string_view column) const {
  const auto id = integer(column);
  if (!id || !database_.has("StringIds")) return std::nullopt;
  const std::string text = database_.text("SELECT value FROM StringIds WHERE id = " + std::to_string(*id));
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace lanescope::report
