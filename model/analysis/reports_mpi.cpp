// SPDX-License-Identifier: Apache-2.0
// MPI's calls: by name, one by one, and their messages by size.
#include <algorithm>
#include <array>
#include <charconv>

#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"

namespace lanescope::analysis {

using trace::EventRef;
using trace::LaneId;

namespace {

struct MpiTable {
  const char *table, *source;
};
constexpr std::array<MpiTable, 4> kTables{{{"MPI_P2P_EVENTS", "p2p"},
                                           {"MPI_COLLECTIVES_EVENTS", "coll"},
                                           {"MPI_START_WAIT_EVENTS", "start_wait"},
                                           {"MPI_OTHER_EVENTS", "other"}}};

std::vector<LaneId> lanesOf(const ReportInput& input, std::string_view table) {
  std::vector<LaneId> lanes = input.lanes(std::array{trace::EventKind::kLibraryCall});
  std::erase_if(lanes, [&](LaneId lane) { return input.trace.tables[input.trace.laneInfo[lane].table] != table; });
  return lanes;
}

/// Of processes that a launcher or MPI itself told one.
std::vector<Cell> ranks(const ReportInput& input) {
  std::vector<Cell> ranks(input.trace.processes.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::string& text = input.trace.processes[i].rank;
    std::int64_t rank = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
    if (error == std::errc() && end == text.data() + text.size()) ranks[i] = rank;
  }
  return ranks;
}

/// Bytes by call of one column.
void addSizes(const ReportInput& input, const MpiTable& from, const char* column, const char* source,
              std::vector<Line>& lines) {
  const TableValues values(input, from.table, {column});
  std::unordered_map<std::string_view, std::vector<std::int64_t>> sizes;
  for (const LaneId id : lanesOf(input, from.table)) {
    const auto [first, last] = input.events(id);
    for (std::size_t i = first; i < last; ++i) {
      const EventRef call{id, static_cast<std::uint32_t>(i)};
      if (const auto bytes = values.at(call, 0); bytes && *bytes >= 0) sizes[input.text(call)].push_back(*bytes);
    }
  }
  for (auto& [name, all] : sizes) {
    Line& line = lines.emplace_back(Line{statisticsOf(all), {source, std::string(name)}});
    if (input.withInstances) line.instances = std::move(all);
  }
}

}  // namespace

MadeTable mpiSum(const ReportInput& input) {
  std::vector<Line> lines;
  for (const MpiTable& each : kTables) addLines(input, lanesOf(input, each.table), wholeText, lines, {each.source});
  if (lines.empty()) return std::nullopt;
  return timeTable(std::move(lines), "Instances", {"Source", "Name"});
}

MadeTable mpiTrace(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  std::vector<LaneId> lanes;
  for (const MpiTable& each : kTables) {
    const std::vector<LaneId> some = lanesOf(input, each.table);
    lanes.insert(lanes.end(), some.begin(), some.end());
  }
  if (lanes.empty()) return std::nullopt;
  std::ranges::sort(lanes);
  const TableValues messages(input, "MPI_P2P_EVENTS", {"tag", "remoteRank", "size"});
  const TableValues collectives(input, "MPI_COLLECTIVES_EVENTS", {"rootRank", "size", "recvSize"});
  const TableValues others(input, "MPI_OTHER_EVENTS", {"tag"});
  const std::vector<Cell> rankOf = ranks(input);

  Table table;
  table.columns = {{"Start", ColumnKind::kTime},
                   {"End", ColumnKind::kTime},
                   {"Duration", ColumnKind::kTime},
                   {"Event", ColumnKind::kText},
                   {"Pid", ColumnKind::kId},
                   {"Tid", ColumnKind::kId},
                   {"Tag", ColumnKind::kId},
                   {"Rank", ColumnKind::kId},
                   {"PeerRank", ColumnKind::kId},
                   {"RootRank", ColumnKind::kId},
                   {"Size", ColumnKind::kBytes},
                   {"CollSendSize", ColumnKind::kBytes},
                   {"CollRecvSize", ColumnKind::kBytes}};
  for (const EventRef call : input.byStart(lanes)) {
    const trace::TimeRange time = trace.time(call);
    const Cell tag = messages.at(call, 0) ? messages.cell(call, 0) : others.cell(call, 0);
    table.rows.push_back({time.begin, time.end, time.length(), KeptText(input.text(call)), input.pidOf(call),
                          input.tidOf(call), tag, rankOf[trace.info(call).process], messages.cell(call, 1),
                          collectives.cell(call, 0), messages.cell(call, 2), collectives.cell(call, 1),
                          collectives.cell(call, 2)});
  }
  return table;
}

MadeTable mpiMessageSizes(const ReportInput& input) {
  std::vector<Line> lines;
  addSizes(input, kTables[0], "size", "p2p", lines);
  addSizes(input, kTables[1], "size", "coll_send", lines);
  addSizes(input, kTables[1], "recvSize", "coll_recv", lines);
  if (lines.empty()) return std::nullopt;
  Table table = sizeTable(std::move(lines), {"Source", "Name"});
  table.columns[0] = {"Total Message Volume", ColumnKind::kSize};
  table.columns[1] = {"Instances", ColumnKind::kCount};
  for (Column& column : table.columns)
    if (column.kind == ColumnKind::kSize) column.kind = ColumnKind::kBytes;
  return table;
}

}  // namespace lanescope::analysis
