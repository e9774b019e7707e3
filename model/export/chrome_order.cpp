// SPDX-License-Identifier: Apache-2.0
#include "model/export/chrome_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/trace/ids.h"

namespace lanescope::exporting {

using trace::Ns;

namespace {

constexpr int kTable = 0, kRow = 1, kStart = 2, kEnd = 3,
              kFirst = 4; // columns of a sorted row

/// Rows of all the tables that the slice holds, sorted by `order`: table,
/// rowid, start, end, then `columns`.
template <class Visit>
void forEachSorted(const report::Slice& slice, std::span<const std::string_view> tables, const report::Columns& columns,
                   std::string_view order, Visit visit) {
  report::Columns all{"start", "end"};
  all.insert(all.end(), columns.begin(), columns.end());
  std::vector<std::string> names{"tab", "row"};
  for (const std::string_view column : all) names.push_back(report::quotedName(column));
  std::string sql;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string rows = report::selectColumns(slice.database(), tables[i], all);
    if (rows.empty()) continue;
    sql += fmt::format("{}SELECT {}, * FROM ({})", sql.empty() ? "" : " UNION ALL ", i, rows);
  }
  if (sql.empty()) return;
  auto statement =
      slice.database().prepare(fmt::format("WITH rows({}) AS ({}) SELECT * FROM rows ORDER BY {}, "
                                           "\"start\", \"end\" DESC, tab, row",
                                           fmt::join(names, ", "), sql, order));
  while (statement && !slice.cancelled() && statement->step()) {
    const Ns start = statement->integer(kStart), end = statement->integer(kEnd);
    const bool isEvent = start >= trace::kMinTime && start <= end && end <= trace::kMaxTime;
    if (isEvent && (!slice.range() || slice.range()->touches(start, end))) visit(*statement);
  }
}

/// What is open on the lanes of a track: of each the ends of the events that
/// lie within one another.
class OpenLanes {
 public:
  int take(Ns start, Ns end) {
    for (std::size_t lane = 0;; ++lane) {
      if (lane == ends_.size()) ends_.emplace_back();
      std::vector<Ns>& open = ends_[lane];
      while (!open.empty() && open.back() <= start) open.pop_back();
      const bool fits = open.empty() || end <= open.back();
      if (!fits && lane + 1 < Lanes::kMost) continue;
      open.push_back(end);
      return static_cast<int>(lane);
    }
  }

 private:
  std::vector<std::vector<Ns>> ends_;
};

} // namespace

void Lanes::Digits::set(std::int64_t rowid, int lane) {
  for (std::size_t digit = 0; lane >> digit != 0; ++digit) {
    if (digit == sets.size()) sets.emplace_back();
    if ((lane >> digit & 1) != 0) sets[digit].insert(rowid);
  }
}

void Lanes::add(const report::Slice& slice, std::span<const std::string_view> tables, const report::Columns& track) {
  std::map<std::vector<std::int64_t>, OpenLanes> tracks;
  forEachSorted(slice, tables, track, "\"start\"", [&](const report::Statement& row) {
    std::vector<std::int64_t> key(track.size());
    for (std::size_t i = 0; i < key.size(); ++i) key[i] = row.integer(kFirst + static_cast<int>(i));
    const int lane = tracks[std::move(key)].take(row.integer(kStart), row.integer(kEnd));
    if (lane > 0)
      lanes_[std::string(tables[static_cast<std::size_t>(row.integer(kTable))])].set(row.integer(kRow), lane);
  });
}

int Lanes::of(std::string_view table, std::int64_t rowid) const {
  const auto found = lanes_.find(table);
  int lane = 0;
  for (std::size_t digit = 0; found != lanes_.end() && digit < found->second.sets.size(); ++digit)
    lane |= static_cast<int>(found->second.sets[digit].contains(rowid)) << digit;
  return lane;
}

LaterCalls::LaterCalls(const report::Slice& slice, std::span<const std::string_view> tables) {
  std::int64_t process = 0, correlation = 0;
  forEachSorted(slice, tables, {"globalTid", "correlationId"},
                fmt::format("globalTid & ~{}, correlationId", trace::kThreadBits), [&](const report::Statement& row) {
                  const std::int64_t ofProcess = row.integer(kFirst) & ~trace::kThreadBits,
                                     id = row.integer(kFirst + 1);
                  if (id != 0 && id == correlation && ofProcess == process)
                    rows_[std::string(tables[static_cast<std::size_t>(row.integer(kTable))])].insert(row.integer(kRow));
                  process = ofProcess, correlation = id;
                });
}

bool LaterCalls::contains(std::string_view table, std::int64_t rowid) const {
  const auto found = rows_.find(table);
  return found != rows_.end() && found->second.contains(rowid);
}

} // namespace lanescope::exporting
