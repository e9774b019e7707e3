// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/import/import.h"
#include "model/report/call_stack.h"
#include "model/report/database.h"
#include "model/report/details.h"
#include "model/report/load.h"
#include "model/report/source.h"
#include "tests/model/import/hand_made.h"
#include "tests/model/import/same_trace.h"
#include "tests/support/files.h"

namespace lanescope::imported {
namespace {

using trace::EventKind;

class ToReport : public testing::Test {
 protected:
  trace::TracePtr written(const Recording& recording, const report::LoadOptions& options = {}) {
    const auto made = toReport(recording, "/tmp/run.json", "0.1", path_, Job());
    EXPECT_TRUE(made) << (made ? "" : sentence(made.error()));
    const auto trace = report::load(path_, options, {}, Job());
    EXPECT_TRUE(trace) << (trace ? "" : sentence(trace.error()));
    return trace ? *trace : nullptr;
  }

  void expectSameAsTrace(const Recording& recording, const report::LoadOptions& options = {}) {
    const trace::TracePtr fromReport = written(recording, options);
    const auto direct = toTrace(recording, options, Job());
    ASSERT_TRUE(direct && fromReport);
    expectSame(**direct, *fromReport);
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "run.rep";
};

TEST_F(ToReport, WhatIsWrittenIsTheTraceThatIsMadeAtOnce) {
  for (const char* format : {"kineto", "nvprof"}) {
    expectSameAsTrace(smallTraining(format));
    expectSameAsTrace(smallTraining(format), {.projections = true});
    expectSameAsTrace(smallTraining(format), {.only = {EventKind::kNvtxRange}});
  }
}

TEST_F(ToReport, WhoHasAPlaceAmongItsLikeKeepsIt) {
  HandMade made("chrome-json");
  for (const std::int64_t id : {1, 2}) {
    const auto process = made.process({id});
    made.recording.processes.back().sortIndex = -id;
    for (const std::int64_t tid : {1, 2, 3}) {
      Track& track = made.ofThread(EventKind::kNvtxRange, made.thread(process, {tid}), made.domain(process, "Slices"));
      track.events.push_back({1, 2, made.name("a"), false, made.recording.tracks.size(), 0, 0});
      made.recording.threads.back().sortIndex = 3 - tid;
    }
  }
  expectSameAsTrace(made.recording);
  const trace::TracePtr trace = written(made.recording);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->processes.at(trace->laneInfo.at(trace->rows.at(2).lanes.at(0)).process).pid, 2);
  EXPECT_EQ(trace->threads.at(trace->laneInfo.at(trace->rows.at(2).lanes.at(0)).thread).tid, 3);
}

TEST_F(ToReport, DetailsNameTheOtherEndOfAnArrow) {
  HandMade made("chrome-json");
  const auto process = made.process({1});
  const auto domain = made.domain(process, "Slices");
  const auto slice = [&](std::int64_t tid, const char* name, trace::Ns start, trace::Ns end) {
    const std::uint64_t row = made.recording.tracks.size();
    Track& track = made.ofThread(EventKind::kNvtxRange, made.thread(process, {tid}), domain);
    track.events.push_back({start, end, made.name(name), false, row, 0, 0});
  };
  slice(1, "ask", 50, 60);
  slice(2, "answer", 10, 100);  // it began before it was asked
  slice(3, "note", 70, 80);
  made.recording.links = {{{0, 0}, {1, 0}}, {{0, 0}, {2, 0}}};
  const trace::TracePtr trace = written(made.recording);
  auto details = report::Details::open(path_);
  ASSERT_TRUE(trace && details);
  const auto arrowsOf = [&](trace::LaneId lane) {
    std::vector<std::string> arrows;
    for (const report::Field& field : details->of(*trace, {lane, 0}))
      if (field.label.starts_with("Arrow"))
        arrows.push_back(fmt::format("{}: {}, lane {}", field.label, field.value, trace->ref(*field.event).lane));
    return arrows;
  };
  using testing::ElementsAre;
  EXPECT_THAT(arrowsOf(0), ElementsAre("Arrow to: answer on thread 2, lane 1", "Arrow to: note on thread 3, lane 2"));
  EXPECT_THAT(arrowsOf(1), ElementsAre("Arrow from: ask on thread 1, lane 0"));
  EXPECT_THAT(arrowsOf(2), ElementsAre("Arrow from: ask on thread 1, lane 0"));
}

TEST_F(ToReport, AnEmptyRecordingIsASoundReport) {
  const auto trace = written({.format = "chrome-json"});
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->eventCount(), 0u);
}

TEST_F(ToReport, WhoIsCalledByAnyNumberOrATextIsCalledSoFromTheFileToo) {
  HandMade made("chrome-json");
  for (const Identity& id :
       {Identity{-5}, Identity{0}, Identity{0, "Spans"}, Identity{std::int64_t{1} << 33}, Identity{0}}) {
    const auto process = made.process(id, id.number == -5 ? "negative" : "");
    const auto domain = made.domain(process, "Slices");
    for (const Identity& tid : {Identity{0}, Identity{-1}, Identity{0, "lane"}, Identity{3239786240}}) {
      Track& track = made.ofThread(EventKind::kNvtxRange, made.thread(process, tid), domain);
      track.events.push_back({1, 2, made.name("a"), false, made.recording.tracks.size(), 0, 0});
    }
  }
  expectSameAsTrace(made.recording);
}

TEST_F(ToReport, NamesThatCannotBeShownAreRepairedOnBothWays) {
  const std::string odd = "a\x1b[31m\n\xFF";
  HandMade made("kineto");
  const auto process = made.process({1}, odd, odd), other = made.process({0, odd});
  made.ofThread(EventKind::kCudaApi, made.thread(other, {0, odd}, odd)).events.push_back({1, 2, made.name(odd)});
  made.ofThread(EventKind::kNvtxRange, made.thread(process, {1}, odd), made.domain(process, odd))
      .events.push_back({1, 2, made.name("range")});
  made.ofStream(EventKind::kKernel, made.stream(made.gpu(process, 0, odd), 1, 7, odd))
      .events.push_back({5, 6, made.name("k")});
  made.recording.curves.push_back({.process = process, .name = odd, .times = {1}, .values = {2}});
  made.recording.issues.push_back({"import-odd", 1, odd});
  expectSameAsTrace(made.recording);
  const trace::TracePtr trace = written(made.recording);
  EXPECT_EQ(trace->processes[0].name, "a␛[31m␊\uFFFD");
}

TEST_F(ToReport, ThousandsOfGpusAndStreamsHaveTheirNames) {
  HandMade made;
  for (int i = 0; i < 3000; ++i) {
    const auto gpu = made.gpu(made.process({i + 1}), i % 7, "GPU " + std::to_string(i));
    made.ofStream(EventKind::kKernel, made.stream(gpu, 1, i, "stream " + std::to_string(i)))
        .events.push_back({1 + i, 2 + i, made.name("k")});
  }
  const auto trace = toTrace(made.recording, {}, Job());
  ASSERT_TRUE(trace);
  for (std::size_t i = 0; i < 3000; ++i) {
    const trace::Stream& stream = (*trace)->streams[i];
    EXPECT_EQ(stream.name, "stream " + std::to_string(stream.stream));
    EXPECT_EQ((*trace)->gpus[stream.gpu].name, "GPU " + std::to_string(stream.stream));
  }
}

TEST_F(ToReport, TracksOfOneOwnerAreOneInTheOrderOfTheFile) {
  HandMade made;
  const auto process = made.process({1});
  const auto thread = made.thread(process, {1}), other = made.thread(process, {2});
  const auto domain = made.domain(process, "Tasks");
  for (const auto owner :
       {thread, other, thread}) {  // equal times: only the order of rows tells which is the outer one
    Track& spans = made.ofThread(EventKind::kNvtxStartEnd, owner, domain);
    const auto row = 10 - made.recording.tracks.size();
    spans.events.push_back({10, 20, made.name("span " + std::to_string(row)), false, 20 + row, 0, 0});
    Track& ranges = made.ofThread(EventKind::kNvtxRange, owner, domain);
    ranges.events.push_back({10, 20, made.name("range " + std::to_string(row)), false, 10 + row, 0, 0});
    ranges.events.push_back({10, 20, made.name("range of less " + std::to_string(row)), false, row, 0, 0});
  }
  expectSameAsTrace(made.recording);
}

TEST_F(ToReport, EveryKindOfEventComesBack) {
  HandMade made;
  const auto process = made.process({7}, "app");
  const auto thread = made.thread(process, {7});
  const auto gpu = made.gpu(process, 0);
  const auto stream = made.stream(gpu, 1, 2);
  const auto domain = made.domain(process, "", true);
  std::uint64_t row = 0;
  const auto fill = [&](Track& track) {
    track.events.push_back({100, 200, made.name("x"), false, ++row, 8, 5});
    track.events.push_back({300, 200, made.name("x"), false, ++row, 8, 6});
    track.events.push_back({0, 0, made.name(""), false, ++row, 8, 7});
    track.events.push_back({400, 0, made.name("open"), true, ++row, 8, 0});
  };
  for (const EventKind kind : {EventKind::kKernel, EventKind::kCopy, EventKind::kMemset, EventKind::kGraphLaunch})
    fill(made.ofStream(kind, stream, kind == EventKind::kCopy ? 2 : 0));
  for (const EventKind kind : {EventKind::kCudaApi, EventKind::kOsRuntime, EventKind::kOverhead, EventKind::kCpuSample})
    fill(made.ofThread(kind, thread));
  for (const EventKind kind : {EventKind::kNvtxRange, EventKind::kNvtxMark, EventKind::kNvtxStartEnd})
    fill(made.ofThread(kind, thread, domain));
  for (const EventKind kind : {EventKind::kNvtxRange, EventKind::kNvtxMark, EventKind::kCpuPageFault})
    fill(made.ofProcess(kind, process, domain));
  for (const EventKind kind : {EventKind::kSync, EventKind::kGpuPageFault}) {
    Track& track = made.ofProcess(kind, process);
    fill(track);
    track.gpu = gpu;
  }
  expectSameAsTrace(made.recording);
  expectSameAsTrace(made.recording, {.only = {EventKind::kCpuPageFault, EventKind::kCopy}});
}

TEST_F(ToReport, EventsThatShareARowAreBothThere) {
  HandMade made;
  const auto process = made.process({7});
  Track& track = made.ofThread(EventKind::kOsRuntime, made.thread(process, {7}));
  for (const std::uint64_t row : {1, 1, 2}) track.events.push_back({10, 20, made.name("read"), false, row, 0, 0});
  const auto trace = written(made.recording);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->eventCount(), 3U);
}

TEST_F(ToReport, WhatIsNotKnownIsNull) {
  written(smallTraining());
  const auto database = report::Database::open(path_);
  ASSERT_TRUE(database);
  EXPECT_EQ(database->integer("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE gridX IS NULL"), 1);
  EXPECT_EQ(database->integer("SELECT gridX FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid = 7"), 8);
  EXPECT_EQ(database->integer("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE returnValue IS NULL"), 3);
}

TEST_F(ToReport, SamplesHaveTheirStacksAndNoModuleWhereNoneIsKnown) {
  HandMade made("chrome-json");
  Track& track = made.ofThread(EventKind::kCpuSample, made.thread(made.process({1}), {2}));
  made.recording.stacks = {{{made.name("leaf"), made.name("lib.so")}, {made.name("main")}}};
  track.events.push_back({1, 1, made.name("leaf"), false, 1, 0, 0});
  track.events.push_back({2, 2, made.name("alone"), false, 2, 0, 0});
  track.stacks = {0};
  const trace::TracePtr trace = written(made.recording);
  ASSERT_TRUE(trace);
  const auto database = report::Database::open(path_);
  std::vector<std::string> frames;
  for (trace::LaneId lane = 0; lane < trace->lanes.size(); ++lane) {
    if (trace->laneInfo[lane].kind != EventKind::kCpuSample) continue;
    for (std::uint32_t i = 0; i < trace->lanes[lane]->size(); ++i)
      for (const report::Frame& frame : report::callStack(*database, *trace, {lane, i}).frames)
        frames.push_back(frame.text());
  }
  EXPECT_THAT(frames, testing::ElementsAre("leaf (lib.so)", "main", "alone"));
}

TEST_F(ToReport, TheSourceAndWhatIsWrittenInItAreKept) {
  Recording recording = smallTraining();
  recording.version = "1";
  recording.written = Recording::Written{.entries = 15,
                                         .byPhase = {{"X", 12}, {"\"", 1}},
                                         .totalNs = 4711,
                                         .span = std::pair(trace::Ns{-5}, trace::Ns{5000}),
                                         .copiesByName = {{"Memcpy HtoD", {2, 8192, 400}}}};
  recording.positions.offsets = {17, 20000};
  recording.utcOfZero = 1'700'000'000'000'000'000;
  written(recording);
  const auto database = report::Database::open(path_);
  ASSERT_TRUE(database);
  const auto source = report::sourceOf(*database);
  ASSERT_TRUE(source && source->written);
  EXPECT_EQ(source->file, "/tmp/run.json");
  EXPECT_EQ(source->format, "kineto");
  EXPECT_EQ(source->written->entries, 15u);
  EXPECT_EQ(source->written->byPhase, recording.written->byPhase);
  EXPECT_EQ(source->written->totalNs, 4711);
  EXPECT_EQ(source->written->span, recording.written->span);
  EXPECT_EQ(source->written->copies.at("Memcpy HtoD").bytes, 8192u);
  EXPECT_EQ(report::entryPositions(*database), recording.positions.offsets);
  EXPECT_EQ(database->text("SELECT utcTime FROM TARGET_INFO_SESSION_START_TIME"), "2023-11-14T22:13:20");
}

TEST_F(ToReport, StrangersFilesAreTheSameReadAndKept) {
  LANESCOPE_NEEDS_SHARED();
  constexpr std::uintmax_t kLargest = 400'000;  // the larger ones hold no other kinds of events, and take long
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"traces/kineto", "traces/chrome", "traces/nvprof", "traces/rocm", "golden/kineto"})
    for (const auto& path : test::filesIn(test::sharedFolder() / folder))
      if (std::filesystem::file_size(path) < kLargest) files.push_back(path);
  std::size_t compared = 0;
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename());
    const auto recording = read(path, {.details = true}, Job());
    if (!recording) continue;  // which of them cannot be is for others to say
    ++compared;
    expectSameAsTrace(*recording);
  }
  EXPECT_GT(compared, 50U);
}

TEST_F(ToReport, AStoppedJobLeavesNothing) {
  std::stop_source stop;
  stop.request_stop();
  const auto made = toReport(smallTraining(), "/tmp/run.json", "0.1", path_, Job(stop.get_token()));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace lanescope::imported
