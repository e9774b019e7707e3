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

/// The text, imported, kept as a report, exported as a Chrome trace and imported again.
class TwiceImported : public testing::Test {
 protected:
  Recording again(std::string_view text) {
    const auto first = folder_.path() / "first.json", report = folder_.path() / "first.rep",
               second = folder_.path() / "second.json";
    test::writeFile(first, text);
    const auto recording = read(first, {.details = true}, Job());
    EXPECT_TRUE(recording && toReport(*recording, first, "0.1", report, Job()));
    const auto database = report::Database::open(report);
    const Job job;
    report::Slice slice(*database, {}, job);
    EXPECT_TRUE(exporting::exportReport(slice, {.format = exporting::Format::kChrome,
                                                .destination = second,
                                                .ifExists = report::IfExists::kReplace,
                                                .version = "0.1"}));
    const auto read2 = read(second, {.details = true}, Job());
    EXPECT_TRUE(read2) << (read2 ? "" : sentence(read2.error()));
    return read2 ? *read2 : Recording();
  }
  static std::set<std::string> domainsOf(const Recording& recording) {
    std::set<std::string> domains;
    for (const Track& track : recording.tracks)
      if (track.domain != trace::kNone)
        for (std::size_t i = 0; i < track.events.size(); ++i)
          domains.insert(fmt::format("{}{}: {}", recording.domains[track.domain].name,
                                     recording.domains[track.domain].isNvtx ? " (NVTX)" : "",
                                     (*recording.names)[track.events[i].name].text));
    return domains;
  }
  test::TemporaryFolder folder_;
};

TEST_F(TwiceImported, CurvesAreTheSame) {
  const Recording recording = again(R"j({"schemaVersion":1,"traceEvents":[
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"device":1,"stream":7,"correlation":5}},
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":0,"dur":1,"args":{"correlation":5}},
    {"ph":"C","name":"queue","pid":9,"ts":1.5,"args":{"in":1.25,"out":-3}},
    {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":9,"ts":2,"s":"t",
     "args":{"Device Type":1,"Device Id":1,"Total Allocated":4096,"Total Reserved":8192}}]})j");
  std::set<std::string> curves;
  for (const Curve& curve : recording.curves)
    curves.insert(fmt::format("{} of {} {} unit {}: {} at {}", curve.name, recording.processes[curve.process].id.number,
                              curve.gpu == trace::kNone ? -1 : recording.gpus[curve.gpu].device,
                              static_cast<int>(curve.unit), curve.values.at(0), curve.times.at(0)));
  const int bytes = static_cast<int>(trace::Counter::Unit::kBytes),
            count = static_cast<int>(trace::Counter::Unit::kCount);
  EXPECT_EQ(curves, (std::set<std::string>{fmt::format("Memory allocated of 9 1 unit {}: 4096 at 2000", bytes),
                                           fmt::format("Memory reserved of 9 1 unit {}: 8192 at 2000", bytes),
                                           fmt::format("queue · in of 9 -1 unit {}: 1.25 at 1500", count),
                                           fmt::format("queue · out of 9 -1 unit {}: -3 at 1500", count)}));
}

TEST_F(TwiceImported, OperatorsFramesAndAnnotationsStayWhatTheyAre) {
  const std::string text = R"j({"schemaVersion":1,"traceEvents":[
    {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":1,"dur":1},
    {"ph":"X","cat":"python_function","name":"forward","pid":9,"tid":9,"ts":1,"dur":2},
    {"ph":"X","cat":"user_annotation","name":"step","pid":9,"tid":9,"ts":1,"dur":3},
    {"ph":"b","cat":"load","name":"file","id":1,"pid":9,"tid":9,"ts":1},{"ph":"e","cat":"load","name":"file","id":1,"pid":9,"tid":9,"ts":2}]})j";
  const Recording recording = again(text);
  EXPECT_EQ(recording.format, "kineto");
  EXPECT_EQ(domainsOf(recording),
            (std::set<std::string>{"Annotations: step", "PyTorch: aten::mm", "Python: forward", "load: file"}));
}

TEST_F(TwiceImported, APlainTraceIsNotKinetos) {
  const Recording recording = again(R"j([{"ph":"X","cat":"js","name":"f","pid":9,"tid":9,"ts":1,"dur":1}])j");
  EXPECT_EQ(recording.format, "chrome-json");
  EXPECT_EQ(domainsOf(recording), (std::set<std::string>{"Slices: f"}));
}

}  // namespace
}  // namespace lanescope::imported
