// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/merged_table.h"

#include <algorithm>
#include <map>

#include "model/analysis/report_lines.h"

namespace lanescope::analysis {
namespace {

struct Merging {
  std::vector<std::span<const std::int64_t>> instances;
  std::vector<std::pair<std::string_view, std::string>> caveats;  // of which part, and what
};

std::string caveatOf(const Merging& of) {
  const auto isFirst = [&](const auto& each) { return each.second == of.caveats.front().second; };
  if (of.caveats.size() == of.instances.size() && std::ranges::all_of(of.caveats, isFirst))
    return of.caveats.front().second;
  std::string text;
  for (const auto& [from, what] : of.caveats)
    text.append(text.empty() ? "" : "; ").append(from).append(": ").append(what);
  return text;
}

/// "Total Time" and "Total": the reports of times begin with a share, those of sizes do not.
bool isOfTimes(const Table& table) { return table.columns.front().kind == ColumnKind::kShare; }

}  // namespace

std::optional<Table> mergedTable(std::span<const TablePart> parts) {
  const Table* first = nullptr;
  std::vector<std::string> words;  // the titles of what a key consists of
  std::map<std::vector<std::string>, Merging> byKey;
  for (const TablePart& part : parts) {
    if (part.table.rows.empty()) continue;
    if (part.instances.size() != part.table.rows.size()) return std::nullopt;
    for (std::size_t i = 0; i < part.table.rows.size(); ++i) {
      std::vector<std::string> key;
      std::string caveat;
      for (std::size_t k = 0; k < part.table.columns.size(); ++k) {
        const Column& column = part.table.columns[k];
        if (column.kind != ColumnKind::kText) continue;
        const std::string text(textOf(part.table.rows[i][k]).value_or(""));
        if (isCaveats(column)) caveat = text;
        else key.push_back(text);
        if (first == nullptr && !isCaveats(column)) words.push_back(column.title);
      }
      first = first == nullptr ? &part.table : first;
      Merging& row = byKey[std::move(key)];
      row.instances.push_back(part.instances[i]);
      if (!caveat.empty()) row.caveats.emplace_back(part.from, std::move(caveat));
    }
  }
  if (first == nullptr) return std::nullopt;
  std::vector<Line> lines;
  lines.reserve(byKey.size());
  for (const auto& [key, row] : byKey)
    lines.push_back({statisticsOf(row.instances), key, row.caveats.empty() ? std::string() : caveatOf(row)});
  Table table = isOfTimes(*first) ? timeTable(std::move(lines), first->columns[2].title.c_str(), std::move(words))
                                  : sizeTable(std::move(lines), std::move(words));
  showCaveats(table);
  table.name = first->name;
  table.title = first->title;
  return table;
}

Table tableByPart(std::vector<TablePart> parts, const std::string& title) {
  Table all;
  all.columns = {{title, ColumnKind::kText}};
  for (TablePart& part : parts) {
    if (all.name.empty()) {
      all.name = part.table.name;
      all.title = part.table.title;
      all.look = part.table.look;
    }
    std::vector<std::size_t> places;  // of its columns
    for (const Column& column : part.table.columns) {
      const auto taken = [&](std::size_t place) { return std::ranges::find(places, place) != places.end(); };
      std::size_t place = 1;
      while (place < all.columns.size() && (all.columns[place].title != column.title || taken(place))) ++place;
      if (place == all.columns.size()) all.columns.push_back(column);
      places.push_back(place);
    }
    for (std::vector<Cell>& cells : part.table.rows) {
      std::vector<Cell>& row = all.rows.emplace_back(all.columns.size());
      row.front() = part.from;
      for (std::size_t i = 0; i < places.size(); ++i) row[places[i]] = std::move(cells[i]);
    }
  }
  for (std::vector<Cell>& row : all.rows) row.resize(all.columns.size());
  return all;
}

}  // namespace lanescope::analysis
