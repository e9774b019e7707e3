// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/report_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::analysis {

using trace::EventRef;
using trace::LaneId;
using trace::NameId;

namespace {

Line lineOf(Statistics figures, const std::vector<std::string>& before, std::string name) {
  Line line{figures, before};
  line.words.push_back(std::move(name));
  return line;
}

void addWords(Table& table, std::vector<std::string> words) {
  for (std::string& word : words) table.columns.push_back({std::move(word), ColumnKind::kText});
}

/// Its words, what it may lack and its instances, behind its figures.
void finishRow(Table& table, std::vector<Cell> row, Line& line) {
  for (std::string& word : line.words) row.emplace_back(std::move(word));
  table.rows.push_back(std::move(row));
  table.caveats.push_back(std::move(line.caveat));
  if (!line.instances.empty()) table.instances.push_back(std::move(line.instances));
}

template <class Text>
void addByName(const ReportInput& input, Lanes lanes, Text textOf, std::vector<Line>& lines,
               const std::vector<std::string>& before, std::string_view prefix) {
  std::unordered_map<std::string_view, std::uint32_t> groupOf;
  std::vector<std::string_view> texts;
  Grouping grouping(input.trace, input.scope.range, Clip::kWholeEvents, input.job);
  std::vector<std::vector<trace::Ns>> instances;
  const std::vector<Group> groups = grouping.of(
      lanes,
      [&](NameId name) {
        const std::string_view text = textOf(name);
        const auto [found, isNew] = groupOf.try_emplace(text, static_cast<std::uint32_t>(texts.size()));
        if (isNew) texts.push_back(text);
        return found->second;
      },
      input.withInstances ? &instances : nullptr);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].time.count == 0) continue;
    Line& line = lines.emplace_back(lineOf(groups[i].time, before, std::string(prefix) + std::string(texts[i])));
    if (groups[i].unfinished > 0) line.caveat = fmt::format("without {} that had no end", groups[i].unfinished);
    if (input.withInstances) line.instances = std::move(instances[i]);
  }
}

}  // namespace

std::string_view wholeText(const trace::Name& name) { return name.text; }

void addLines(const ReportInput& input, Lanes lanes, TextOf textOf, std::vector<Line>& lines,
              const std::vector<std::string>& before, std::string_view prefix) {
  const trace::NameTable& names = *input.trace.names;
  addByName(input, lanes, [&](NameId name) { return textOf(names[name]); }, lines, before, prefix);
}

void addKernelLines(const ReportInput& input, Lanes lanes, std::vector<Line>& lines,
                    const std::vector<std::string>& before) {
  KernelNames names(input);
  if (names.byName()) return addByName(input, lanes, [&](NameId name) { return names.of(name); }, lines, before, {});
  std::unordered_map<std::string_view, std::vector<std::int64_t>> times;
  for (const LaneId id : lanes) {
    const trace::Lane& lane = *input.trace.lanes[id];
    const auto [first, last] = input.events(id);
    for (std::size_t i = first; i < last; ++i)
      times[names.of(EventRef{id, static_cast<std::uint32_t>(i)})].push_back(lane.duration(i));
  }
  for (auto& [text, values] : times) {
    lines.push_back(lineOf(statisticsOf(values), before, std::string(text)));
    if (input.withInstances) lines.back().instances = std::move(values);
  }
}

void sortLines(std::vector<Line>& lines) {
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    if (a.figures.total != b.figures.total) return a.figures.total > b.figures.total;
    return std::lexicographical_compare(a.words.rbegin(), a.words.rend(), b.words.rbegin(), b.words.rend());
  });
}

void addSpread(std::vector<Cell>& row, const Statistics& figures) {
  row.insert(row.end(), {figures.mean, figures.median, figures.min, figures.max, figures.deviation});
}

Table timeTable(std::vector<Line> lines, const char* count, std::vector<std::string> words) {
  sortLines(lines);
  Table table;
  table.columns = {{"Time", ColumnKind::kShare}, {"Total Time", ColumnKind::kTime}, {count, ColumnKind::kCount},
                   {"Avg", ColumnKind::kTime},   {"Med", ColumnKind::kTime},        {"Min", ColumnKind::kTime},
                   {"Max", ColumnKind::kTime},   {"StdDev", ColumnKind::kTime}};
  addWords(table, std::move(words));
  long double all = 0;
  for (const Line& line : lines) all += static_cast<long double>(line.figures.total);
  for (Line& line : lines) {
    const Statistics& s = line.figures;
    const auto share = all > 0 ? static_cast<double>(100 * static_cast<long double>(s.total) / all) : 0.0;
    std::vector<Cell> row{share, s.total, whole(s.count)};
    addSpread(row, s);
    finishRow(table, std::move(row), line);
  }
  return table;
}

Table sizeTable(std::vector<Line> lines, std::vector<std::string> words) {
  sortLines(lines);
  Table table;
  table.columns = {{"Total", ColumnKind::kSize}, {"Count", ColumnKind::kCount}, {"Avg", ColumnKind::kSize},
                   {"Med", ColumnKind::kSize},   {"Min", ColumnKind::kSize},    {"Max", ColumnKind::kSize},
                   {"StdDev", ColumnKind::kSize}};
  addWords(table, std::move(words));
  for (Line& line : lines) {
    std::vector<Cell> row{line.figures.total, whole(line.figures.count)};
    addSpread(row, line.figures);
    finishRow(table, std::move(row), line);
  }
  return table;
}

bool isCaveats(const Column& column) { return column.title == "Caveat"; }

void showCaveats(Table& table) {
  if (std::ranges::all_of(table.caveats, &std::string::empty)) return;
  table.columns.push_back({"Caveat", ColumnKind::kText});
  for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i].emplace_back(std::move(table.caveats[i]));
}

}  // namespace lanescope::analysis
