// SPDX-License-Identifier: Apache-2.0
// Which event of one recording is which of the other. An event's duration says which one it is: twins have the same to
// the nanosecond, unless a test makes one slower.
#include "model/compare/twins.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/compare/changes.h"
#include "tests/support/launch_trace.h"
#include "tests/support/loaded_report.h"
#include "tests/support/trace_fixture.h"

namespace lanescope::compare {
namespace {

using test::gpid;
using test::gtid;
using test::K;
using test::M;
using test::N;
using test::R;
using testing::HasSubstr;
using testing::IsEmpty;
using trace::EventId;
using trace::EventKind;
using trace::EventRef;
using trace::kNone;
using trace::Ns;
using trace::Trace;
using trace::TracePtr;

Alignment aligned(const TracePtr& a, const TracePtr& b, const AlignRequest& request = {}) {
  return align(a, b, request, {}).value();
}

std::string text(const Trace& trace, EventRef event) { return std::string((*trace.names)[trace.name(event)].text); }

/// Matched kinds: visit(event, its id).
template <class Visit>
void forEachMatchable(const Trace& trace, Visit visit) {
  for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane) {
    const EventKind kind = trace.laneInfo[lane].kind;
    if (!trace::isGpuWork(kind) && kind != EventKind::kCudaApi && kind != EventKind::kNvtxRange &&
        kind != EventKind::kNvtxStartEnd && kind != EventKind::kNvtxMark && kind != EventKind::kNvtxProjection)
      continue;
    for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i)
      visit(EventRef{lane, i}, trace.laneInfo[lane].firstEvent + i);
  }
}

/// Texts of the events of A that have no twin; of those that have one, fails unless it is the same event.
std::vector<std::string> aloneInA(const Trace& a, const Trace& b, const Alignment& alignment) {
  std::vector<std::string> alone;
  forEachMatchable(a, [&](EventRef event, EventId id) {
    const EventId twin = alignment.twinOfA[id];
    if (twin == kNone) {
      alone.push_back(text(a, event));
      return;
    }
    EXPECT_EQ(alignment.twinOfB[twin], id);
    EXPECT_EQ(a.time(event).length(), b.time(b.ref(twin)).length()) << text(a, event) << " " << text(b, b.ref(twin));
    EXPECT_EQ(a.info(event).kind, b.info(b.ref(twin)).kind);
  });
  return alone;
}

/// The same, asked from B.
std::vector<std::string> aloneInB(const Trace& a, const Trace& b, const Alignment& alignment) {
  Alignment turned = alignment;
  std::swap(turned.twinOfA, turned.twinOfB);
  return aloneInA(b, a, turned);
}

/// A program of steps: its main thread launches a kernel and a copy for each layer, a worker of its asks for events.
struct Shape {
  int steps = 8, layers = 4;
  std::int64_t shift = 0, pid = 1, worker = 2, compute = 7, copies = 13;
  int without = -1;  ///< this step is left out
  int extraLayerIn = -1;  ///< a step with a layer more, behind the first
  int firstStep = 0;  ///< its number
  bool isNumbered = true, hasRanges = true, hasCalls = true, hasWork = true;
  std::int64_t slower = 0;  ///< ns that "gemm_2" takes more
  std::int64_t extraStream = 0;  ///< a stream that has a kernel of its own each step
  std::int64_t extraThread = 0, extraDevice = 0, extraProcess = 0;
  std::int64_t movedTo = 0;  ///< the stream that copies of layer 1 run on, if not `copies`
};

class TwinsOfPrograms : public test::LoadedReport {
 protected:
  TracePtr program(const Shape& shape) {
    test::ReportBuilder builder(folder / fmt::format("{}.sqlite", ++files_));
    Ns now = shape.shift;
    std::int64_t correlation = 0;
    const std::int64_t main = gtid(shape.pid, shape.pid), process = gpid(shape.pid);
    for (int step = 0; step < shape.steps; ++step) {
      if (step == shape.without) continue;
      const Ns begin = now, mark = 10 * step;  // what tells an event of this step
      const auto call = [&](Ns at, Ns length, const char* name, std::int64_t thread, std::int64_t of = 0) {
        if (shape.hasCalls)
          builder.add(R{.start = at, .end = at + length + mark, .thread = thread, .correlation = of, .name = name});
      };
      const auto kernel = [&](Ns at, Ns length, const std::string& name, std::int64_t stream, std::int64_t device = 0) {
        if (shape.hasWork)
          builder.add(K{.start = at,
                        .end = at + length + mark,
                        .device = device,
                        .stream = stream,
                        .correlation = correlation,
                        .process = process,
                        .name = name});
      };
      std::vector<int> layers;
      for (int layer = 0; layer < shape.layers; ++layer) {
        layers.push_back(layer);
        if (layer == 0 && step == shape.extraLayerIn) layers.push_back(99);
      }
      for (const int layer : layers) {
        const Ns at = now + 10'000;
        call(at + 1000, 5000 + layer, "cudaLaunchKernel_v7000", main, ++correlation);
        kernel(at + 150'000, 20'000 + layer + (layer == 2 ? shape.slower : 0), fmt::format("gemm_{}(float *)", layer),
               shape.compute);
        call(at + 10'000, 5000 + layer, "cudaMemcpyAsync_v3020", main, ++correlation);
        if (shape.hasWork)
          builder.add(M{.start = at + 160'000,
                        .end = at + 165'000 + layer + mark,
                        .stream = layer == 1 && shape.movedTo != 0 ? shape.movedTo : shape.copies,
                        .correlation = correlation,
                        .process = process,
                        .bytes = 1000 + layer});
        if (shape.hasRanges)
          builder.add(N{
              .start = at, .end = at + 25'000 + layer + mark, .thread = main, .text = fmt::format("layer {}", layer)});
        now += 40'000;
      }
      if (shape.extraStream != 0) {
        call(now + 1000, 5999, "cudaLaunchKernel_v7000", main, ++correlation);
        kernel(now + 160'000, 9000, "extra", shape.extraStream);
      }
      if (shape.extraDevice != 0) {
        call(now + 2000, 5998, "cudaLaunchKernel_v7000", main, ++correlation);
        kernel(now + 170'000, 9000, "extra", 7, shape.extraDevice);
      }
      for (int k = 0; k < 3; ++k)
        call(begin + 1000 + k * 20'000, 7000 + k, "cudaEventQuery_v3020", gtid(shape.pid, shape.worker));
      if (shape.extraThread != 0) call(begin + 1000, 7777, "cudaMalloc_v3020", gtid(shape.pid, shape.extraThread));
      if (shape.extraProcess != 0)
        call(begin + 1000, 7778, "cudaMalloc_v3020", gtid(shape.extraProcess, shape.extraProcess));
      now += 60'000;
      if (shape.hasRanges)
        builder.add(N{.start = begin,
                      .end = now - 20'000 + mark,
                      .thread = main,
                      .text = shape.isNumbered ? fmt::format("step {}", step + shape.firstStep) : "step"});
      now += 300'000;
    }
    return load(builder, {.projections = true});
  }

 private:
  int files_ = 0;
};

TEST(Twins, OfAGoldenReportAndItselfAreTheEventsThemselves) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& file : test::goldenExports()) {
    SCOPED_TRACE(file);
    const TracePtr trace = report::load(file, {.projections = true}, {}, Job{}).value();
    const Alignment alignment = aligned(trace, trace);
    EXPECT_EQ(alignment.by, AlignBy::kWork) << alignment.method;
    EXPECT_EQ(alignment.residual, 0);
    EXPECT_EQ(alignment.matchedA, alignment.ofA);
    EXPECT_EQ(alignment.matchedB, alignment.ofB);
    std::size_t others = 0;
    forEachMatchable(*trace, [&](EventRef, EventId id) { others += alignment.twinOfA[id] != id; });
    EXPECT_EQ(others, 0u);
    EXPECT_THAT(biggestChanges(*trace, *trace, alignment), IsEmpty());
    for (const RowChange& row : rowChanges(*trace, *trace, alignment, matchRows(*trace, *trace)))
      EXPECT_FALSE(row.differs());
    for (const Change change : nameChanges(*trace, *trace, alignment).a)
      EXPECT_TRUE(change == Change::kSame || change == Change::kNotCompared);
  }
}

TEST_F(TwinsOfPrograms, AGoldenReportWithItsStreamsPermutedAndAStepCutOutIsMatchedButForThat) {
  LANESCOPE_NEEDS_SHARED();
  const auto golden = test::sharedFolder() / "golden" / "ddp_rank0" / "nsys.sqlite", cut = folder / "cut.sqlite";
  std::filesystem::copy_file(golden, cut);
  std::filesystem::permissions(cut, std::filesystem::perms::owner_write, std::filesystem::perm_options::add);
  std::string sql = fmt::format(
      "ATTACH '{}' AS g; CREATE TEMP TABLE step AS SELECT start, end FROM g.NVTX_EVENTS "
      "WHERE text = 'step 5'; CREATE TEMP TABLE cut AS SELECT correlationId FROM "
      "g.CUPTI_ACTIVITY_KIND_RUNTIME, step WHERE CUPTI_ACTIVITY_KIND_RUNTIME.start >= "
      "step.start AND CUPTI_ACTIVITY_KIND_RUNTIME.start < step.end;",
      cut.string());
  for (const char* table : {"KERNEL", "MEMCPY", "MEMSET"})
    sql += fmt::format(
        "DELETE FROM g.CUPTI_ACTIVITY_KIND_{0} WHERE correlationId IN cut; UPDATE g.CUPTI_ACTIVITY_KIND_{0} "
        "SET streamId = CASE streamId WHEN 7 THEN 17 WHEN 17 THEN 15 WHEN 15 THEN 14 WHEN 14 THEN 7 END;",
        table);
  for (const char* table : {"CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS"})
    sql += fmt::format("DELETE FROM g.{0} WHERE start >= (SELECT start FROM step) AND start < (SELECT end FROM step);",
                       table);
  for (const char* table : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
                            "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS"})
    sql += fmt::format("UPDATE g.{0} SET start = start + 5000000000, end = end + 5000000000;", table);
  report().sql(sql).write();

  const TracePtr a = report::load(golden, {}, {}, Job{}).value(), b = report::load(cut, {}, {}, Job{}).value();
  const Alignment alignment = aligned(a, b);
  EXPECT_THAT(alignment.method, HasSubstr("11 of 12 and 11 iterations of step *"));
  EXPECT_EQ(alignment.matchedB, alignment.ofB);
  EXPECT_GT(alignment.ofA, alignment.ofB + 500);
  EXPECT_EQ(alignment.residual, 0);
  EXPECT_THAT(aloneInB(*a, *b, alignment), IsEmpty());
}

TEST_F(TwinsOfPrograms, PermutedRenamedShiftedAndWithoutAStepAllIsMatchedButThat) {
  const TracePtr a = program({});
  const TracePtr b =
      program({.shift = 9'000'000'123, .pid = 77, .worker = 5, .compute = 30, .copies = 20, .without = 3});
  const Alignment alignment = aligned(a, b);
  EXPECT_THAT(alignment.method, HasSubstr("7 of 8 and 7 iterations of step *"));
  EXPECT_THAT(aloneInB(*a, *b, alignment), IsEmpty());
  std::size_t inStep = 0;
  forEachMatchable(*a, [&](EventRef event, EventId) { inStep += a->time(event).length() % 100 / 10 == 3; });
  const std::vector<std::string> alone = aloneInA(*a, *b, alignment);
  EXPECT_THAT(alone, testing::Contains("step 3"));
  EXPECT_EQ(alone.size(), (alignment.ofA - alignment.ofB) + 10) << "and projections of its five ranges";
  EXPECT_EQ(alignment.matchedA, alignment.matchedB);
  EXPECT_EQ(alignment.matchedB, alignment.ofB);
  EXPECT_EQ(alignment.residual, 0);
  for (const int step : {0, 2, 4, 7}) {
    const EventRef inA = trace::eventNamed(*a, fmt::format("step {}", step)),
                   inB = trace::eventNamed(*b, fmt::format("step {}", step));
    EXPECT_EQ(alignment.map.toB(a->time(inA).begin), b->time(inB).begin);
    EXPECT_EQ(alignment.map.toB(a->time(inA).begin + 50'000), b->time(inB).begin + 50'000);
  }
}

TEST_F(TwinsOfPrograms, OfStepsWithOneTextTheOneThatIsGoneIsToldByTheTimesOfTheOthers) {
  const TracePtr a = program({.isNumbered = false}), b = program({.shift = 55, .without = 3, .isNumbered = false});
  const Alignment alignment = aligned(a, b);
  EXPECT_EQ(alignment.matchedB, alignment.ofB);
  EXPECT_THAT(aloneInB(*a, *b, alignment), IsEmpty());
}

TEST_F(TwinsOfPrograms, StepsAreMatchedByTheirNumberAndWithoutCommonNumbersByWhatIsInThem) {
  const TracePtr a = program({}), later = program({.steps = 8, .firstStep = 2});
  const Alignment byNumber = aligned(a, later);
  const auto twinOf = [&](const Alignment& alignment, const TracePtr& b, int step) {
    const EventId twin = alignment.twinOfA[a->id(trace::eventNamed(*a, fmt::format("step {}", step)))];
    return twin == kNone ? std::string() : text(*b, b->ref(twin));
  };
  EXPECT_EQ(twinOf(byNumber, later, 1), "");
  EXPECT_EQ(twinOf(byNumber, later, 2), "step 2");
  EXPECT_EQ(twinOf(byNumber, later, 7), "step 7");
  const TracePtr resumed = program({.firstStep = 100});
  const Alignment byWork = aligned(a, resumed);
  EXPECT_EQ(twinOf(byWork, resumed, 1), "step 101");
  EXPECT_THAT(aloneInA(*a, *resumed, byWork), IsEmpty());
}

TEST_F(TwinsOfPrograms, ALayerMoreIsAllThatHasNoTwin) {
  const TracePtr a = program({}), b = program({.extraLayerIn = 5});
  const Alignment alignment = aligned(a, b);
  EXPECT_EQ(alignment.matchedA, alignment.ofA);
  EXPECT_EQ(alignment.ofB - alignment.matchedB, 5u) << "a range, two calls, a kernel, a copy";
  forEachMatchable(*b, [&](EventRef event, EventId id) {
    const EventId twin = alignment.twinOfB[id];
    if (b->info(event).kind == EventKind::kKernel) {
      EXPECT_EQ(twin == kNone ? "gemm_99(float *)" : text(*a, a->ref(twin)), text(*b, event));
    }
  });
}

TEST_F(TwinsOfPrograms, WithoutIterationsStreamsAndThreadsAreMatchedAsTheyAre) {
  const TracePtr a = program({.hasRanges = false}), b = program({.shift = 4444, .compute = 9, .hasRanges = false});
  const Alignment alignment = aligned(a, b);
  EXPECT_THAT(alignment.method, HasSubstr("kernels and copies in order, 64 of them the same"));
  EXPECT_THAT(aloneInA(*a, *b, alignment), IsEmpty());
  EXPECT_EQ(alignment.residual, 0);
  EXPECT_EQ(alignment.map.toB(100), 4544);
  const TracePtr less = program({.without = 2, .hasRanges = false});
  const Alignment cut = aligned(a, less);
  EXPECT_EQ(cut.matchedB, cut.ofB);
  EXPECT_THAT(aloneInB(*a, *less, cut), IsEmpty());
}

TEST_F(TwinsOfPrograms, WithoutGpuWorkRangesAndCallsAreAligned) {
  const TracePtr a = program({.hasRanges = false, .hasWork = false}),
                 b = program({.shift = 50, .hasRanges = false, .hasWork = false});
  const Alignment alignment = aligned(a, b);
  EXPECT_THAT(alignment.method, HasSubstr("NVTX ranges and API calls"));
  EXPECT_EQ(alignment.map.toB(0), 50);
  EXPECT_EQ(alignment.residual, 0);
}

TEST_F(TwinsOfPrograms, WhatOneSideDidNotRecordIsNotCompared) {
  const TracePtr a = program({}), b = program({.hasCalls = false});
  const Alignment alignment = aligned(a, b);
  const EventRef call = trace::eventNamed(*a, "cudaEventQuery_v3020"),
                 kernel = trace::eventNamed(*a, "gemm_1(float *)");
  EXPECT_EQ(alignment.changeOfA(*a, *b, call), Change::kNotCompared);
  EXPECT_EQ(alignment.changeOfA(*a, *b, kernel), Change::kSame);
  EXPECT_EQ(alignment.matchedB, alignment.ofB);
}

TEST_F(TwinsOfPrograms, WhatMovedToAnotherStreamKeepsItsTwin) {
  const TracePtr a = program({}), b = program({.movedTo = 40});
  const Alignment alignment = aligned(a, b);
  EXPECT_EQ(alignment.matchedA, alignment.ofA);
  EXPECT_EQ(alignment.matchedB, alignment.ofB);
  EXPECT_EQ(alignment.residual, 0);
}

/// Labels of the rows that only one side has.
std::vector<std::string> rowsAlone(const Trace& a, const Trace& b) {
  std::vector<std::string> alone;
  for (const RowPair& pair : matchRows(a, b)) {
    if (pair.a == kNone) alone.push_back("B: " + b.rows[pair.b].label);
    else if (pair.b == kNone) alone.push_back("A: " + a.rows[pair.a].label);
    else EXPECT_EQ(a.rows[pair.a].kind, b.rows[pair.b].kind);
  }
  return alone;
}

TEST_F(TwinsOfPrograms, AStreamAThreadAGpuOrAProcessMoreStaysAlone) {
  const TracePtr a = program({});
  EXPECT_THAT(rowsAlone(*a, *a), IsEmpty());
  EXPECT_THAT(rowsAlone(*a, *program({.pid = 9, .worker = 3, .compute = 50, .copies = 4})), IsEmpty());
  EXPECT_THAT(rowsAlone(*a, *program({.compute = 20, .copies = 30, .extraStream = 10})),
              testing::ElementsAre("B: Stream 10", "B: NVTX"));
  EXPECT_THAT(rowsAlone(*program({.worker = 8, .extraThread = 5}), *a),
              testing::ElementsAre("A: Thread 5", "A: CUDA API"));
  const auto gpus = rowsAlone(*a, *program({.extraDevice = 1}));
  EXPECT_THAT(gpus, testing::Contains(HasSubstr("B: CUDA HW")));
  EXPECT_EQ(aligned(a, program({.extraDevice = 1})).residual, 0);
  const auto processes = rowsAlone(*a, *program({.pid = 3, .extraProcess = 2}));
  EXPECT_THAT(processes, testing::Contains("B: process [2]"));
  EXPECT_THAT(processes, testing::Not(testing::Contains(HasSubstr("A:"))));
}

TEST_F(TwinsOfPrograms, RowsThatOnlyOneHasStandBehindTheirNeighbour) {
  const TracePtr a = program({}), b = program({.compute = 20, .copies = 30, .extraStream = 25});
  std::vector<std::string> streams;
  for (const RowPair& pair : matchRows(*a, *b)) {
    const Trace& of = pair.b == kNone ? *a : *b;
    const trace::Row& row = of.rows[pair.b == kNone ? pair.a : pair.b];
    if (row.kind == trace::RowKind::kStream) streams.push_back(row.label);
  }
  EXPECT_THAT(streams, testing::ElementsAre("Stream 20", "Stream 25", "Stream 30"));
}

TEST_F(TwinsOfPrograms, ASlowerKernelIsToldByEventNameRowAndAsTheBiggestChange) {
  const TracePtr a = program({}), b = program({.slower = 4000});
  const Alignment alignment = aligned(a, b);
  const EventRef gemm = trace::eventNamed(*a, "gemm_2(float *)"), inB = trace::eventNamed(*b, "gemm_2(float *)");
  EXPECT_EQ(alignment.changeOfA(*a, *b, a->id(gemm)), Change::kSlower);
  EXPECT_EQ(alignment.changeOfB(*a, *b, b->id(inB)), Change::kSlower);
  EXPECT_EQ(aligned(b, a).changeOfA(*b, *a, b->id(inB)), Change::kFaster);
  EXPECT_EQ(alignment.changeOfA(*a, *b, trace::eventNamed(*a, "gemm_1(float *)")), Change::kSame);
  const NameChanges names = nameChanges(*a, *b, alignment);
  EXPECT_EQ(names.ofA(a->name(gemm)), Change::kSlower);
  EXPECT_EQ(names.ofB(b->name(inB)), Change::kSlower);
  EXPECT_EQ(names.ofA(a->name(trace::eventNamed(*a, "gemm_1(float *)"))), Change::kSame);
  const std::vector<ChangedEvent> biggest = biggestChanges(*a, *b, alignment);
  ASSERT_EQ(biggest.size(), 8u);
  for (const ChangedEvent& each : biggest) {
    EXPECT_EQ(text(*a, a->ref(each.a)), "gemm_2(float *)");
    EXPECT_EQ(each.difference, 4000);
    EXPECT_EQ(each.change, Change::kSlower);
  }
  EXPECT_EQ(biggestChanges(*a, *b, alignment, 3).size(), 3u);
  const std::vector<RowPair> pairs = matchRows(*a, *b);
  const std::vector<RowChange> rows = rowChanges(*a, *b, alignment, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (a->rows[pairs[i].a].kind == trace::RowKind::kStream) {
      EXPECT_EQ(rows[i].slower, a->rows[pairs[i].a].label == "Stream 7" ? 8u : 0u);
      EXPECT_EQ(rows[i].onlyInA + rows[i].onlyInB, 0u);
    }
}

TEST_F(TwinsOfPrograms, WhatIsGoneAndNewIsAmongTheBiggestChanges) {
  const TracePtr a = program({}), b = program({.without = 3});
  const std::vector<ChangedEvent> changes = biggestChanges(*a, *b, aligned(a, b));
  ASSERT_FALSE(changes.empty());
  EXPECT_TRUE(
      std::ranges::all_of(changes, [](const ChangedEvent& each) { return each.b == kNone && each.difference < 0; }));
  EXPECT_EQ(text(*a, a->ref(changes[0].a)), "step 3");
  EXPECT_TRUE(std::ranges::is_sorted(changes, std::ranges::greater{},
                                     [](const ChangedEvent& each) { return std::abs(each.difference); }));
}

TEST_F(TwinsOfPrograms, AlignedByARangeOrIterationThatOnlyOneHasItSaysSo) {
  const TracePtr a = program({}), b = program({.shift = 1000, .without = 3});
  const auto start = [](const TracePtr& trace, const char* name, std::size_t n = 0) {
    return trace->time(trace::eventNamed(*trace, name, n)).begin;
  };
  const Alignment range = aligned(a, b, {.by = AlignBy::kRange, .range = "layer 1", .index = 4});
  EXPECT_EQ(range.by, AlignBy::kRange);
  EXPECT_EQ(range.map.toB(start(a, "layer 1", 4)), start(b, "layer 1", 4));
  const Alignment iteration = aligned(a, b, {.by = AlignBy::kIteration, .index = 5});
  EXPECT_EQ(iteration.map.toB(start(a, "step 5")), start(b, "step 5")) << "over its twin";
  EXPECT_THAT(iteration.method, HasSubstr("step 5 and step 5"));
  const Alignment gone = aligned(a, b, {.by = AlignBy::kRange, .range = "step 3"});
  EXPECT_EQ(gone.by, AlignBy::kFirstGpuWork);
  EXPECT_THAT(gone.method, HasSubstr("step 3 is not there so often in both"));
  EXPECT_EQ(gone.matchedA, iteration.matchedA) << "twins are the same whatever was asked";
  Alignment again = gone;
  alignAgain(again, *a, *b, {.by = AlignBy::kOffset, .offset = 77});
  EXPECT_EQ(again.map.toB(0), 77);
}

TEST(Twins, OfTheGoodAndTheBadOverlapAreAllWork) {
  LANESCOPE_NEEDS_SHARED();
  const auto load = [](const char* name) {
    return report::load(test::sharedFolder() / "golden" / name / "nsys.sqlite", {}, {}, Job{}).value();
  };
  const TracePtr good = load("overlap_good"), bad = load("overlap_bad");
  const Alignment alignment = aligned(good, bad);
  for (const TracePtr& trace : {good, bad})
    forEachMatchable(*trace, [&](EventRef event, EventId id) {
      if (trace::isGpuWork(trace->info(event).kind)) {
        EXPECT_NE((trace == good ? alignment.twinOfA : alignment.twinOfB)[id], kNone) << text(*trace, event);
      }
    });
  EXPECT_THAT(alignment.method, HasSubstr("iterations"));
  const TracePtr first = load("ddp_rank0"), second = load("ddp_rank1");
  const Alignment ranks = aligned(first, second);
  EXPECT_THAT(ranks.method, HasSubstr("12 of 12 iterations"));
  EXPECT_GT(ranks.matchedA * 10, ranks.ofA * 9) << ranks.matchedA << " of " << ranks.ofA;
}

// --- hostile ---------------------------------------------------------------------------------------------------------

TracePtr kernels(std::size_t count, Ns length) {
  trace::TraceFixture fixture;
  const trace::NameId name = fixture.name("same");
  std::vector<trace::Event> events(count);
  for (std::size_t i = 0; i < count; ++i)
    events[i] = {.start = static_cast<Ns>(i) * 100, .end = static_cast<Ns>(i) * 100 + length, .name = name};
  return fixture.lane(EventKind::kKernel, events).finish();
}

TEST(Twins, OfManyEventsWithOneNameCostOnePass) {
  const TracePtr many = kernels(50'000, 10), fewer = kernels(30'000, 90);
  const Alignment alignment = aligned(many, fewer);
  EXPECT_EQ(alignment.matchedB, 30'000u);
  EXPECT_EQ(alignment.matchedA, 30'000u);
  EXPECT_LE(alignment.steps, 2u * 80'000);
}

TEST(Twins, OfNothingAreNone) {
  const TracePtr nothing = std::make_shared<const Trace>([] {
    Trace trace;
    trace.names = std::make_shared<trace::NameTable>();
    return trace;
  }());
  const TracePtr something = trace::launchTrace();
  EXPECT_THAT(aligned(nothing, nothing).twinOfA, IsEmpty());
  const Alignment alignment = aligned(something, nothing);
  EXPECT_EQ(alignment.by, AlignBy::kCaptureStart);
  EXPECT_THAT(alignment.method, HasSubstr("nothing of the two could be matched"));
  EXPECT_EQ(alignment.ofA, 0u) << "nothing can be compared";
  EXPECT_THAT(alignment.twinOfA, testing::Each(kNone));
  EXPECT_EQ(aligned(nothing, something).twinOfB.size(), something->eventCount());
  EXPECT_EQ(matchRows(*something, *nothing).size(), something->rows.size());
  EXPECT_EQ(matchRows(*nothing, *something).size(), something->rows.size());
}

TEST(Twins, AreNotGivenOnceCancelled) {
  std::stop_source stop;
  stop.request_stop();
  const TracePtr trace = trace::launchTrace();
  EXPECT_FALSE(align(trace, trace, {}, Job(stop.get_token())));
}

}  // namespace
}  // namespace lanescope::compare
