// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>

#include "model/import/global_ids.h"
#include "model/import/import.h"
#include "model/trace/ids.h"
#include "tests/model/import/hand_made.h"

namespace lanescope::imported {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using trace::EventKind;

trace::TracePtr traceOf(Recording recording, const report::LoadOptions& options = {}) {
  const auto trace = toTrace(std::move(recording), options, Job());
  return trace ? *trace : nullptr;
}

std::vector<std::string> labelsOf(const trace::Trace& trace) {
  std::vector<std::string> labels;
  for (const trace::Row& row : trace.rows) labels.push_back(row.label);
  return labels;
}

std::optional<trace::EventRef> find(const trace::Trace& trace, std::string_view name) {
  for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
    for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i)
      if ((*trace.names)[trace.lanes[lane]->name(i)].text == name) return trace::EventRef{lane, i};
  return std::nullopt;
}

TEST(ToTrace, AHeadingThatIsNoProcessStandsBelowThePrograms) {
  HandMade made("kineto");
  for (const Identity& id : {Identity{0, "Spans"}, Identity{9}}) {
    const auto process = made.process(id, id.text.empty() ? "program" : "", id.text.empty() ? "0" : "");
    made.ofThread(EventKind::kNvtxRange, made.thread(process, {1}), made.domain(process, "Slices"))
        .events.push_back({1, 2, made.name("a"), false, made.recording.tracks.size(), 0, 0});
  }
  const trace::TracePtr trace = traceOf(made.recording);
  ASSERT_TRUE(trace);
  std::vector<std::string> processes;
  for (const trace::Row& row : trace->rows)
    if (row.kind == trace::RowKind::kProcess) processes.push_back(row.label);
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_THAT(processes[0], HasSubstr("program"));
  EXPECT_THAT(processes[1], HasSubstr("Spans"));
}

TEST(GlobalIds, ANumberThatFitsIsKeptAndAllOthersGetOneThatNobodyHas) {
  HandMade made;
  for (const Identity& id :
       {Identity{7}, Identity{7}, Identity{-1}, Identity{std::int64_t{1} << 40}, Identity{0, "gpu"}})
    made.process(id);
  for (const std::int64_t tid : {7L, 3239786240L, 0L}) made.thread(0, {tid});
  const GlobalIds ids = globalIdsOf(made.recording);
  EXPECT_EQ(trace::pidOf(ids.processes[0]), 7);
  EXPECT_EQ(trace::tidOf(ids.threads[0]), 7);
  EXPECT_EQ(trace::tidOf(ids.threads[2]), 0);
  std::vector<std::int64_t> all = ids.processes;
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::unique(all).size(), 0u);
  for (std::size_t i = 1; i < ids.processes.size(); ++i) EXPECT_GT(trace::pidOf(ids.processes[i]), 1 << 22);
  EXPECT_EQ(trace::pidOf(ids.threads[1]), 7);
}

TEST(ToTrace, RowsSayWhatTheOtherToolSays) {
  const auto trace = traceOf(smallTraining());
  ASSERT_TRUE(trace);
  EXPECT_THAT(labelsOf(*trace),
              IsSupersetOf({"rank 0 · python [4711]", "CUDA HW · H100 80GB HBM3", "Kernels", "Stream 7 · compute",
                            "Default stream 20", "Allocated", "Synchronization", "PyTorch", "4711 main",
                            "3239786240 backward", "CUDA API", "NVTX", "Requests"}));
}

TEST(ToTrace, AProcessOrThreadCalledByATextHasNoNumber) {
  HandMade made("chrome-json");
  const auto process = made.process({0, "Spans"});
  const auto thread = made.thread(process, {0, "PyTorch Profiler"}, "profiler");
  made.ofThread(EventKind::kNvtxRange, thread, made.domain(process, "Slices")).events.push_back({1, 2, made.name("a")});
  const auto trace = traceOf(std::move(made.recording));
  EXPECT_THAT(labelsOf(*trace), ElementsAre("Spans", "Threads (1)", "profiler · PyTorch Profiler", "Slices"));
}

TEST(ToTrace, LaunchesAndTheirWorkBelongTogetherAndSoDoLinks) {
  const auto trace = traceOf(smallTraining());
  const auto gemm = find(*trace, "void gemm<float>(float*)");
  ASSERT_TRUE(gemm);
  const auto launch = trace->partners(*gemm);
  ASSERT_EQ(launch.size(), 1u);
  EXPECT_EQ(trace->time(trace->ref(launch[0])).begin, 1500);
  const auto step = find(*trace, "step"), mark = find(*trace, "here");
  ASSERT_TRUE(step && mark);
  EXPECT_THAT(trace->tied(*step), ElementsAre(trace->id(*mark)));
  EXPECT_EQ(trace->lanes[step->lane]->sourceRow(step->index), 1u);
}

TEST(ToTrace, WhatIsDamagedIsCountedAndStrictRefusesIt) {
  const auto trace = traceOf(smallTraining());
  std::vector<std::string> kinds;
  for (const trace::Issue& issue : trace->issues) kinds.push_back(issue.kind);
  EXPECT_THAT(kinds, ElementsAre("import-bad-number", "end-before-start", "unfinished"));
  const auto strict = toTrace(smallTraining(), {.strict = true}, Job());
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().code, ErrorCode::kDamaged);
}

TEST(ToTrace, ZeroIsATimeInJsonAndNoneInAProfile) {
  EXPECT_TRUE(find(*traceOf(smallTraining("kineto")), "(unnamed)"));
  EXPECT_FALSE(find(*traceOf(smallTraining("nvprof")), "(unnamed)"));
}

TEST(ToTrace, OnlyWhatIsAskedForIsTaken) {
  const auto trace = traceOf(smallTraining(), {.only = {EventKind::kKernel}});
  EXPECT_EQ(trace->eventCount(), 2u);
  EXPECT_TRUE(trace->counters.empty());
}

TEST(ToTrace, ProjectionsAreOfAllKindsOfRanges) {
  const auto trace = traceOf(smallTraining(), {.projections = true});
  EXPECT_GT(trace->projectionCount(), 0u);
}

TEST(ToTrace, AStoppedJobMakesNothing) {
  std::stop_source stop;
  stop.request_stop();
  const auto trace = toTrace(smallTraining(), {}, Job(stop.get_token()));
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace lanescope::imported
