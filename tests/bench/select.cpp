// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "model/analysis/gpu_work.h"
#include "model/analysis/selection.h"
#include "model/report/load.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"

namespace lanescope::bench {
namespace {

using trace::Ns;
using trace::TimeRange;

constexpr int kRuns = 9;  // each of another range

std::uint64_t eventsIn(const trace::Trace& trace, const std::vector<trace::LaneId>& lanes, TimeRange range) {
  std::uint64_t count = 0;
  for (const trace::LaneId lane : lanes)
    count += trace.lanes[lane]->lowerBound(range.end) - trace.lanes[lane]->firstTouching(range.begin);
  return count;
}

/// The range from `begin` on that so many events touch; to the end of the trace where there are not as many.
TimeRange rangeOf(const trace::Trace& trace, const std::vector<trace::LaneId>& lanes, Ns begin, std::uint64_t events) {
  Ns low = begin + 1, high = trace.range.end + 1;
  while (low < high) {
    const Ns middle = low + (high - low) / 2;
    if (eventsIn(trace, lanes, {begin, middle}) < events) low = middle + 1;
    else high = middle;
  }
  return {begin, low};
}

template <class Work>
double millisecondsOf(Work work) {
  const double began = cpuMilliseconds();
  work();
  return cpuMilliseconds() - began;
}

}  // namespace

int select(const std::filesystem::path& file) {
  const auto loaded = report::load(file, {}, {}, Job{});
  if (!loaded) {
    fmt::print(stderr, "lanescope-bench: {}\n", sentence(loaded.error()));
    return exitStatus(loaded.error());
  }
  const trace::Trace& trace = **loaded;
  const std::vector<trace::LaneId> lanes = analysis::lanesOf(trace, {});

  std::string byEvents;
  for (const std::uint64_t wanted : {10'000u, 100'000u, 1'000'000u}) {
    std::vector<double> milliseconds;
    std::uint64_t events = 0;
    std::size_t names = 0;
    for (int i = 0; i < kRuns; ++i) {
      const Ns begin = trace.range.begin + trace.range.length() / (2 * kRuns) * i;
      analysis::Selection selection;
      selection.range = rangeOf(trace, lanes, begin, wanted);
      milliseconds.push_back(millisecondsOf([&] {
        const analysis::NameTable table = analysis::nameFigures(trace, selection);
        events = std::max(events, table.events);
        names = table.names.size();
      }));
    }
    byEvents += fmt::format("{}\"{}\":{{\"events\":{},\"names\":{},\"ms\":{}}}", byEvents.empty() ? "" : ",", wanted,
                            events, names, json(percentiles(milliseconds)));
  }

  std::vector<double> building;
  for (int i = 0; i < 3; ++i) building.push_back(millisecondsOf([&] { const analysis::GpuWork work(trace); }));
  const analysis::GpuWork work(trace);
  std::vector<double> figures, rows;
  std::size_t rowCount = 0;
  bool anyBusy = false;  // keeps the work from being left out
  for (int i = 0; i < 200; ++i) {
    const Ns begin = trace.range.begin + trace.range.length() / 400 * i;
    const TimeRange range{begin, begin + trace.range.length() / 3};
    figures.push_back(1e3 * millisecondsOf([&] { anyBusy |= work.figures(range).busy > 0; }));
    rowCount = 0;
    rows.push_back(1e3 * millisecondsOf([&] {
                     for (std::uint32_t row = 0; row < trace.rows.size(); ++row)
                       if (trace.rows[row].busy) {
                         anyBusy |= analysis::rowFigures(trace, row, range).busy > 0;
                         ++rowCount;
                       }
                   }));
  }
  fmt::print(
      "{{\"events\":{},\"name_figures\":{{{}}},\"gpu_work_build_ms\":{:.3f},\"gpu_figures_us\":{},"
      "\"busy_rows\":{},\"row_figures_us\":{},\"any_busy\":{}}}\n",
      trace.eventCount(), byEvents, percentiles(building).p50, json(percentiles(figures)), rowCount,
      json(percentiles(rows)), anyBusy);
  return 0;
}

}  // namespace lanescope::bench
