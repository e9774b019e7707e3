// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/load.h"

#include <fmt/format.h>

#include "model/report/database.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"

namespace lanescope::bench {

int load(const std::filesystem::path& file, bool projections) {
  std::vector<std::string> queries;
  const std::int64_t before = anonymousBytes();
  const auto began = Clock::now();
  double shown = 0;  // when the last part but one was there: with projections, all that is in the file
  const auto trace = report::load(
      file, {.projections = projections, .queries = &queries},
      [&](const trace::TracePtr& t) {
        if (!t->complete) shown = secondsSince(began);
      },
      Job{});
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
  const auto held = events + static_cast<double>((*trace)->projectionCount());
  fmt::print(
      "{{\"events\":{},\"seconds\":{:.3f},\"shown_seconds\":{:.3f},\"scan_seconds\":{:.3f},\"events_per_s\":{:.0f},"
      "\"peak_rss_bytes\":{},\"projections\":{},\"bytes_per_event\":{:.1f},\"bytes_per_event_of_file\":{:.1f}}}\n",
      (*trace)->eventCount(), seconds, shown, scanSeconds, events / seconds, peak, (*trace)->projectionCount(),
      static_cast<double>(grown) / held, static_cast<double>(grown) / events);
  return 0;
}

}  // namespace lanescope::bench
