// SPDX-License-Identifier: Apache-2.0
// A report, exported as a Chrome trace and imported again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "model/export/export.h"
#include "model/import/import.h"
#include "model/report/load.h"
#include "tests/support/files.h"

namespace lanescope::imported {
namespace {

using trace::EventKind;
using Events = std::map<EventKind, std::multiset<std::string>>;

/// Every event by its kind, with what it belongs to.
Events eventsOf(const trace::Trace& trace) {
  Events events;
  for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane) {
    const trace::LaneInfo& info = trace.laneInfo[lane];
    if (trace::isBackground(info.kind) && info.kind != EventKind::kCpuSample) continue;
    // Which thread ran on a core is shown as ranges of the core.
    if (info.domain != trace::kNone && trace.domains[info.domain].name == "PyTorch") continue;
    for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i) {
      const trace::TimeRange time = trace.time({lane, i});
      const trace::Name& name = (*trace.names)[trace.name({lane, i})];
      std::string text =
          fmt::format("{} to {} {}", time.begin, time.end, info.kind == EventKind::kCudaApi ? name.label : name.text);
      if (info.stream != trace::kNone) text += fmt::format(" on stream {}", trace.streams[info.stream].stream);
      if (info.thread != trace::kNone) text += fmt::format(" of thread {}", trace.threads[info.thread].tid);
      if (info.domain != trace::kNone) text += " in " + trace.domains[info.domain].name;
      for (const trace::EventId partner : trace.partners({lane, i}))
        text += fmt::format(" with {}", trace.time(trace.ref(partner)).begin);
      events[info.kind].insert(std::move(text));
    }
  }
  return events;
}

TEST(RoundTrip, WhatIsExportedAsAChromeTraceComesBack) {
  LANESCOPE_NEEDS_SHARED();
  const test::TemporaryFolder folder;
  for (const auto& path : test::goldenExports()) {
    SCOPED_TRACE(path.parent_path().filename());
    const auto database = report::Database::open(path);
    ASSERT_TRUE(database);
    const Job job;
    report::Slice slice(*database, {}, job);
    const auto file = folder.path() / "trace.json";
    ASSERT_TRUE(exporting::exportReport(slice, {.format = exporting::Format::kChrome,
                                                .destination = file,
                                                .ifExists = report::IfExists::kReplace,
                                                .version = "0.1"}));
    const auto before = report::load(path, {}, {}, Job());
    auto recording = read(file, {.details = true}, Job());
    ASSERT_TRUE(before && recording) << (recording ? "" : sentence(recording.error()));
    const auto after = toTrace(std::move(*recording), {}, Job());
    ASSERT_TRUE(after);
    const Events wanted = eventsOf(**before), got = eventsOf(**after);
    for (const auto& [kind, events] : wanted) {
      const auto found = got.find(kind);
      const std::multiset<std::string> none;
      const auto& others = found == got.end() ? none : found->second;
      std::vector<std::string> lost, extra;
      std::ranges::set_difference(events, others, std::back_inserter(lost));
      std::ranges::set_difference(others, events, std::back_inserter(extra));
      EXPECT_TRUE(lost.empty() && extra.empty())
          << trace::kindName(kind) << ": " << lost.size() << " of " << events.size() << " lost, such as "
          << (lost.empty() ? "none" : lost.front()) << "; " << extra.size() << " that were not there, such as "
          << (extra.empty() ? "none" : extra.front());
    }
  }
}

}  // namespace
}  // namespace lanescope::imported
