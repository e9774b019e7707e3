// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/load.h"

#include <fmt/format.h>

#include "model/import/import.h"
#include "model/report/database.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"

namespace lanescope::bench {

namespace {

/// Another tool's file, on one thread but for what unpacks it.
Result<trace::TracePtr> loadForeign(const std::filesystem::path& file, bool projections) {
  auto recording = imported::read(file, {}, Job());
  if (!recording) return tl::unexpected(recording.error());
  return imported::toTrace(std::move(*recording), {.projections = projections}, Job());
}

}  // namespace

int load(const std::filesystem::path& file, bool projections) {
  std::vector<std::string> queries;
  const std::int64_t before = anonymousBytes();
  const auto began = Clock::now();
  double shown = 0;  // when the last part but one was there: with projections, all that is in the file
  const auto format = imported::formatOf(file);
  const bool isReport = !format || *format == imported::Format::kReport;
  const auto trace = isReport ? report::load(
                                    file, {.projections = projections, .queries = &queries},
                                    [&](const trace::TracePtr& t) {
                                      if (!t->complete) shown = secondsSince(began);
                                    },
                                    Job{})
                              : loadForeign(file, projections);
  const double seconds = secondsSince(began);
  if (!trace) {
    fmt::print(stderr, "lanescope-bench: {}\n", sentence(trace.error()));
    return exitStatus(trace.error());
  }
  const std::int64_t grown = anonymousBytes() - before - static_cast<std::int64_t>((*trace)->names->textBytes());
  const std::int64_t peak = peakBytes();

  const auto events = static_cast<double>(std::max<std::size_t>((*trace)->eventCount(), 1));
  const auto held = events + static_cast<double>((*trace)->projectionCount());
  if (!isReport) {
    std::error_code unknown;
    const auto size = static_cast<double>(std::filesystem::file_size(file, unknown));
    fmt::print(
        "{{\"events\":{},\"seconds\":{:.3f},\"events_per_s\":{:.0f},\"file_mb_per_s\":{:.1f},\"peak_rss_bytes\":{},"
        "\"projections\":{},\"bytes_per_event\":{:.1f},\"bytes_per_event_of_file\":{:.1f}}}\n",
        (*trace)->eventCount(), seconds, events / seconds, size / 1e6 / seconds, peak, (*trace)->projectionCount(),
        static_cast<double>(grown) / held, static_cast<double>(grown) / events);
    return 0;
  }

  const auto database = report::Database::open(file);
  const auto scanBegan = Clock::now();
  for (const std::string& query : queries)
    if (auto statement = database->prepare(query))
      while (statement->step()) {
      }
  const double scanSeconds = secondsSince(scanBegan);
  fmt::print(
      "{{\"events\":{},\"seconds\":{:.3f},\"shown_seconds\":{:.3f},\"scan_seconds\":{:.3f},\"events_per_s\":{:.0f},"
      "\"peak_rss_bytes\":{},\"projections\":{},\"bytes_per_event\":{:.1f},\"bytes_per_event_of_file\":{:.1f}}}\n",
      (*trace)->eventCount(), seconds, shown, scanSeconds, events / seconds, peak, (*trace)->projectionCount(),
      static_cast<double>(grown) / held, static_cast<double>(grown) / events);
  return 0;
}

}  // namespace lanescope::bench
