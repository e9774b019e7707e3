// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stats_across.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/remote_file.h"
#include "app/cli/stats_delivery.h"
#include "model/together/read_ranks.h"

namespace lanescope::cli {
namespace {

void tellClocks(const together::Ranks& ranks, bool quiet) {
  const std::vector<std::string> names = together::shortNames(ranks.identities);
  for (std::size_t i = 1; i < names.size(); ++i) {
    const together::Placement& placement = ranks.placements[i];
    if (placement.contradicted || placement.method == together::ClockMethod::kNone)
      sayReason(ranks.identities[i].path.string(), placement.sentence);
    else if (!quiet) print("Clock of {} against {}: {}\n", names[i], names[0], placement.sentence);
  }
}

}  // namespace

int statsAcross(const std::vector<std::string>& files, const StatsOptions& options, const StatsRequest& request) {
  std::vector<std::string> paths;
  int status = localFiles(files, paths);
  if (paths.empty()) return status;
  const Result<together::Ranks> ranks = together::readRanks({paths.begin(), paths.end()}, options.strict);
  if (!ranks) return std::max(status, complain(ranks.error()));
  tellClocks(*ranks, options.quiet);
  const Source source =
      paths.size() == 1 ? sourceOf(paths.front()) : Source{fmt::format("{} files", paths.size()), {}, true};
  for (const StatsOrder& order : request.across) {
    Made made{{}, "collectives that several ranks took part in", {}};
    if (const analysis::Table table = order.across->make(ranks->across); !table.rows.empty())
      made = {table.title, toText(table, order.style, request.unit), {}};
    status = std::max(status, deliver(made, order, source, options, request.suffix));
  }
  return status;
}

}  // namespace lanescope::cli
