// SPDX-License-Identifier: Apache-2.0
// A report, exported as a Chrome trace and imported again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "model/export/export.h"
#include "model/import/import.h"
#include "model/report/load.h"
#include "model/report/sample_stacks.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

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
      const auto called = info.kind == EventKind::kCudaApi     ? name.label
                          : info.kind == EventKind::kCpuSample ? "a sample"  // of another file by where it was
                                                               : name.text;
      std::string text = fmt::format("{} to {} {}", time.begin, time.end, called);
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

/// "100: inner < outer" of every sample of a kind, "100: (lone) inner" where only that is known.
std::multiset<std::string> stacksOf(const std::filesystem::path& report, EventKind kind, report::StackSource source) {
  std::multiset<std::string> texts;
  const auto trace = report::load(report, {}, {}, Job());
  const auto stacks = report::SampleStacks::read(report, Job(), source);
  EXPECT_TRUE(trace && stacks);
  if (!trace || !stacks) return texts;
  for (trace::LaneId lane = 0; lane < (*trace)->lanes.size(); ++lane)
    for (std::uint32_t i = 0; (*trace)->laneInfo[lane].kind == kind && i < (*trace)->lanes[lane]->size(); ++i) {
      const std::uint64_t row = (*trace)->lanes[lane]->sourceRow(i);
      std::string text =
          fmt::format("{}:{}", (*trace)->lanes[lane]->start(i), (*stacks)->notTaken(row) ? " (lone)" : "");
      for (const char* between = " "; const trace::NameId frame : (*stacks)->of(row)) {
        text += between + std::string((*stacks)->names()[frame].text);
        text += (*stacks)->isPython(frame) ? " py" : "";
        between = " < ";
      }
      texts.insert(std::move(text));
    }
  return texts;
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
    if (database->has("SAMPLING_CALLCHAINS")) {
      const auto again = folder.path() / "again.rep";
      ASSERT_TRUE(toReport(*recording, file, "0.1", again, Job()));
      EXPECT_EQ(stacksOf(path, EventKind::kCpuSample, report::StackSource::kCpu),
                stacksOf(again, EventKind::kCpuSample, report::StackSource::kCpu));
      std::filesystem::remove(again);
    }
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

TEST(RoundTrip, SamplesHaveTheirStacks) {
  const test::TemporaryFolder folder;
  const auto first = folder / "first.rep", json = folder / "trace.json", second = folder / "second.rep";
  test::ReportBuilder builder(first);
  for (const std::int64_t id : {1, 2, 3, 4})
    builder.insert("COMPOSITE_EVENTS", {{"id", id}, {"start", id * 100}, {"globalTid", test::gtid(1, 1)}});
  builder.stack("SAMPLING_CALLCHAINS", 1,
                {{"inner", "/lib/a\"b.so", 0, 6}, {"forward", "/a/run.py", 12}, {"outer", "/lib/a\"b.so", 0, 6}});
  builder.stack("SAMPLING_CALLCHAINS", 2, {{"outer", "/lib/a\"b.so", 0, 6}});
  builder.stack("SAMPLING_CALLCHAINS", 3, {{"inner", "/lib/a\"b.so", 0, 0}, {"forward", "/a/run.py", 12}});
  builder.sql("UPDATE SAMPLING_CALLCHAINS SET kernelMode = 1 WHERE id = 2");
  for (const std::int64_t id : {1, 2})
    builder.insert("LANESCOPE_PYTHON_SAMPLES",
                   {{"id", id}, {"start", id * 10}, {"globalTid", test::gtid(1, 1)}, {"callchainId", std::int64_t{9}}});
  builder.stack("LANESCOPE_PYTHON_CALLCHAINS", 9, {{"forward", "/a/run.py", 12}, {"main", "/a/run.py", 40}});
  builder.write();
  const auto database = report::Database::open(first);
  ASSERT_TRUE(database);
  const Job job;
  report::Slice slice(*database, {}, job);
  ASSERT_TRUE(
      exporting::exportReport(slice, {.format = exporting::Format::kChrome, .destination = json, .version = "0.1"}));
  const auto recording = read(json, {.details = true}, job);
  ASSERT_TRUE(recording) << sentence(recording.error());
  ASSERT_TRUE(toReport(*recording, json, "0.1", second, job));

  const auto native = stacksOf(second, EventKind::kCpuSample, report::StackSource::kCpu);
  EXPECT_EQ(native, stacksOf(first, EventKind::kCpuSample, report::StackSource::kCpu));
  EXPECT_EQ(native, (std::multiset<std::string>{"100: inner (a\"b.so) < forward (run.py) py < outer (a\"b.so)",
                                                "200: outer [kernel] (a\"b.so)",
                                                "300: (lone) inner (a\"b.so) < forward (run.py) py", "400:"}));
  const auto python = stacksOf(second, EventKind::kPythonSample, report::StackSource::kPython);
  EXPECT_EQ(python, stacksOf(first, EventKind::kPythonSample, report::StackSource::kPython));
  EXPECT_EQ(python.size(), 2u);
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

TEST_F(TwiceImported, WhoHasAPlaceAmongItsLikeKeepsIt) {
  const Recording recording = again(R"j([
    {"ph":"X","name":"a","pid":1,"tid":1,"ts":5,"dur":1},{"ph":"X","name":"b","pid":2,"tid":3,"ts":5,"dur":1},
    {"ph":"X","name":"b","pid":2,"tid":4,"ts":5,"dur":1},{"ph":"X","name":"c","pid":3,"tid":3,"ts":5,"dur":1},
    {"ph":"M","name":"process_sort_index","pid":1,"args":{"sort_index":7}},
    {"ph":"M","name":"process_sort_index","pid":3,"args":{"sort_index":-2}},
    {"ph":"M","name":"thread_sort_index","pid":2,"tid":3,"args":{"sort_index":-1}}])j");
  std::map<std::int64_t, std::int64_t> processes, threads;
  for (const Process& process : recording.processes) processes[process.id.number] = process.sortIndex;
  for (const Thread& thread : recording.threads)
    if (thread.process < recording.processes.size() && recording.processes[thread.process].id.number == 2)
      threads[thread.id.number] = thread.sortIndex;
  EXPECT_EQ(processes, (std::map<std::int64_t, std::int64_t>{{1, 7}, {2, 0}, {3, -2}}));
  EXPECT_EQ(threads, (std::map<std::int64_t, std::int64_t>{{3, -1}, {4, 0}}));
}

TEST_F(TwiceImported, APlainTraceIsNotKinetos) {
  const Recording recording = again(R"j([{"ph":"X","cat":"js","name":"f","pid":9,"tid":9,"ts":1,"dur":1}])j");
  EXPECT_EQ(recording.format, "chrome-json");
  EXPECT_EQ(domainsOf(recording), (std::set<std::string>{"Slices: f"}));
}

}  // namespace
}  // namespace lanescope::imported
