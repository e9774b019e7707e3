// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/selection.h"

#include <gmock/gmock.h>

#include <latch>
#include <map>
#include <random>
#include <thread>

#include "model/analysis/gpu_work.h"
#include "model/report/load.h"
#include "model/trace/builder.h"
#include "tests/model/trace/random_events.h"
#include "tests/support/files.h"
#include "tests/support/loaded_report.h"
#include "tests/support/report_builder.h"

namespace lanescope::analysis {
namespace {

using namespace lanescope::test;
using testing::ElementsAre;
using trace::Event;
using trace::EventKind;
using trace::LaneId;
using trace::Ns;
using trace::TimeRange;
using trace::Trace;
using trace::TracePtr;

class SelectionOf : public LoadedReport {};

NameFigures figuresOf(const Trace& trace, const Selection& selection, std::string_view name) {
  for (const NameFigures& each : nameFigures(trace, selection).names)
    if ((*trace.names)[each.name].text == name) return each;
  return {};
}

std::uint32_t rowOf(const Trace& trace, trace::RowKind kind) {
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row)
    if (trace.rows[row].kind == kind) return row;
  ADD_FAILURE() << "no such row";
  return 0;
}

TEST_F(SelectionOf, ACutParentCountsWithoutItsCutChildren) {  // GUI-07, a thousand later: 0 is no recorded time
  const TracePtr trace = load(report()
                                  .add(N{.start = 1000, .end = 1100, .text = "P"})
                                  .add(N{.start = 1010, .end = 1030, .text = "C"})
                                  .add(N{.start = 1040, .end = 1080, .text = "C"}));
  Selection selection{.range = {1020, 1100}};
  const NameFigures child = figuresOf(*trace, selection, "C");
  EXPECT_EQ(child.time.count, 2u);
  EXPECT_EQ(child.time.total, 50);
  EXPECT_EQ(child.time.mean, 25);
  EXPECT_EQ(child.time.min, 10);
  EXPECT_EQ(child.time.max, 40);
  EXPECT_EQ(child.self, 50);
  EXPECT_EQ(figuresOf(*trace, selection, "P").self, 30);
  selection.clip = Clip::kWholeEvents;
  EXPECT_EQ(figuresOf(*trace, selection, "C").time.total, 60);
  EXPECT_EQ(figuresOf(*trace, selection, "P").self, 40);
  selection.range = {1050, 1060};
  EXPECT_EQ(figuresOf(*trace, selection, "P").self, 40) << "the first child lies outside, but inside the parent";
}

TEST_F(SelectionOf, GraphKernelsCountEachAndTheirLaunchOnce) {  // MOD-03
  const TracePtr trace = load(report()
                                  .add(R{.start = 1, .end = 5001, .correlation = 9, .name = "cudaGraphLaunch_v10000"})
                                  .add(K{.start = 10000, .end = 11000, .correlation = 9, .graphNode = 1, .graph = 2})
                                  .add(K{.start = 11000, .end = 13000, .correlation = 9, .graphNode = 2, .graph = 2})
                                  .add(K{.start = 13000, .end = 13500, .correlation = 9, .graphNode = 3, .graph = 2}));
  const Selection all{.range = {0, 20000}};
  EXPECT_EQ(figuresOf(*trace, all, "kernel").time.count, 3u);
  EXPECT_EQ(figuresOf(*trace, all, "kernel").time.total, 3500);
  EXPECT_EQ(figuresOf(*trace, all, "cudaGraphLaunch_v10000").time.count, 1u);
  EXPECT_EQ(figuresOf(*trace, all, "cudaGraphLaunch_v10000").time.total, 5000);
}

TEST_F(SelectionOf, ASumOverStreamsMayExceedTheTimeButARowMayNot) {  // MOD-05
  const TracePtr trace = load(report().add(K{.start = 1, .end = 101}).add(K{.start = 1, .end = 101, .stream = 20}));
  EXPECT_EQ(figuresOf(*trace, {.range = {1, 101}}, "kernel").time.total, 200);
  const RowFigures row = rowFigures(*trace, rowOf(*trace, trace::RowKind::kGpu), {1, 101});
  EXPECT_EQ(row.busy, 100);
  EXPECT_EQ(row.count, 2u);
  const TracePtr partly = load(report().add(K{.start = 1, .end = 61}).add(K{.start = 41, .end = 91, .stream = 20}));
  EXPECT_EQ(figuresOf(*partly, {.range = {1, 101}}, "kernel").time.total, 110);
}

TEST_F(SelectionOf, TheRowsBusyTimeIsThatOfTheChecklistForTheSameSelection) {  // MOD-11
  const TracePtr trace = load(report()
                                  .add(K{.start = 100, .end = 160})
                                  .add(K{.start = 140, .end = 190, .stream = 20})
                                  .add(M{.start = 180, .end = 250, .stream = 21})
                                  .add(Sync{.start = 100, .end = 400}));
  const GpuWork work(*trace);
  for (const TimeRange range : {TimeRange{0, 1000}, {100, 250}, {150, 185}, {300, 400}})
    EXPECT_EQ(rowFigures(*trace, rowOf(*trace, trace::RowKind::kGpu), range).busy, work.figures(range).busy);
}

TEST_F(SelectionOf, AZeroLengthEventCountsAtTheBeginAndNotAtTheEnd) {
  const TracePtr trace = load(report().add(N{.start = 100, .type = 34, .text = "mark"}));
  const auto count = [&](TimeRange range) { return figuresOf(*trace, {.range = range}, "mark").time.count; };
  EXPECT_EQ(count({100, 101}), 1u);
  EXPECT_EQ(count({50, 100}), 0u);
  EXPECT_EQ(count({100, 100}), 0u) << "nothing touches an empty range";
}

TEST_F(SelectionOf, ACutCopyCountsTheBytesOfItsPart) {
  const TracePtr trace = load(report()
                                  .add(M{.start = 100, .end = 200, .kind = 1, .bytes = 1000})
                                  .add(M{.start = 200, .end = 300, .kind = 2, .bytes = 5000})
                                  .add(M{.start = 300, .end = 300, .kind = 2, .bytes = 7}));
  const auto cut = copyFigures(*trace, {.range = {150, 220}});
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_EQ(cut[0].copyKind, 2);
  EXPECT_EQ(cut[0].bytes, 1000u);
  EXPECT_EQ(cut[0].time, 20);
  EXPECT_EQ(cut[1].bytes, 500u);
  EXPECT_EQ(cut[1].count, 1u);
  const auto whole = copyFigures(*trace, {.range = {150, 301}, .rows = {}, .clip = Clip::kWholeEvents});
  EXPECT_EQ(whole[0].bytes, 5007u);
  EXPECT_EQ(whole[1].bytes, 1000u);
}

TEST_F(SelectionOf, ACancelledJobLeavesTheFiguresWithoutTime) {
  const TracePtr trace = load(report()
                                  .add(N{.start = 100, .end = 200, .text = "a"})
                                  .add(N{.start = 100, .end = 200, .thread = gtid(1, 2), .text = "a"})
                                  .add(M{.start = 100, .end = 200, .bytes = 1000}));
  std::stop_source stop;
  stop.request_stop();
  const Job job(stop.get_token());
  const Selection all{.range = {0, 1000}};
  ASSERT_EQ(copyFigures(*trace, all).front().bytes, 1000u);
  EXPECT_EQ(copyFigures(*trace, all, job).front().bytes, 0u);
  const std::uint32_t heading = rowOf(*trace, trace::RowKind::kThreads);
  ASSERT_EQ(rowFigures(*trace, heading, all.range).busy, 100);
  EXPECT_EQ(rowFigures(*trace, heading, all.range, job).busy, 0);
}

TEST_F(SelectionOf, AnUnfinishedRangeIsCountedButHasNoTime) {
  const TracePtr trace = load(report()
                                  .add(K{.start = 1, .end = 1000})
                                  .add(N{.start = 10, .text = "open"})
                                  .add(N{.start = 20, .end = 30, .text = "open"}));
  const NameFigures open = figuresOf(*trace, {.range = {0, 1000}}, "open");
  EXPECT_EQ(open.unfinished, 1u);
  EXPECT_EQ(open.time.count, 1u);
  EXPECT_EQ(open.time.total, 10);
  EXPECT_EQ(open.self, 10);
}

TEST_F(SelectionOf, RowsCoverWhatStandsBelowThemOnce) {
  const TracePtr trace =
      load(report().add(K{.start = 1, .end = 5}).add(M{.start = 5, .end = 9}).add(R{.start = 1, .end = 2}));
  const Selection gpu{.range = {0, 100}, .rows = {rowOf(*trace, trace::RowKind::kGpu)}};
  EXPECT_EQ(lanesOf(*trace, gpu).size(), 2u);
  Selection twice = gpu;
  twice.rows.push_back(rowOf(*trace, trace::RowKind::kStream));
  EXPECT_EQ(lanesOf(*trace, twice), lanesOf(*trace, gpu));
  EXPECT_EQ(lanesOf(*trace, {}).size(), trace->lanes.size());
}

TEST_F(SelectionOf, WithoutRowsTheMachinesOwnLanesAreLeftOut) {
  auto builder = report();
  builder.add(K{.start = 1, .end = 5});
  builder.insert("SCHED_EVENTS", {{"start", 1}, {"cpu", 0}, {"isSchedIn", 1}, {"globalTid", gtid(1, 1)}});
  builder.insert("SCHED_EVENTS", {{"start", 9}, {"cpu", 0}, {"isSchedIn", 0}, {"globalTid", gtid(1, 1)}});
  const TracePtr trace = load(builder);
  ASSERT_GT(trace->lanes.size(), 1u);
  EXPECT_EQ(lanesOf(*trace, {}).size(), 1u);
}

TEST_F(SelectionOf, WhereNothingWasCalledTheStatesOfThreadsAreSummedUp) {
  auto builder = report();
  builder.add(K{.start = 1000, .end = 1005});
  for (const std::int64_t at : {1, 9, 21, 29})
    builder.insert("SCHED_EVENTS", {{"start", at},
                                    {"cpu", 0},
                                    {"isSchedIn", at == 1 || at == 21 ? 1 : 0},
                                    {"globalTid", gtid(1, 1)},
                                    {"threadState", at == 9 ? 7 : 0}});
  const TracePtr trace = load(builder);
  const NameTable table = nameFigures(*trace, {.range = {0, 29}});
  ASSERT_EQ(table.names.size(), 2u);
  EXPECT_EQ((*trace->names)[table.names[0].name].text, "Running");
  EXPECT_EQ(table.names[0].time.total, 16);
  EXPECT_EQ(table.names[0].time.count, 2u);
  EXPECT_EQ((*trace->names)[table.names[1].name].text, "Waiting");
  EXPECT_EQ(table.names[1].time.total, 12);
  EXPECT_EQ(nameFigures(*trace, {.range = {0, 2000}}).names.size(), 1u) << "the kernel alone";
}

TEST_F(SelectionOf, DurationsAreThoseOfTheLineAndKnowTheirEvents) {
  const TracePtr trace = load(report()
                                  .add(K{.start = 10, .end = 20, .name = "a"})
                                  .add(K{.start = 20, .end = 25, .name = "b"})
                                  .add(K{.start = 30, .end = 60, .name = "a"}));
  const Selection selection{.range = {15, 50}};
  const auto durations = durationsOf(*trace, selection, figuresOf(*trace, selection, "a").name, EventKind::kKernel);
  EXPECT_THAT(durations.time, ElementsAre(5, 20));
  EXPECT_THAT(durations.event, ElementsAre(0, 2));
}

TEST_F(SelectionOf, TheCostIsTheEventsThatTouchTheRange) {
  auto builder = report();
  for (int i = 0; i < 1000; ++i)
    builder.add(K{.start = 10 + i * 10, .end = 15 + i * 10, .name = "k" + std::to_string(i % 300)});
  const TracePtr trace = load(builder);
  EXPECT_EQ(nameFigures(*trace, {.range = {1000, 1100}}).events, 10u);
  EXPECT_EQ(nameFigures(*trace, {.range = {0, 100000}}).events, 1000u);
}

TEST_F(SelectionOf, ACancelledJobStopsIt) {
  const TracePtr trace = load(report().add(K{.start = 1, .end = 5}));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(nameFigures(*trace, {.range = {0, 10}}, Job(stop.get_token())).names.empty());
}

TEST_F(SelectionOf, ItMayBeCancelledAtAnyMoment) {
  auto builder = report();
  for (int i = 0; i < 3000; ++i)
    builder.add(K{.start = 10 + i * 10, .end = 15 + i * 10, .stream = i % 50, .name = "k" + std::to_string(i)});
  const TracePtr trace = load(builder);
  const std::size_t all = nameFigures(*trace, {.range = {0, 100000}}).names.size();
  for (int spins = 0; spins < 400; ++spins) {
    std::stop_source stop;
    std::latch started(1);
    std::jthread canceller([&] {
      started.count_down();
      for (int i = 0; i < spins; ++i) std::this_thread::yield();
      stop.request_stop();
    });
    started.wait();
    const std::size_t found = nameFigures(*trace, {.range = {0, 100000}}, Job(stop.get_token())).names.size();
    EXPECT_TRUE(found == 0 || found == all) << found;
  }
}

// ---- against a naive twin -------------------------------------------------------------------------------------------

struct Line {
  std::vector<std::int64_t> times;
  Ns self = 0;
  std::uint64_t unfinished = 0, bytes = 0;
};
using Lines = std::map<std::tuple<EventKind, std::uint8_t, trace::NameId>, Line>;

/// Event by event, each against every other for what nests inside.
Lines naive(const Trace& trace, const Selection& selection) {
  Lines lines;
  const auto [begin, end] = selection.range;
  const bool whole = selection.clip == Clip::kWholeEvents;
  for (LaneId id = 0; id < trace.lanes.size(); ++id) {
    const trace::Lane& lane = *trace.lanes[id];
    const trace::LaneInfo& info = trace.laneInfo[id];
    for (std::size_t i = 0; i < lane.size(); ++i) {
      const Ns from = lane.start(i), to = lane.end(i);
      if (begin >= end || from >= end || (to <= begin && from < begin)) continue;
      Line& line = lines[{info.kind, info.copyKind, (*trace.names)[lane.name(i)].same}];
      const Ns time = whole ? to - from : std::min(to, end) - std::max(from, begin);
      line.bytes += to == from
                        ? lane.amount(i)
                        : static_cast<std::uint64_t>(static_cast<long double>(lane.amount(i)) * time / (to - from));
      if (lane.unfinished(i)) {
        ++line.unfinished;
        continue;
      }
      line.times.push_back(time);
      line.self += time;
      if (info.kind != EventKind::kNvtxRange && info.kind != EventKind::kCudaApi) continue;
      for (LaneId other = 0; other < trace.lanes.size(); ++other) {
        const trace::LaneInfo& inner = trace.laneInfo[other];
        if (inner.kind != info.kind || inner.thread != info.thread || inner.domain != info.domain ||
            inner.depth != info.depth + 1)
          continue;
        for (std::size_t k = 0; k < trace.lanes[other]->size(); ++k) {
          const Ns start = trace.lanes[other]->start(k), stop = std::min(trace.lanes[other]->end(k), to);
          if (start < from || start >= to) continue;
          line.self -= whole ? stop - start : std::max<Ns>(0, std::min(stop, end) - std::max(start, begin));
        }
      }
    }
  }
  return lines;
}

TracePtr randomTrace(std::mt19937_64& random) {
  trace::TraceBuilder builder;
  std::vector<trace::NameId> names;
  for (int i = 0; i < 12; ++i) names.push_back(builder.names().intern("name " + std::to_string(i % 9), {}, i / 9));
  const auto add = [&](EventKind kind, std::uint8_t copyKind, std::int64_t owner, Ns span) {
    trace::LaneInfo info;
    info.kind = kind;
    info.copyKind = copyKind;
    info.process = builder.process(gpid(1));
    if (trace::isGpuWork(kind)) {
      info.gpu = builder.gpu(info.process, 0);
      info.stream = builder.stream(info.gpu, 1, owner);
    } else {
      info.thread = builder.thread(gtid(1, owner));
      info.domain = builder.domain(info.process, 0);
    }
    for (Event event : randomEvents(random, 1 + random() % 120, span)) {
      event.name = names[event.name];
      event.amount = random() % 100000;
      event.unfinished = kind == EventKind::kNvtxRange && random() % 40 == 0;
      builder.sequence(info).add(event);
    }
  };
  const Ns span = random() % 2 == 0 ? 2000 : 400'000'000'000;  // the latter with durations that 32 bits do not hold
  add(EventKind::kKernel, 0, 7, span);
  add(EventKind::kKernel, 0, 8, span);
  add(EventKind::kCopy, 1, 7, span);
  add(EventKind::kCopy, 2, 7, span);
  add(EventKind::kNvtxRange, 0, 1, span);
  add(EventKind::kNvtxRange, 0, 2, span);
  add(EventKind::kCudaApi, 0, 1, span);
  builder.finish();
  return builder.snapshot(true);
}

TEST(NameFigures, EqualTheNaiveTwin) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 40; ++round) {
    const TracePtr trace = randomTrace(random);
    for (int k = 0; k < 8; ++k) {
      const auto pick = [&] {
        return trace->range.begin + static_cast<Ns>(random() % static_cast<std::uint64_t>(trace->range.length() + 2));
      };
      const Ns a = pick(), b = pick();
      const Selection selection{.range = {std::min(a, b), std::max(a, b)},
                                .rows = {},
                                .clip = random() % 2 == 0 ? Clip::kAtEdges : Clip::kWholeEvents};
      const Lines expected = naive(*trace, selection);
      const NameTable table = nameFigures(*trace, selection);
      EXPECT_EQ(table.names.size(), expected.size());
      for (const NameFigures& each : table.names) {
        const auto found = expected.find({each.kind, each.copyKind, each.name});
        ASSERT_NE(found, expected.end());
        Line line = found->second;
        EXPECT_EQ(each.unfinished, line.unfinished);
        EXPECT_EQ(each.bytes, line.bytes);
        EXPECT_EQ(each.self, std::max<Ns>(0, line.self));
        const Statistics s = statisticsOf(line.times);
        EXPECT_EQ(each.time.count, s.count);
        EXPECT_EQ(each.time.total, s.total);
        EXPECT_EQ(each.time.min, s.min);
        EXPECT_EQ(each.time.max, s.max);
        EXPECT_DOUBLE_EQ(each.time.median, s.median);
        EXPECT_DOUBLE_EQ(each.time.deviation, s.deviation);
      }
    }
  }
}

TEST(RowFigures, EqualTheUnionOfTheirLanesPointByPoint) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 30; ++round) {
    const TracePtr trace = randomTrace(random);
    if (trace->range.length() > 10000) continue;
    const Ns a = trace->range.begin + static_cast<Ns>(random() % 1500), b = a + static_cast<Ns>(random() % 700);
    for (std::uint32_t row = 0; row < trace->rows.size(); ++row) {
      const auto& lanes = trace->rows[row].lanes;
      using trace::RowKind;
      const RowKind kind = trace->rows[row].kind;
      // A thread's busy time is its state; calls are random here and do not nest, as those of a thread do.
      if (lanes.empty() || kind == RowKind::kThread || kind == RowKind::kCudaApi) continue;
      Ns busy = 0;
      for (Ns t = a; t < b; ++t)
        busy += std::any_of(lanes.begin(), lanes.end(), [&](LaneId lane) {
          const auto at = trace->lanes[lane]->at(t);
          return at && trace->lanes[lane]->end(*at) > t;
        });
      EXPECT_EQ(rowFigures(*trace, row, {a, b}).busy, busy) << trace->rows[row].label;
    }
  }
}

}  // namespace
}  // namespace lanescope::analysis
