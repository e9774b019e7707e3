// SPDX-License-Identifier: Apache-2.0
// The trace that comes of a file: the cases people filed against other tools, and every real file at hand.
#include "model/report/load.h"

#include <gmock/gmock.h>

#include <random>

#include "tests/support/files.h"
#include "tests/support/loaded_report.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

using namespace lanescope::test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using trace::EventKind;
using trace::EventRef;
using trace::LaneId;
using trace::Ns;
using trace::Row;
using trace::RowKind;
using trace::TimeRange;
using trace::Trace;
using trace::TracePtr;

class Load : public LoadedReport {};

/// All events of a kind, by start.
std::vector<EventRef> eventsOf(const Trace& trace, EventKind kind) {
  std::vector<EventRef> events;
  for (LaneId lane = 0; lane < trace.lanes.size(); ++lane)
    if (trace.laneInfo[lane].kind == kind)
      for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i) events.push_back({lane, i});
  std::stable_sort(events.begin(), events.end(),
                   [&](EventRef a, EventRef b) { return trace.time(a).begin < trace.time(b).begin; });
  return events;
}

std::vector<std::string> namesOf(const Trace& trace, EventKind kind) {
  std::vector<std::string> names;
  for (const EventRef event : eventsOf(trace, kind)) names.emplace_back((*trace.names)[trace.name(event)].text);
  return names;
}

std::vector<const Row*> rowsOf(const Trace& trace, RowKind kind) {
  std::vector<const Row*> rows;
  for (const Row& row : trace.rows)
    if (row.kind == kind) rows.push_back(&row);
  return rows;
}

std::uint64_t issue(const Trace& trace, std::string_view kind) {
  std::uint64_t count = 0;
  for (const trace::Issue& each : trace.issues)
    if (each.kind == kind) count += each.count;
  return count;
}

TEST_F(Load, KernelsThatOverlapOnAStreamAreAllThere) {  // IMP-01
  const TracePtr trace =
      load(report().add(K{.start = 3000, .end = 6776, .name = "A"}).add(K{.start = 5000, .end = 7000, .name = "B"}));
  EXPECT_THAT(namesOf(*trace, EventKind::kKernel), ElementsAre("A", "B"));
  const Row& stream = *rowsOf(*trace, RowKind::kStream).at(0);
  ASSERT_THAT(stream.lanes, SizeIs(2));
  EXPECT_EQ(trace->laneInfo[stream.lanes[1]].depth, 1u);
  EXPECT_EQ(stream.busy->busy({0, 10000}), 4000) << "the union";
  Ns sum = 0;
  for (const LaneId lane : stream.lanes) sum += trace->lanes[lane]->totalBusy();
  EXPECT_EQ(sum, 5776);
}

TEST_F(Load, AKernelWithoutTimesDoesNotStretchTheView) {  // IMP-05
  const Ns t = 1615207264505100000;
  const TracePtr trace = load(report()
                                  .add(K{.start = 0, .end = 0})
                                  .add(K{.start = t, .end = t + 50000})
                                  .add(R{.start = t - 100000, .end = t - 94000}));
  EXPECT_EQ(trace->range, (TimeRange{t - 100000, t + 50000}));
  EXPECT_EQ(issue(*trace, "time-not-recorded"), 1u);
}

TEST_F(Load, TheSmallestIntegerIsNoTime) {  // IMP-07
  const Ns least = std::numeric_limits<Ns>::min();
  const TracePtr trace = load(report().add(K{.start = least, .end = least}).add(K{.start = 100, .end = 200}));
  EXPECT_EQ(trace->range, (TimeRange{100, 200}));
  EXPECT_EQ(issue(*trace, "time-out-of-range"), 1u);
}

TEST_F(Load, InvalidTimesAreCountedByReasonAndLeaveTheRestAlone) {  // IMP-08
  const TracePtr trace = load(report()
                                  .add(K{.start = 100, .end = 200})
                                  .add(K{.start = 300, .end = 250})
                                  .add(K{})
                                  .add(K{.start = 400, .end = 500}));
  EXPECT_THAT(eventsOf(*trace, EventKind::kKernel), SizeIs(2));
  EXPECT_EQ(issue(*trace, "end-before-start"), 1u);
  EXPECT_EQ(issue(*trace, "time-not-recorded"), 1u);
  EXPECT_EQ(trace->lanes.at(0)->totalBusy(), 200);
}

TEST_F(Load, StrictMakesADamagedEventAnError) {
  const auto file = report().add(K{.start = 100, .end = 200}).add(K{.start = 300, .end = 250}).write();
  EXPECT_TRUE(report::load(file, {}, {}, Job{}));
  const auto strict = report::load(file, {.strict = true}, {}, Job{});
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().code, ErrorCode::kDamaged);
}

TEST_F(Load, AFileWithoutGpuWorkOpens) {  // IMP-31
  const TracePtr trace = load(report().add(O{.start = 10, .end = 20}).add(O{.start = 30, .end = 40, .name = "read"}));
  EXPECT_THAT(namesOf(*trace, EventKind::kOsRuntime), ElementsAre("poll", "read"));
  EXPECT_THAT(rowsOf(*trace, RowKind::kGpu), IsEmpty());
}

TEST_F(Load, AnApiCallAloneIsNoGpuActivity) {  // IMP-32
  const TracePtr trace = load(report().add(R{.start = 0, .end = 5000, .correlation = 1, .name = "cudaGetDeviceCount"}));
  EXPECT_THAT(eventsOf(*trace, EventKind::kCudaApi), SizeIs(1));
  EXPECT_THAT(rowsOf(*trace, RowKind::kGpu), IsEmpty());
}

TEST_F(Load, OfSeveralGpusEachRowSaysWhichOneItIs) {
  const auto labels = [&](std::initializer_list<std::int64_t> devices) {
    auto file = report();
    for (const std::int64_t device : devices) file.add(K{.start = 10, .end = 20, .device = device});
    for (const std::int64_t device : devices) {
      file.insert("TARGET_INFO_GPU", {{"id", device}, {"name", std::string("NVIDIA H100")}});
      file.insert("TARGET_INFO_CUDA_DEVICE", {{"gpuId", device}, {"cudaId", device}, {"pid", std::int64_t{1}}});
    }
    std::vector<std::string> found;
    const TracePtr trace = load(file);
    for (const Row* row : rowsOf(*trace, RowKind::kGpu)) found.push_back(row->label);
    return found;
  };
  EXPECT_THAT(labels({0, 1}), ElementsAre("CUDA HW · GPU 0 · H100", "CUDA HW · GPU 1 · H100"));
  EXPECT_THAT(labels({0}), ElementsAre("CUDA HW · H100"));
}

TEST_F(Load, NvtxNamesComeFromTextOrFromRegisteredStrings) {  // IMP-38
  auto file = report();
  file.string(5, "fwd");
  file.add(N{.start = 10, .end = 20, .textId = 5})
      .add(N{.start = 20, .end = 30, .text = "bwd"})
      .add(N{.start = 30, .end = 40})
      .add(N{.start = 40, .end = 50, .textId = 99});
  file.add(N{.start = 1, .type = 75, .text = "app", .domain = 3})
      .add(N{.start = 60, .end = 70, .text = "x", .domain = 3});
  const TracePtr trace = load(file);
  EXPECT_THAT(namesOf(*trace, EventKind::kNvtxRange),
              ElementsAre("fwd", "bwd", "(unnamed)", "(string 99 missing)", "x"));
  ASSERT_THAT(rowsOf(*trace, RowKind::kNvtx), SizeIs(2));
  EXPECT_EQ(rowsOf(*trace, RowKind::kNvtx)[1]->label, "NVTX · app");
  EXPECT_EQ(issue(*trace, "string-missing"), 1u);
}

TEST_F(Load, OneProcessMayDriveTwoGpus) {  // IMP-39
  const TracePtr trace =
      load(report().add(K{.start = 1, .end = 2, .device = 0}).add(K{.start = 1, .end = 2, .device = 1}));
  EXPECT_THAT(rowsOf(*trace, RowKind::kProcess), SizeIs(1));
  EXPECT_THAT(rowsOf(*trace, RowKind::kGpu), SizeIs(2));
}

TEST_F(Load, StartEndRangesOverlapFreelyInAnAreaOfTheProcess) {  // IMP-40
  const TracePtr trace =
      load(report()
               .add(N{.start = 0, .end = 1000, .type = 60, .endThread = gtid(1, 2), .text = "io", .rangeId = 1})
               .add(N{.start = 500, .end = 1500, .type = 60, .endThread = gtid(1, 1), .text = "io2", .rangeId = 2})
               .add(R{.start = 600, .end = 610, .correlation = 4})
               .add(K{.start = 700, .end = 800, .correlation = 4}));
  ASSERT_THAT(rowsOf(*trace, RowKind::kNvtxProcess), SizeIs(1));
  const Row& ranges = *rowsOf(*trace, RowKind::kNvtxProcess)[0];
  EXPECT_TRUE(ranges.stacked);
  ASSERT_THAT(ranges.lanes, SizeIs(2));
  EXPECT_EQ(trace->time({ranges.lanes[0], 0}), (TimeRange{0, 1000}));
  EXPECT_EQ(trace->time({ranges.lanes[1], 0}), (TimeRange{500, 1500}));
  EXPECT_EQ(issue(*trace, "partial-overlap"), 0u) << "overlapping is what these ranges are for";
}

TEST_F(Load, ARangeWithoutEndReachesToTheEndOfTheTrace) {  // IMP-41
  const TracePtr trace = load(report()
                                  .add(N{.start = 100, .text = "open"})
                                  .add(N{.start = 200, .end = 300, .text = "child"})
                                  .add(K{.start = 400, .end = 900}));
  const auto ranges = eventsOf(*trace, EventKind::kNvtxRange);
  ASSERT_THAT(ranges, SizeIs(2));
  EXPECT_EQ(trace->time(ranges[0]), (TimeRange{100, 900}));
  EXPECT_TRUE(trace->lanes[ranges[0].lane]->unfinished(0));
  EXPECT_EQ(trace->info(ranges[1]).depth, 1u) << "inside the open one";
  EXPECT_EQ(issue(*trace, "unfinished"), 1u);
}

TEST_F(Load, ZeroLengthEventsStayInOneLane) {  // IMP-43
  const TracePtr trace =
      load(report().add(K{.start = 100, .end = 100}).add(K{.start = 100, .end = 200}).add(K{.start = 200, .end = 200}));
  EXPECT_THAT(trace->lanes, SizeIs(1));
  EXPECT_EQ(trace->lanes[0]->size(), 3u);
}

TEST_F(Load, StreamsAreToldApartByDeviceAndContext) {  // MOD-01
  auto file = report();
  for (std::int64_t device = 0; device < 3; ++device)
    file.add(K{.start = 0, .end = 86, .device = device, .stream = 17});
  const TracePtr trace = load(file);
  ASSERT_THAT(rowsOf(*trace, RowKind::kStream), SizeIs(3));
  for (const Row* stream : rowsOf(*trace, RowKind::kStream)) EXPECT_EQ(stream->busy->busy({0, 100}), 86);
}

TEST_F(Load, CorrelationIdsBelongToTheirProcess) {  // MOD-02
  const TracePtr trace = load(report()
                                  .add(R{.start = 0, .end = 5, .thread = gtid(1, 1), .correlation = 7})
                                  .add(K{.start = 10, .end = 20, .correlation = 7, .process = gpid(1)})
                                  .add(R{.start = 100, .end = 105, .thread = gtid(2, 2), .correlation = 7})
                                  .add(K{.start = 110, .end = 130, .correlation = 7, .process = gpid(2)}));
  const auto calls = eventsOf(*trace, EventKind::kCudaApi);
  const auto kernels = eventsOf(*trace, EventKind::kKernel);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_THAT(trace->partners(calls[i]), ElementsAre(trace->id(kernels[i])));
    EXPECT_THAT(trace->partners(kernels[i]), ElementsAre(trace->id(calls[i])));
  }
  EXPECT_EQ(issue(*trace, "correlation-reused"), 0u);
}

TEST_F(Load, AllKernelsOfAGraphTieToTheirOneLaunch) {  // MOD-03
  const TracePtr trace = load(report()
                                  .add(R{.start = 0, .end = 5000, .correlation = 9, .name = "cudaGraphLaunch_v10000"})
                                  .add(K{.start = 10000, .end = 11000, .correlation = 9, .graphNode = 1, .graph = 2})
                                  .add(K{.start = 11000, .end = 13000, .correlation = 9, .graphNode = 2, .graph = 2})
                                  .add(K{.start = 13000, .end = 13500, .correlation = 9, .graphNode = 3, .graph = 2}));
  const auto launch = eventsOf(*trace, EventKind::kCudaApi).at(0);
  const auto kernels = eventsOf(*trace, EventKind::kKernel);
  ASSERT_THAT(kernels, SizeIs(3));
  EXPECT_THAT(trace->partners(launch),
              ElementsAre(trace->id(kernels[0]), trace->id(kernels[1]), trace->id(kernels[2])));
  for (const EventRef kernel : kernels) EXPECT_THAT(trace->partners(kernel), ElementsAre(trace->id(launch)));
}

TEST_F(Load, AGraphRecordedAsAWholeIsBusyButNoKernel) {  // MOD-04
  const TracePtr trace = load(report().add(G{.start = 0, .end = 1000, .graph = 3}));
  EXPECT_THAT(eventsOf(*trace, EventKind::kKernel), IsEmpty());
  EXPECT_EQ(rowsOf(*trace, RowKind::kGpu).at(0)->busy->busy({0, 1000}), 1000);
  EXPECT_THAT(namesOf(*trace, EventKind::kGraphLaunch), ElementsAre("Graph 3"));
}

TEST_F(Load, AReusedIdPairsWithTheLatestLaunchBeforeTheKernel) {  // MOD-22
  const Ns late = 1'000'000'000'000;
  const TracePtr trace = load(report()
                                  .add(R{.start = 0, .end = 5, .correlation = 4294967295})
                                  .add(K{.start = 10, .end = 20, .correlation = 4294967295})
                                  .add(R{.start = 100, .end = 105, .correlation = 1})
                                  .add(K{.start = 110, .end = 120, .correlation = 1})
                                  .add(R{.start = 200, .end = 205, .correlation = 4294967297})  // 1 in 32 bits
                                  .add(K{.start = 210, .end = 220, .correlation = 4294967297})
                                  .add(R{.start = late, .end = late + 5, .correlation = 1})
                                  .add(K{.start = late + 10, .end = late + 20, .correlation = 1}));
  const auto calls = eventsOf(*trace, EventKind::kCudaApi);
  const auto kernels = eventsOf(*trace, EventKind::kKernel);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_THAT(trace->partners(kernels[i]), ElementsAre(trace->id(calls[i])));
  EXPECT_EQ(issue(*trace, "correlation-reused"), 1u);
}

TEST_F(Load, LaunchesAreFoundByCorrelationWhateverTheirName) {  // MOD-10
  const TracePtr trace = load(report()
                                  .add(R{.start = 0, .end = 5, .correlation = 5, .name = "cuLaunchKernelEx"})
                                  .add(R{.start = 6, .end = 9, .correlation = 6, .name = "cudaLaunchKernelExC_v11060"})
                                  .add(K{.start = 20, .end = 30, .correlation = 5})
                                  .add(K{.start = 40, .end = 50, .correlation = 6}));
  for (const EventRef kernel : eventsOf(*trace, EventKind::kKernel)) EXPECT_THAT(trace->partners(kernel), SizeIs(1));
}

TEST_F(Load, RowOrderDoesNotMatter) {  // IMP-36
  std::vector<K> kernels;
  for (Ns i = 0; i < 1000; ++i)
    kernels.push_back({.start = i * 100, .end = i * 100 + 90, .stream = i % 4, .name = "k" + std::to_string(i % 7)});
  const auto picture = [&] {
    auto file = ReportBuilder(folder / "order.sqlite");
    for (const K& kernel : kernels) file.add(kernel);
    const TracePtr trace = load(file);
    std::string text;
    for (const Row& row : trace->rows) {
      text += row.key + "\n";
      for (const LaneId lane : row.lanes)
        for (std::uint32_t i = 0; i < trace->lanes[lane]->size(); ++i)
          text += std::to_string(trace->lanes[lane]->start(i)) + " " +
                  std::string((*trace->names)[trace->lanes[lane]->name(i)].text) + "\n";
    }
    return text;
  };
  const std::string sorted = picture();
  std::mt19937 random(1);
  std::shuffle(kernels.begin(), kernels.end(), random);
  EXPECT_EQ(picture(), sorted);
}

TEST_F(Load, MemoryInUseIsTheSumOfWhatIsAllocated) {
  auto file = report();
  const auto change = [&](std::int64_t start, std::int64_t bytes, std::int64_t operation, std::int64_t kind = 2) {
    file.insert("CUDA_GPU_MEMORY_USAGE_EVENTS", {{"start", start},
                                                 {"globalPid", gpid(1)},
                                                 {"deviceId", std::int64_t{0}},
                                                 {"bytes", bytes},
                                                 {"memKind", kind},
                                                 {"memoryOperationType", operation}});
  };
  change(300, 100, 1);
  change(100, 100, 0);
  change(200, 50, 0);
  change(150, 999, 0, 1);  // pinned host memory is not on the GPU
  const TracePtr trace = load(file);
  ASSERT_THAT(trace->counters, SizeIs(1));
  const trace::Counter& usage = *trace->counters[0];
  EXPECT_EQ(usage.over({0, 150}).last, 100);
  EXPECT_EQ(usage.over({0, 250}).last, 150);
  EXPECT_EQ(usage.over({0, 350}).last, 50);
  EXPECT_EQ(usage.max(), 150);
}

TEST_F(Load, AThreadRunsFromSwitchInToSwitchOut) {
  auto file = report();
  const auto sched = [&](std::int64_t start, std::int64_t cpu, std::int64_t in) {
    file.insert("SCHED_EVENTS", {{"start", start}, {"cpu", cpu}, {"isSchedIn", in}, {"globalTid", gtid(1, 5)}});
  };
  sched(300, 2, 1);
  sched(100, 1, 1);
  sched(200, 1, 0);
  sched(450, 2, 0);
  const TracePtr trace = load(file);
  const auto states = eventsOf(*trace, EventKind::kThreadState);
  ASSERT_THAT(states, SizeIs(2));
  EXPECT_EQ(trace->time(states[0]), (TimeRange{100, 200}));
  EXPECT_EQ(trace->time(states[1]), (TimeRange{300, 450}));
  EXPECT_THAT(rowsOf(*trace, RowKind::kCpuCore), SizeIs(2));
}

TEST_F(Load, AThreadFirstSeenLeavingRanFromTheStartAndOneThatStaysIsTorn) {
  auto file = report();
  const auto sched = [&](std::int64_t start, std::int64_t tid, std::int64_t in) {
    file.insert("SCHED_EVENTS",
                {{"start", start}, {"cpu", std::int64_t{0}}, {"isSchedIn", in}, {"globalTid", gtid(1, tid)}});
  };
  sched(100, 7, 1);
  sched(150, 5, 0);
  sched(300, 5, 1);
  sched(400, 7, 0);
  file.insert("SCHED_EVENTS", {{"start", std::int64_t{120}}, {"cpu", std::int64_t{0}}, {"isSchedIn", std::int64_t{1}}});
  const TracePtr trace = load(file);
  const auto states = eventsOf(*trace, EventKind::kThreadState);
  ASSERT_THAT(states, SizeIs(3));
  EXPECT_THAT((std::vector{trace->time(states[0]), trace->time(states[1])}),
              testing::UnorderedElementsAre(TimeRange{100, 400}, TimeRange{100, 150}));
  EXPECT_EQ(trace->time(states[2]), (TimeRange{300, 400}));
  EXPECT_TRUE(trace->lanes[states[2].lane]->unfinished(states[2].index));
  EXPECT_EQ(issue(*trace, "unfinished"), 0u) << "a thread that still runs is no news";
  EXPECT_EQ(issue(*trace, "thread-missing"), 1u);
}

TEST_F(Load, SamplesThatNoClockOrGaugeCanShowAreCounted) {
  auto file = report();
  file.add(K{.start = 10, .end = 20});
  const auto usage = [&](std::int64_t start) {
    file.insert("CUDA_GPU_MEMORY_USAGE_EVENTS", {{"start", start},
                                                 {"globalPid", gpid(1)},
                                                 {"deviceId", std::int64_t{0}},
                                                 {"bytes", std::int64_t{8}},
                                                 {"memKind", std::int64_t{2}},
                                                 {"memoryOperationType", std::int64_t{0}}});
  };
  usage(std::numeric_limits<std::int64_t>::min());
  usage(std::numeric_limits<std::int64_t>::max());
  usage(15);
  const double infinite = std::numeric_limits<double>::infinity();
  file.insert("GPU_METRICS", {{"timestamp", std::int64_t{12}},
                              {"typeId", std::int64_t{0}},
                              {"metricId", std::int64_t{0}},
                              {"value", infinite}});
  const TracePtr trace = load(file);
  EXPECT_EQ(trace->range, (TimeRange{10, 20}));
  EXPECT_EQ(issue(*trace, "sample-unusable"), 3u);
}

TEST_F(Load, NamesAreFoundInATableThatLostItsKey) {
  auto file = report();
  file.add(K{.start = 10, .end = 20, .name = "gemm(int)"});
  file.sql("CREATE TABLE Copy AS SELECT * FROM StringIds; DROP TABLE StringIds; ALTER TABLE Copy RENAME TO StringIds");
  EXPECT_THAT(namesOf(*load(file), EventKind::kKernel), ElementsAre("gemm(int)"));
}

TEST_F(Load, KernelsWithoutWholeNamesGoByTheirShortOnes) {
  auto file = report();
  file.add(K{.start = 10, .end = 20, .name = "gemm(int)"});
  file.sql("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN demangledName");
  EXPECT_THAT(namesOf(*load(file), EventKind::kKernel), ElementsAre("gemm"));
}

TEST_F(Load, CategoriesAreNamedByTheirRegistration) {
  const TracePtr trace = load(report()
                                  .add(N{.start = 10, .end = 20, .text = "r", .category = 4})
                                  .add(N{.start = 1, .type = 33, .text = "io", .category = 4}));
  ASSERT_THAT(trace->domains, SizeIs(1));
  EXPECT_EQ(trace->domains[0].categories.at(4), "io");
}

TEST_F(Load, CanBeStopped) {
  auto file = report();
  file.add(K{.start = 1, .end = 2});
  std::stop_source stop;
  stop.request_stop();
  const auto result = report::load(file.write(), {}, {}, Job(stop.get_token()));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

TEST_F(Load, PublishesRowsAsTheyAreReadyAndNeverRenumbersEvents) {
  const auto file = report()
                        .add(K{.start = 10, .end = 20, .correlation = 1})
                        .add(R{.start = 1, .end = 2, .correlation = 1})
                        .add(N{.start = 0, .end = 30, .text = "r"})
                        .write();
  std::vector<TracePtr> snapshots;
  const auto whole =
      report::load(file, {}, [&](TracePtr snapshot) { snapshots.push_back(std::move(snapshot)); }, Job{});
  ASSERT_GE(snapshots.size(), 3u);
  EXPECT_THAT(snapshots.front()->lanes, SizeIs(1));
  EXPECT_FALSE(snapshots.front()->complete);
  EXPECT_TRUE(snapshots.back()->complete);
  for (const TracePtr& snapshot : snapshots)
    for (LaneId lane = 0; lane < snapshot->lanes.size(); ++lane)
      EXPECT_EQ(snapshot->lanes[lane], (*whole)->lanes[lane]);
}

/// Every invariant that the viewer and the statistics rest on, on every real file at hand.
class EveryFile : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(EveryFile, KeepsTheInvariantsOfATrace) {
  const auto loaded = load(GetParam(), {.projections = true}, {}, Job{});
  ASSERT_TRUE(loaded) << sentence(loaded.error());
  const Trace& trace = **loaded;
  std::size_t events = 0;
  for (LaneId l = 0; l < trace.lanes.size(); ++l) {
    const trace::Lane& lane = *trace.lanes[l];
    ASSERT_EQ(trace.laneInfo[l].firstEvent, events);
    events += lane.size();
    Ns busy = 0;
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      ASSERT_TRUE(i == 0 || lane.start(i) >= lane.end(i - 1));
      ASSERT_GE(lane.duration(i), 0);
      ASSERT_GE(lane.start(i), trace.range.begin);
      ASSERT_LE(lane.end(i), trace.range.end);
      ASSERT_EQ(lane.busyBefore(lane.start(i)), busy);
      busy += lane.duration(i);
      ASSERT_EQ(trace.ref(trace.id({l, i})), (EventRef{l, i}));
      for (const trace::EventId partner : trace.partners({l, i})) {
        const auto back = trace.partners(trace.ref(partner));
        ASSERT_NE(std::find(back.begin(), back.end(), trace.id({l, i})), back.end())
            << "a partner that does not know it";
        ASSERT_EQ(trace.info(trace.ref(partner)).process, trace.laneInfo[l].process);
      }
      Ns lastStart = trace::kMinTime;
      for (const trace::EventId link : trace.links({l, i})) {
        const auto back = trace.links(trace.ref(link));
        ASSERT_NE(std::find(back.begin(), back.end(), trace.id({l, i})), back.end()) << "a link that does not know it";
        ASSERT_EQ(trace.info(trace.ref(link)).process, trace.laneInfo[l].process);
        ASSERT_GE(trace.time(trace.ref(link)).begin, lastStart);
        lastStart = trace.time(trace.ref(link)).begin;
      }
    }
    ASSERT_EQ(lane.totalBusy(), busy);
  }
  EXPECT_EQ(trace.eventCount() + trace.projectionCount(), events);
  for (std::uint32_t r = 0; r < trace.rows.size(); ++r) {
    const Row& row = trace.rows[r];
    ASSERT_TRUE(row.parent == trace::kNone || row.parent < r);
    ASSERT_FALSE(row.label.empty());
    ASSERT_TRUE(!row.busy || row.busy->busy(trace.range) <= trace.range.length());
  }
  std::vector<std::string> keys;
  for (const Row& row : trace.rows) keys.push_back(row.key);
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end()) << "a key that two rows share";
}

std::vector<std::filesystem::path> everyFile() {
  auto files = goldenExports();
  for (const auto& file : filesIn(sharedFolder() / "traces/nsys", ".sqlite")) files.push_back(file);
  return files;
}

INSTANTIATE_TEST_SUITE_P(Shared, EveryFile, testing::ValuesIn(everyFile()),
                         [](const testing::TestParamInfo<std::filesystem::path>& file) {
                           return testName(file.param.parent_path().filename().string() + "_" +
                                           file.param.stem().string());
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryFile);

}  // namespace
}  // namespace lanescope::report
