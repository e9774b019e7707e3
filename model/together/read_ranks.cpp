// SPDX-License-Identifier: Apache-2.0
#include "model/together/read_ranks.h"

#include "model/report/load.h"

namespace lanescope::together {

Result<Ranks> readRanks(const std::vector<std::filesystem::path>& files, bool strict, const Job& job) {
  Ranks ranks;
  for (const std::filesystem::path& file : files) {
    auto identity = identify(file);
    if (!identity) return tl::unexpected(identity.error());
    ranks.identities.push_back(std::move(*identity));
  }
  sortForShow(ranks.identities);
  using trace::EventKind;
  const report::LoadOptions load{.strict = strict,
                                 .only = {EventKind::kKernel, EventKind::kCudaApi, EventKind::kNvtxRange}};
  std::vector<ReportCalls> reports;
  for (const Identity& identity : ranks.identities) {
    const Result<trace::TracePtr> trace = report::load(identity.path, load, {}, job);
    if (!trace) return tl::unexpected(trace.error());
    reports.push_back(callsOf(**trace, identity.path, job));
  }
  ranks.placements = place(ranks.identities, reports);
  ranks.across = across(ranks.identities, ranks.placements, reports);
  return ranks;
}

}  // namespace lanescope::together
