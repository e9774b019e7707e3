// SPDX-License-Identifier: Apache-2.0
#include "model/report/caveats.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/report/diagnostics.h"
#include "model/report/table_scan.h"
#include "model/utf8.h"

namespace lanescope::report {

std::vector<trace::Issue> caveats(const Database& database, const Job& job) {
  constexpr std::size_t kMost = 1000;  // a recorder writes a few a process
  std::vector<trace::Issue> all;
  scanTable(database, "LANESCOPE_ISSUES", {"kind", "count", "text"}, [&](const TableRow& row) {
    if (!row.text(0).empty() && !row.text(2).empty())
      all.push_back({.kind = repairUtf8(row.text(0)),
                     .count = static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer(1), 0)),
                     .text = repairUtf8(row.text(2))});
    return all.size() < kMost;
  });
  all.insert(all.end(), database.warnings().begin(), database.warnings().end());
  constexpr const char* kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
  const std::int64_t graphs =
      database.has(kGraphs) ? database.integer(fmt::format("SELECT count(*) FROM {}", kGraphs)) : 0;
  if (graphs > 0)
    all.push_back({.kind = "graphs-not-recorded",
                   .count = static_cast<std::uint64_t>(graphs),
                   .text = fmt::format("{} graph launches were recorded as a whole: the kernels inside are not in this "
                                       "report; record with --cuda-graph-trace=node",
                                       graphs)});
  if (const LossesSaid said = lossesSaid(database, job); said.count > 0)
    all.push_back({.kind = "records-dropped", .count = said.count, .text = "The profiler said: " + said.text});
  return all;
}

}  // namespace lanescope::report
