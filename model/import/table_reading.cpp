// SPDX-License-Identifier: Apache-2.0
#include "model/import/table_reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/utf8.h"

namespace lanescope::imported {

TableReading::TableReading(const report::Database& database, Recording& recording, const Job& job)
    : database_(database), recording_(recording), job_(job) {
  for (const std::string& table : database.tables()) expected_ += lastRow(table);
  for (const trace::Issue& warning : database.warnings()) recording.issues.push_back(warning);
}

std::uint64_t TableReading::lastRow(std::string_view table) const {
  if (!database_.has(table)) return 0;
  const std::int64_t last = database_.integer("SELECT max(rowid) FROM " + report::quotedName(table));
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(last, 0, std::int64_t{1} << 40));
}

void TableReading::leaveOut(std::string_view table, std::uint64_t rows) {
  if (rows > 0) leftOut_[std::string(table)] += rows;
}

void TableReading::tell(std::string_view prefix, std::uint64_t missingNames) {
  const auto lost = [&](const char* kind, std::uint64_t count, const char* what) {
    if (count > 0) recording_.issues.push_back({kind, count, fmt::format("{} {}", count, what)});
  };
  lost("time-not-a-number", notNumbers_, "rows whose times are not whole numbers");
  lost("string-missing", missingNames, "names that the file refers to but does not hold");
  for (const std::string& table : database_.tables()) {
    if (job_.cancelled()) return;
    if (!table.starts_with(prefix) || read_.contains(table)) continue;
    const std::int64_t rows = database_.integer("SELECT count(*) FROM " + report::quotedName(table));
    leaveOut(std::string_view(table).substr(prefix.size()),
             static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 0)));
  }
  if (leftOut_.empty()) return;
  constexpr std::size_t kNamed = 20;
  std::uint64_t rows = 0;
  std::size_t named = 0;
  std::string list;
  for (const auto& [table, count] : leftOut_) {
    rows += count;
    if (++named <= kNamed) list += fmt::format("{}{} ({})", named == 1 ? "" : ", ", repairUtf8(table), count);
  }
  if (named > kNamed) list += fmt::format(" and {} other tables", named - kNamed);
  recording_.issues.push_back({"import-not-shown", rows, "Rows that are not shown: " + list});
}

bool TableReading::tick(std::string_view table) const {
  job_.progress(std::min(1.0, static_cast<double>(rows_) / static_cast<double>(std::max<std::uint64_t>(expected_, 1))),
                table);
  return !job_.cancelled();
}

void TableReading::damaged(std::string_view table) {
  recording_.issues.push_back(
      {"table-damaged", 1, fmt::format("Table {} is damaged: rows behind the damage were not read", table)});
}

}  // namespace lanescope::imported
