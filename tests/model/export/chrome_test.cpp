// SPDX-License-Identifier: Apache-2.0
// The Trace Event Format: as text for what is small, and event by event against the trace for what was recorded.
#include "model/export/chrome.h"

#include <gmock/gmock.h>
#include <simdjson.h>

#include <map>
#include <set>

#include "model/export/chrome_order.h"
#include "tests/support/loaded_report.h"

namespace lanescope::exporting {
namespace {

using test::gpid;
using test::gtid;
using test::K;
using test::M;
using test::N;
using test::R;
using testing::HasSubstr;

class Chrome : public test::LoadedReport {
 protected:
  std::string exported(const std::filesystem::path& file) {
    const auto database = report::Database::open(file);
    if (!database) return sentence(database.error());
    const Job job;
    report::Slice slice(*database, {}, job);
    missing.clear();
    const auto done = writeChrome(
        slice, {.destination = folder / "out", .ifExists = report::IfExists::kReplace, .version = "1"}, missing);
    return done ? test::readFile(folder / "out") : sentence(done.error());
  }

  Missing missing;
};

/// Exact nanoseconds of "-1.005", as a reader without doubles takes them.
trace::Ns nanoseconds(std::string_view decimal) {
  std::string digits(decimal);
  EXPECT_EQ(digits.size() - digits.find('.'), 4u) << decimal;
  std::erase(digits, '.');
  return std::stoll(digits);
}

TEST_F(Chrome, FollowsKineto) {
  auto builder = report();
  builder.process(gpid(12), "app")
      .thread(gtid(12, 13), "main")
      .add(R{.start = 1'000'001, .end = 1'002'000, .thread = gtid(12, 13), .correlation = 7})
      .add(R{.start = 5, .end = 6, .thread = gtid(12, 13), .correlation = 8, .name = "cuInit", .eventClass = 1})
      .add(K{.start = 1'003'000, .end = 1'004'999, .correlation = 7, .process = gpid(12), .name = "f<\"x\">(int)"})
      .add(M{.start = 2'000'000, .end = 2'000'100, .process = gpid(12), .bytes = 1000, .source = 1, .destination = 2});
  EXPECT_EQ(
      exported(builder.write()),
      R"~({"schemaVersion":1,"displayTimeUnit":"ns","deviceProperties":[],"otherData":{"writer": "lanescope 1", "source": "report.sqlite", "issues": []},"traceEvents":[
{"ph":"M","name":"process_name","pid":12,"tid":0,"args":{"name":"app","process":12,"global":"0xc000000"}},
{"ph":"M","name":"process_sort_index","pid":12,"tid":0,"args":{"sort_index":12}},
{"ph":"M","name":"thread_name","pid":12,"tid":13,"args":{"name":"main"}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":12,"tid":13,"ts":1000.001,"dur":1.999,"args":{"eventClass":0,"correlation":7,"returnValue":0,"version":"_v7000"}},
{"ph":"s","cat":"ac2g","name":"ac2g","pid":12,"tid":13,"ts":1000.001,"id":7},
{"ph":"X","cat":"cuda_driver","name":"cuInit","pid":12,"tid":13,"ts":0.005,"dur":0.001,"args":{"eventClass":1,"correlation":8,"returnValue":0}},
{"ph":"M","name":"process_name","pid":0,"tid":0,"args":{"name":"GPU 0 · 12 app","device":0,"process":12,"global":"0xc000000"}},
{"ph":"M","name":"process_labels","pid":0,"tid":0,"args":{"labels":"GPU 0"}},
{"ph":"M","name":"process_sort_index","pid":0,"tid":0,"args":{"sort_index":5000000}},
{"ph":"M","name":"thread_name","pid":0,"tid":7,"args":{"name":"stream 7","context":1,"stream":7}},
{"ph":"M","name":"thread_sort_index","pid":0,"tid":7,"args":{"sort_index":7}},
{"ph":"X","cat":"kernel","name":"f<\"x\">(int)","pid":0,"tid":7,"ts":1003.000,"dur":1.999,"args":{"device":0,"context":1,"stream":7,"correlation":7,"shortName":"f","registers per thread":0,"staticSharedMemory":0,"dynamicSharedMemory":0,"localMemoryPerThread":0,"localMemoryTotal":0,"gridId":0,"shared memory":0,"grid":[1,1,1],"block":[1,1,1]}},
{"ph":"f","cat":"ac2g","name":"ac2g","pid":0,"tid":7,"ts":1003.000,"id":7,"bp":"e"},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":7,"ts":2000.000,"dur":0.100,"args":{"device":0,"context":1,"stream":7,"correlation":0,"bytes":1000,"copyKind":1,"srcKind":1,"dstKind":2,"memory bandwidth (GB/s)":10}}
]}
)~");
  EXPECT_THAT(missing, testing::IsEmpty());
}

/// The lines of the events, without what names processes and threads.
std::string withoutMetadata(const std::string& text) {
  std::string rest;
  for (std::size_t at = text.find('\n') + 1, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    if (const std::string line = text.substr(at, end + 1 - at); line.find("\"ph\":\"M\"") == std::string::npos)
      rest += line;
  return rest;
}

struct OnTrack {
  std::string name, track;
};

/// What is drawn where: the names of X events and of their tracks, in the order of the file.
std::vector<OnTrack> drawn(const std::string& text) {
  simdjson::dom::parser parser;
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> tracks;
  std::vector<OnTrack> all;
  const simdjson::padded_string padded(text);
  for (simdjson::dom::element event : parser.parse(padded)["traceEvents"]) {
    const std::pair<std::int64_t, std::int64_t> track{event["pid"], event["tid"]};
    const std::string_view phase = event["ph"], name = event["name"];
    if (phase == "M" && name == "thread_name") {
      const std::string_view called = event["args"]["name"];
      tracks[track] = called;
    }
    if (phase == "X") all.push_back({std::string(name), tracks[track]});
  }
  return all;
}

auto isDrawn(const char* name, const char* track) {
  return testing::AllOf(testing::Field(&OnTrack::name, name), testing::Field(&OnTrack::track, track));
}

TEST_F(Chrome, WhatOverlapsOnOneTrackIsDrawnOnFurtherLanesOfIt) {
  auto builder = report();
  builder
      .add(K{.start = 500, .end = 600, .name = "late"})  // the file has no order
      .add(K{.start = 100, .end = 200, .name = "a"})
      .add(K{.start = 150, .end = 250, .name = "b"})
      .add(K{.start = 160, .end = 190, .name = "inside a"})
      .add(K{.start = 180, .end = 300, .name = "c"})
      .add(K{.start = 200, .end = 300, .name = "behind a"})
      .add(K{.start = 150, .end = 250, .stream = 8, .name = "elsewhere"})
      .add(M{.start = 240, .end = 320, .bytes = 1});
  EXPECT_THAT(drawn(exported(builder.write())),
              testing::ElementsAre(isDrawn("late", "stream 7"), isDrawn("a", "stream 7"), isDrawn("b", "stream 7 (2)"),
                                   isDrawn("inside a", "stream 7"), isDrawn("c", "stream 7 (3)"),
                                   isDrawn("behind a", "stream 7"), isDrawn("elsewhere", "stream 8"),
                                   isDrawn("Memcpy HtoD", "stream 7 (4)")));
}

TEST_F(Chrome, WaitsOfSeveralThreadsAndPageFaultsHaveLanesToo) {
  auto builder = report();
  for (const std::int64_t start : {10, 20})
    for (const char* table : {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "CUDA_UM_GPU_PAGE_FAULT_EVENTS"})
      builder.insert(table, {{"start", start}, {"end", start + 15}, {"globalPid", gpid(1)}});
  EXPECT_THAT(
      drawn(exported(builder.write())),
      testing::ElementsAre(isDrawn("Synchronization", "Synchronization (host time)"),
                           isDrawn("Synchronization", "Synchronization (host time) (2)"),
                           isDrawn("GPU page fault", "Page faults"), isDrawn("GPU page fault", "Page faults (2)")));
}

TEST_F(Chrome, AThousandThatOverlapEndOnTheLastLane) {
  auto builder = report();
  for (std::int64_t i = 0; i < 1000; ++i) builder.add(K{.start = 1 + i, .end = 5000 + i});
  std::set<std::string> tracks;
  for (const OnTrack& each : drawn(exported(builder.write()))) tracks.insert(each.track);
  EXPECT_EQ(tracks.size(), static_cast<std::size_t>(Lanes::kMost));
}

TEST_F(Chrome, AnArrowLeavesTheFirstOfSeveralCallsOfOneCorrelation) {
  auto builder = report();
  builder.add(R{.start = 12, .end = 18, .correlation = 7, .name = "cuLaunchKernel", .eventClass = 1})
      .add(R{.start = 10, .end = 20, .correlation = 7})
      .add(R{.start = 5, .end = 8, .thread = gtid(2, 1), .correlation = 7})
      .add(K{.start = 30, .end = 40, .correlation = 7});
  const std::string text = exported(builder.write());
  std::size_t arrows = 0;
  for (std::size_t at = 0; (at = text.find(R"("ph":"s")", at)) != std::string::npos; ++at) ++arrows;
  EXPECT_EQ(arrows, 1u);
  EXPECT_THAT(text, HasSubstr(R"({"ph":"s","cat":"ac2g","name":"ac2g","pid":1,"tid":1,"ts":0.010,)"));
}

TEST_F(Chrome, SaysOfNvtxWhatTheProgramSaid) {
  auto builder = report();
  builder.add(N{.start = 1, .type = 75, .text = "lib", .domain = 1})
      .add(N{.start = 1, .type = 33, .text = "io", .domain = 1, .category = 4})
      .add(N{.start = 1000, .end = 3000, .text = "in lib", .domain = 1, .category = 4, .color = 0xFF00FF00})
      .add(N{.start = -2005, .text = "open"})
      .add(N{.start = 1500, .type = 34, .text = "mark"})
      .add(N{.start = 10, .end = 4000, .type = 60, .endThread = gtid(1, 2), .text = "across", .rangeId = 5});
  EXPECT_EQ(
      withoutMetadata(exported(builder.write())),
      R"~({"ph":"X","cat":"user_annotation","name":"in lib","pid":1,"tid":1,"ts":1.000,"dur":2.000,"args":{"domain":"lib","category name":"io","color":"#FF00FF00","category":4}},
{"ph":"B","cat":"user_annotation","name":"open","pid":1,"tid":1,"ts":-2.005,"args":{"domain":""}},
{"ph":"i","cat":"user_annotation","name":"mark","pid":1,"tid":1,"ts":1.500,"s":"t","args":{"domain":""}},
{"ph":"b","cat":"user_annotation","name":"across","pid":1,"tid":1,"ts":0.010,"id":1,"args":{"domain":"","rangeId":5}},
{"ph":"e","cat":"user_annotation","name":"across","pid":1,"tid":2,"ts":4.000,"id":1}
]}
)~");
}

TEST_F(Chrome, HasMetricsAsCountersAndThreadsOnTheirCores) {
  auto builder = report();
  builder.insert("TARGET_INFO_GPU_METRICS", {{"typeId", std::int64_t{256}}, {"metricName", std::string("SMs")}});
  builder.insert("GPU_METRICS",
                 {{"timestamp", std::int64_t{2001}}, {"typeId", std::int64_t{256}}, {"value", std::int64_t{97}}});
  const auto schedule = [&](std::int64_t time, std::int64_t in, std::int64_t tid) {
    builder.insert("SCHED_EVENTS",
                   {{"start", time}, {"cpu", std::int64_t{3}}, {"isSchedIn", in}, {"globalTid", gtid(1, tid)}});
  };
  schedule(1000, 1, 1);
  schedule(3000, 0, 1);
  schedule(4000, 0, 2);
  schedule(5000, 1, 1);
  EXPECT_EQ(withoutMetadata(exported(builder.write())),
            R"~({"ph":"C","cat":"gpu_metrics","name":"SMs","pid":16777216,"tid":0,"ts":2.001,"args":{"value":97}},
{"ph":"X","cat":"sched","name":"Thread 1","pid":16777217,"tid":3,"ts":1.000,"args":{"pid":1,"tid":1},"dur":2.000},
{"ph":"X","cat":"sched","name":"Thread 2","pid":16777217,"tid":3,"ts":1.000,"args":{"pid":1,"tid":2},"dur":3.000},
{"ph":"B","cat":"sched","name":"Thread 1","pid":16777217,"tid":3,"ts":5.000,"args":{"pid":1,"tid":1}}
]}
)~");
}

TEST_F(Chrome, KeepsProcessesApartThatShareNumbers) {
  auto builder = report();
  const std::int64_t other = std::int64_t{1} << 56;  // another machine
  for (const std::int64_t process : {gpid(1), gpid(0), gpid(1) | other})
    builder.add(R{.start = 1, .end = 2, .thread = process | 1, .correlation = 5})
        .add(K{.start = 3, .end = 4, .context = 1, .correlation = 5, .process = process})
        .add(K{.start = 3, .end = 4, .context = 2, .process = process});
  simdjson::dom::parser parser;
  const simdjson::padded_string text(exported(builder.write()));
  std::set<std::pair<std::int64_t, std::int64_t>> tracks;
  std::map<std::int64_t, std::string> arrows;
  for (simdjson::dom::element event : parser.parse(text)["traceEvents"]) {
    const std::string_view phase = event["ph"];
    if (phase == "X") {
      EXPECT_TRUE(tracks.emplace(event["pid"].get_int64(), event["tid"].get_int64()).second);
    }
    if (phase == "s" || phase == "f") arrows[event["id"].get_int64()] += phase;
  }
  EXPECT_EQ(tracks.size(), 9u);
  EXPECT_EQ(arrows.size(), 3u);
  for (const auto& [id, ends] : arrows) EXPECT_EQ(ends, "sf");
}

TEST_F(Chrome, CountsWhatItCannotShow) {
  auto builder = report();
  builder.add(K{.start = 0, .end = 0}).add(K{.start = 9, .end = 3}).add(K{.start = INT64_MIN, .end = 1});
  builder.insert("OSRT_CALLCHAINS", {});
  builder.sql("CREATE TABLE NEW_EVENTS(start INTEGER, end INTEGER); INSERT INTO NEW_EVENTS VALUES (1, 2)");
  exported(builder.write());
  EXPECT_THAT(missing, testing::ElementsAre("NEW_EVENTS has no form in this format (1 rows)",
                                            "OSRT_CALLCHAINS has no form in this format (1 rows)",
                                            "3 rows have no valid time and are not in it"));
}

TEST_F(Chrome, StaysJsonWhateverTheNumbersAre) {
  auto builder = report();
  builder.add(K{.start = 1,
                .end = 2,
                .device = INT64_MIN,
                .context = INT64_MAX,
                .stream = INT64_MIN,
                .correlation = -1,
                .process = -1,
                .gridX = INT64_MAX});
  builder.add(R{.start = 1, .end = 2, .thread = INT64_MIN, .correlation = -1, .name = "_v\x01\xFF"});
  builder.add(M{.start = 1, .end = 2, .kind = 99, .bytes = INT64_MIN});
  builder.add(N{.start = 1, .type = 60, .endThread = -5, .text = "\x01\"\\\xFF"});
  builder.sql(
      "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET staticSharedMemory = 9223372036854775807, dynamicSharedMemory = 'x', "
      "demangledName = 'text', shortName = 12345, gridY = 9e999, blockX = x'00'");
  simdjson::dom::parser parser;
  const simdjson::padded_string text(exported(builder.write()));
  EXPECT_EQ(parser.parse(text).error(), simdjson::SUCCESS) << text;
}

/// Start and length of every event of some kinds, in order.
using Times = std::multiset<std::pair<trace::Ns, trace::Ns>>;

TEST_F(Chrome, HasEveryEventOfTheGoldenReportsToTheNanosecond) {
  LANESCOPE_NEEDS_SHARED();
  using trace::EventKind;
  const std::map<std::string, std::vector<EventKind>, std::less<>> kinds = {
      {"kernel", {EventKind::kKernel}},     {"gpu_memcpy", {EventKind::kCopy}},
      {"gpu_memset", {EventKind::kMemset}}, {"cuda_sync", {EventKind::kSync}},
      {"osrt", {EventKind::kOsRuntime}},    {"cuda_runtime", {EventKind::kCudaApi}},
      {"overhead", {EventKind::kOverhead}}, {"user_annotation", {EventKind::kNvtxRange}},
  };
  for (const auto& file : test::goldenExports()) {
    const auto trace = report::load(file, {}, {}, Job());
    ASSERT_TRUE(trace);
    std::map<std::string, Times, std::less<>> exportedTimes, recordedTimes;
    std::uint64_t arrowsToGpu = 0, correlated = 0;

    simdjson::ondemand::parser parser;
    const simdjson::padded_string text(exported(file));
    simdjson::ondemand::document document = parser.iterate(text);
    for (simdjson::ondemand::object event : document["traceEvents"]) {
      std::string phase, category, start, length = "0.000";
      for (auto field : event) {
        const std::string_view key = field.unescaped_key();
        if (key == "ph") phase = std::string_view(field.value());
        else if (key == "cat") category = std::string_view(field.value());
        else if (key == "ts") start = std::string_view(field.value().raw_json_token());
        else if (key == "dur") length = std::string_view(field.value().raw_json_token());
      }
      arrowsToGpu += phase == "f";
      if (phase != "X") continue;
      const std::string_view group = category == "cuda_driver" ? "cuda_runtime" : std::string_view(category);
      exportedTimes[std::string(group)].emplace(nanoseconds(start), nanoseconds(length));
    }
    for (trace::LaneId id = 0; id < (*trace)->lanes.size(); ++id) {
      const trace::Lane& lane = *(*trace)->lanes[id];
      for (const auto& [category, ofIt] : kinds)
        if (std::ranges::find(ofIt, (*trace)->laneInfo[id].kind) != ofIt.end())
          for (std::size_t i = 0; i < lane.size(); ++i)
            if (!lane.unfinished(i)) recordedTimes[category].emplace(lane.start(i), lane.duration(i));
      if (isGpuWork((*trace)->laneInfo[id].kind))
        for (std::uint32_t i = 0; i < lane.size(); ++i) correlated += !(*trace)->partners({id, i}).empty();
    }
    for (const auto& [category, ofIt] : kinds)
      EXPECT_EQ(exportedTimes[category] == recordedTimes[category], true)
          << file << ": " << category << ", " << exportedTimes[category].size() << " of "
          << recordedTimes[category].size();
    EXPECT_EQ(arrowsToGpu, correlated) << file;
  }
}

}  // namespace
}  // namespace lanescope::exporting
