// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/load.h"

#include <fmt/format.h>

#include "model/report/database.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"

namespace lanescope::bench {

int load(const std::filesystem::path& file) {
  std::vector<std::string> queries;
  const std::int64_t before = anonymousBytes();
  const auto began = Clock::now();
  const auto trace = report::load(file, {.queries = &queries}, {}, Job{});
  const double seconds = secondsSince(began);
  if (!trace) {
    fmt::print(stderr, "lanescope-bench: {}\n", sentence(trace.error()));
    return exitStatus(trace.error());
  }
  const std::int64_t grown = anonymousBytes() - before - static_cast<std::int64_t>((*trace)->names->textBytes());
  const std::int64_t peak = peakBytes();

  const auto database = report::Database::open(file);
  const auto scanBegan = Clock::now();
  for (const std::string& query : queries)
    if (auto statement = database->prepare(query))
      while (statement->step()) {
      }
  const double scanSeconds = secondsSince(scanBegan);

  const auto events = static_cast<double>(std::max<std::size_t>((*trace)->eventCount(), 1));
  fmt::print(
      "{{\"events\":{},\"seconds\":{:.3f},\"scan_seconds\":{:.3f},\"events_per_s\":{:.0f},\"peak_rss_bytes\":{},"
      "\"bytes_per_event\":{:.1f}}}\n",
      (*trace)->eventCount(), seconds, scanSeconds, events / seconds, peak, static_cast<double>(grown) / events);
  return 0;
}

}  // namespace lanescope::bench
