// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "model/analysis/find.h"
#include "model/report/load.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"

namespace lanescope::bench {

int search(const std::filesystem::path& file, const std::string& text, bool regex) {
  const auto trace = report::load(file, {}, {}, Job{});
  if (!trace) {
    fmt::print(stderr, "lanescope-bench: {}\n", sentence(trace.error()));
    return exitStatus(trace.error());
  }
  const auto query = analysis::Query::parse(text, regex);
  if (!query) {
    fmt::print(stderr, "lanescope-bench: {}: {}\n", text, query.error().why);
    return 2;
  }
  constexpr int kSearches = 9, kSteps = 1000;
  std::vector<double> milliseconds;
  analysis::Hits hits;
  for (int i = 0; i < kSearches; ++i) {
    const auto began = Clock::now();
    hits = analysis::find(**trace, *query);
    milliseconds.push_back(secondsSince(began) * 1e3);
  }

  std::optional<trace::EventRef> at;
  const auto began = Clock::now();
  for (int i = 0; i < kSteps; ++i) at = analysis::nextHit(**trace, hits, at, (*trace)->range.begin);
  const double step = secondsSince(began) * 1e6 / kSteps;

  fmt::print("{{\"events\":{},\"names\":{},\"lanes\":{},\"hits\":{},\"find_ms\":{:.3f},\"next_hit_us\":{:.3f}}}\n",
             (*trace)->eventCount(), (*trace)->names->size(), (*trace)->lanes.size(), hits.count,
             percentiles(milliseconds).p50, step);
  return 0;
}

}  // namespace lanescope::bench
