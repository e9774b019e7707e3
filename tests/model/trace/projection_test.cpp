// SPDX-License-Identifier: Apache-2.0
// NVTX ranges where their GPU work ran: by hand, against a naive twin, and against what Nsight Systems printed.
#include "model/trace/projection.h"

#include <gmock/gmock.h>

#include <charconv>
#include <random>
#include <sstream>

#include "model/report/load.h"
#include "model/trace/builder.h"
#include "tests/support/files.h"
#include "tests/support/loaded_report.h"
#include "tests/support/report_builder.h"

namespace lanescope::trace {
namespace {

using namespace lanescope::test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class Projected : public LoadedReport {
 protected:
  TracePtr load(ReportBuilder& builder) { return LoadedReport::load(builder, {.projections = true}); }
};

/// "name begin-end stream" of all, by start, outer first.
std::vector<std::string> projectionsOf(const Trace& trace) {
  std::vector<std::tuple<Ns, Ns, std::string>> all;
  for (LaneId lane = 0; lane < trace.lanes.size(); ++lane)
    for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i) {
      if (trace.laneInfo[lane].kind != EventKind::kNvtxProjection) continue;
      const TimeRange time = trace.time({lane, i});
      std::ostringstream text;
      text << (*trace.names)[trace.name({lane, i})].text << ' ' << time.begin << '-' << time.end << " s"
           << trace.streams[trace.laneInfo[lane].stream].stream;
      all.emplace_back(time.begin, -time.end, text.str());
    }
  std::sort(all.begin(), all.end());
  std::vector<std::string> texts;
  for (auto& each : all) texts.push_back(std::get<2>(each));
  return texts;
}

TEST_F(Projected, ARangeReachesFromTheFirstToTheLastOfItsWork) {  // MOD-13
  auto file = report();
  file.add(N{.start = 0, .end = 100, .text = "layer0"}).add(N{.start = 60, .end = 70, .text = "empty"});
  file.add(R{.start = 10, .end = 12, .correlation = 1}).add(R{.start = 50, .end = 52, .correlation = 2});
  file.add(K{.start = 200, .end = 260, .correlation = 1}).add(K{.start = 260, .end = 400, .correlation = 2});
  const TracePtr trace = load(file);
  EXPECT_THAT(projectionsOf(*trace), ElementsAre("layer0 200-400 s7"));
  EXPECT_EQ(trace->eventCount(), 6u) << "of the file";
  EXPECT_EQ(trace->projectionCount(), 1u);
}

TEST_F(Projected, EveryStreamHasASpanOfItsOwnInARowBelowIt) {
  auto file = report();
  file.add(N{.start = 0, .end = 100, .text = "step"}).add(N{.start = 5, .end = 30, .text = "inner"});
  file.add(N{.start = 0, .end = 100, .text = "library", .domain = 3});
  file.add(R{.start = 10, .end = 12, .correlation = 1}).add(R{.start = 50, .end = 52, .correlation = 2});
  file.add(K{.start = 200, .end = 260, .stream = 7, .correlation = 1});
  file.add(K{.start = 300, .end = 400, .stream = 9, .correlation = 2});
  const TracePtr trace = load(file);
  EXPECT_THAT(projectionsOf(*trace), ElementsAre("inner 200-260 s7", "library 200-260 s7", "step 200-260 s7",
                                                 "library 300-400 s9", "step 300-400 s9"));
  std::vector<std::string> rows;
  for (const Row& row : trace->rows)
    if (row.kind == RowKind::kNvtxProjection) {
      rows.push_back(trace->rows[row.parent].label + " / " + row.label);
      EXPECT_TRUE(row.stacked);
      EXPECT_EQ(trace->rows[row.parent].kind, RowKind::kStream);
      EXPECT_TRUE(trace->rows[row.parent].expanded);
      // One range inside the other, though both have the same work here.
      const NameId below = trace->lanes[row.lanes.back()]->name(0);
      EXPECT_EQ((*trace->names)[below].text == "inner", row.lanes.size() == 2);
    }
  EXPECT_THAT(rows, ElementsAre("Stream 7 / NVTX", "Stream 7 / NVTX · domain 3", "Stream 9 / NVTX",
                                "Stream 9 / NVTX · domain 3"));
}

TEST_F(Projected, DeepStacksAreFoldedUnderTheirStream) {
  for (const std::int64_t depth : {6, 7}) {
    auto file = report();
    for (std::int64_t i = 0; i < depth; ++i)
      file.add(N{.start = i, .end = 100 - i, .text = "frame " + std::to_string(i)});
    file.add(R{.start = 50, .end = 52, .correlation = 1});
    file.add(K{.start = 200, .end = 260, .stream = 7, .correlation = 1});
    const TracePtr trace = load(file);
    for (const Row& row : trace->rows) {
      if (row.kind == RowKind::kStream) {
        EXPECT_EQ(row.expanded, depth <= 6) << depth;
      }
    }
  }
}

TEST_F(Projected, ACallThatLeavesTheRangeOrRunsElsewhereDoesNotCount) {
  auto file = report();
  file.add(N{.start = 10, .end = 100, .text = "r"});
  file.add(R{.start = 9, .end = 12, .correlation = 1}).add(R{.start = 99, .end = 101, .correlation = 2});
  file.add(R{.start = 50, .end = 52, .thread = gtid(1, 2), .correlation = 3});
  file.add(R{.start = 50, .end = 52, .thread = gtid(2, 1), .correlation = 4});
  for (std::int64_t id = 1; id <= 3; ++id) file.add(K{.start = 200 + id, .end = 201 + id, .correlation = id});
  file.add(K{.start = 300, .end = 310, .correlation = 4, .process = gpid(2)});
  EXPECT_THAT(projectionsOf(*load(file)), IsEmpty());
}

TEST_F(Projected, AGraphLaunchCountsWithAllItsNodes) {
  auto file = report();
  file.add(N{.start = 0, .end = 100, .text = "replay"});
  file.add(R{.start = 10, .end = 12, .correlation = 1, .name = "cudaGraphLaunch_v10000"});
  for (std::int64_t node = 0; node < 50; ++node)
    file.add(K{.start = 200 + 10 * node, .end = 205 + 10 * node, .correlation = 1, .graphNode = node});
  EXPECT_THAT(projectionsOf(*load(file)), ElementsAre("replay 200-695 s7"));
}

TEST_F(Projected, ARangeThatNobodyClosedCountsUpToTheEnd) {
  auto file = report();
  file.add(N{.start = 0, .end = std::nullopt, .text = "open"});
  file.add(R{.start = 900, .end = 902, .correlation = 1}).add(K{.start = 1000, .end = 1010, .correlation = 1});
  EXPECT_THAT(projectionsOf(*load(file)), ElementsAre("open 1000-1010 s7"));
}

TEST_F(Projected, StartEndRangesCountWhereTheyStayOnOneThread) {  // IMP-40
  auto file = report();
  const std::int64_t a = gtid(1, 1), b = gtid(1, 2);
  file.add(N{.start = 1, .end = 1000, .type = 60, .thread = a, .endThread = b, .text = "io", .rangeId = 1});
  file.add(N{.start = 500, .end = 1500, .type = 60, .thread = a, .endThread = a, .text = "io2", .rangeId = 2});
  file.add(N{.start = 550, .end = 1700, .type = 60, .thread = a, .endThread = a, .text = "io3", .rangeId = 3});
  file.add(R{.start = 600, .end = 610, .thread = a, .correlation = 1});
  file.add(K{.start = 700, .end = 800, .correlation = 1});
  EXPECT_THAT(projectionsOf(*load(file)), ElementsAre("io2 700-800 s7", "io3 700-800 s7"));
}

TEST_F(Projected, ARangeAndItsProjectionsAreLinkedBothWays) {
  auto file = report();
  file.add(N{.start = 0, .end = 100, .text = "a"}).add(N{.start = 100, .end = 200, .text = "b"});
  for (const std::int64_t id : {1, 2, 3})
    file.add(R{.start = 10 + id * 60, .end = 12 + id * 60, .correlation = id})
        .add(K{.start = 900 - id * 10, .end = 905 - id * 10, .stream = id, .correlation = id});
  const TracePtr trace = load(file);
  for (LaneId lane = 0; lane < trace->lanes.size(); ++lane) {
    if (trace->laneInfo[lane].kind != EventKind::kNvtxRange) continue;
    std::vector<std::int64_t> streams;
    for (const EventId id : trace->links({lane, 0})) {
      const EventRef projection = trace->ref(id);
      streams.push_back(trace->streams[trace->info(projection).stream].stream);
      EXPECT_THAT(trace->links(projection), ElementsAre(trace->id({lane, 0})));
      EXPECT_EQ(trace->lanes[projection.lane]->sourceRow(projection.index), trace->lanes[lane]->sourceRow(0));
    }
    EXPECT_THAT(streams, ElementsAre(1)) << "the calls 2 and 3 are of b";
    streams.clear();
    for (const EventId id : trace->links({lane, 1}))
      streams.push_back(trace->streams[trace->info(trace->ref(id)).stream].stream);
    EXPECT_THAT(streams, ElementsAre(3, 2)) << "by start";
  }
}

TEST_F(Projected, EverythingElseIsPublishedBefore) {
  auto file = report();
  file.add(N{.start = 0, .end = 100, .text = "a"}).add(R{.start = 10, .end = 12, .correlation = 1});
  file.add(K{.start = 200, .end = 260, .correlation = 1});
  std::vector<TracePtr> snapshots;
  ASSERT_TRUE(report::load(
      file.write(), {.projections = true}, [&](TracePtr snapshot) { snapshots.push_back(snapshot); }, Job{}));
  ASSERT_GE(snapshots.size(), 2u);
  const Trace& before = *snapshots[snapshots.size() - 2];
  EXPECT_FALSE(before.complete);
  EXPECT_EQ(before.projectionCount(), 0u);
  EXPECT_EQ(before.eventCount(), 3u);
  EXPECT_THAT(before.partners({0, 0}), SizeIs(1)) << "launches are tied already";
  EXPECT_EQ(snapshots.back()->projectionCount(), 1u);
}

/// Ranges, calls and work of one thread, chosen at random: nesting, or overlapping as they like.
struct RandomThread {
  RandomThread(unsigned seed, bool nesting) : random(seed) {
    const std::uint32_t process = builder.process(1 << 24), thread = builder.thread(1 << 24 | 1);
    LaneInfo range, call, work;
    range.kind = EventKind::kNvtxRange;
    range.process = call.process = work.process = process;
    range.thread = call.thread = thread;
    call.kind = EventKind::kCudaApi;
    work.gpu = builder.gpu(process, 0);
    const Ns span = 20 + pick(2000);
    std::vector<TimeRange> taken{{0, span}};
    for (Ns count = pick(60); count > 0; --count) {
      TimeRange time{pick(span), 0};
      time.end = time.begin + pick(span / 4 + 1);
      if (nesting) {
        const TimeRange outer = taken[random() % taken.size()];
        time.begin = outer.begin + pick(outer.length() + 1);
        time.end = time.begin + pick(outer.end - time.begin + 1);
        const bool crosses = std::any_of(taken.begin(), taken.end(), [&](TimeRange o) {
          return (o.begin < time.begin && time.begin < o.end && o.end < time.end) ||
                 (time.begin < o.begin && o.begin < time.end && time.end < o.end);
        });
        if (crosses) continue;
        taken.push_back(time);
      }
      range.domain = builder.domain(process, pick(2));
      builder.sequence(range).add({.start = time.begin, .end = time.end});
    }
    Ns at = 0;
    for (std::int64_t id = 1; at < span; ++id) {
      at += pick(40);
      const Ns length = pick(30);
      builder.sequence(call).add({.start = at, .end = at + length, .correlation = id});
      at += pick(3) == 0 ? 0 : length;  // one inside the other now and then
      for (Ns works = pick(4); works > 0; --works) {
        work.stream = builder.stream(work.gpu, 1, pick(7));
        const Ns start = at + pick(500);
        builder.sequence(work).add({.start = start, .end = start + pick(100), .correlation = id});
      }
    }
    builder.finish();
    builder.correlate();
  }

  Ns pick(Ns n) { return static_cast<Ns>(random() % static_cast<std::uint64_t>(n)); }

  std::mt19937_64 random;
  TraceBuilder builder;
};

using Spans = std::map<std::pair<EventId, std::uint32_t>, std::pair<Ns, Ns>>;

Spans naiveProjections(const Trace& trace, const RangesAndCalls& thread) {
  Spans spans;
  for (const LaneId ranges : thread.ranges)
    for (std::uint32_t r = 0; r < trace.lanes[ranges]->size(); ++r)
      for (const LaneId calls : thread.calls)
        for (std::uint32_t c = 0; c < trace.lanes[calls]->size(); ++c) {
          const TimeRange range = trace.time({ranges, r}), call = trace.time({calls, c});
          const bool inside = range.begin <= call.begin && call.end <= range.end &&
                              (call.begin < range.end || range.begin == range.end);
          for (const EventId id : trace.partners({calls, c})) {
            if (!inside) continue;
            const TimeRange work = trace.time(trace.ref(id));
            const auto key = std::pair(trace.id({ranges, r}), trace.info(trace.ref(id)).stream);
            const auto [found, isNew] = spans.try_emplace(key, work.begin, work.end);
            if (!isNew)
              found->second = {std::min(found->second.first, work.begin), std::max(found->second.second, work.end)};
          }
        }
  return spans;
}

RangesAndCalls lanesOf(const Trace& trace) {
  RangesAndCalls lanes;
  for (LaneId lane = 0; lane < trace.lanes.size(); ++lane) {
    if (trace.laneInfo[lane].kind == EventKind::kNvtxRange) lanes.ranges.push_back(lane);
    if (trace.laneInfo[lane].kind == EventKind::kCudaApi) lanes.calls.push_back(lane);
  }
  return lanes;
}

TEST(Projection, IsWhatANaiveSearchFinds) {
  std::size_t compared = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomThread thread(seed, seed % 2 == 0);
    const Trace& trace = thread.builder.draft();
    const RangesAndCalls lanes = lanesOf(trace);
    const Projections projections = project(trace, lanes, 1'000'000, Job{});
    Spans spans;
    for (const Projection& each : projections.list) {
      const bool isNew = spans.try_emplace(std::pair(each.range, each.stream), each.span.begin, each.span.end).second;
      ASSERT_TRUE(isNew) << "seed " << seed;
    }
    ASSERT_EQ(projections.rangesLeft, 0u);
    ASSERT_EQ(spans, naiveProjections(trace, lanes)) << "seed " << seed;
    compared += spans.size();
  }
  EXPECT_GT(compared, 5000u);
}

TEST(Projection, NoMoreThanAllowedAndTheRestIsCounted) {
  RandomThread thread(2, true);
  const Trace& trace = thread.builder.draft();
  const std::size_t all = project(trace, lanesOf(trace), 1'000'000, Job{}).list.size();
  ASSERT_GT(all, 10u);
  const Projections some = project(trace, lanesOf(trace), all - 5, Job{});
  EXPECT_LE(some.list.size(), all - 5);
  EXPECT_GT(some.rangesLeft, 0u);
  EXPECT_EQ(project(trace, lanesOf(trace), all, Job{}).rangesLeft, 0u);
}

/// Two hundred streams below five thousand ranges inside each other would be a million spans of a few thousand rows.
TEST(Projection, HostileNestingIsCutAndCounted) {
  TraceBuilder builder;
  constexpr int kDepth = 5000, kStreams = 200;
  LaneInfo range, call, work;
  range.kind = EventKind::kNvtxRange;
  range.process = call.process = work.process = builder.process(1 << 24);
  range.thread = call.thread = builder.thread(1 << 24 | 1);
  range.domain = builder.domain(range.process, 0);
  range.table = call.table = work.table = builder.table("T");
  call.kind = EventKind::kCudaApi;
  work.gpu = builder.gpu(range.process, 0);
  for (Ns i = 0; i < kDepth; ++i) builder.sequence(range).add({.start = i, .end = 10'000'000 - i});
  for (Ns i = 0; i < kStreams; ++i) {
    work.stream = builder.stream(work.gpu, 1, i);
    builder.sequence(call).add({.start = 100'000 + 10 * i, .end = 100'005 + 10 * i, .correlation = i + 1});
    builder.sequence(work).add({.start = 200'000 + 10 * i, .end = 200'005 + 10 * i, .correlation = i + 1});
  }
  builder.finish();
  builder.correlate();
  builder.projectRanges();
  const TracePtr trace = builder.snapshot(true);
  EXPECT_GT(trace->projectionCount(), 0u);
  EXPECT_LE(trace->projectionCount(), 65'536 + 2 * trace->eventCount());
  ASSERT_THAT(trace->issues, SizeIs(1));
  EXPECT_EQ(trace->issues[0].kind, "projection-cut");
  EXPECT_GT(trace->issues[0].count, 4000u);
}

TEST(Projection, RangesThatAllOverlapAreCutAndCounted) {
  TraceBuilder builder;
  LaneInfo range, call, work;
  range.kind = EventKind::kNvtxRange;
  range.process = call.process = work.process = builder.process(1 << 24);
  range.thread = call.thread = builder.thread(1 << 24 | 1);
  range.domain = builder.domain(range.process, 0);
  call.kind = EventKind::kCudaApi;
  work.gpu = builder.gpu(range.process, 0);
  work.stream = builder.stream(work.gpu, 1, 7);
  for (Ns i = 0; i < 1000; ++i) builder.sequence(range).add({.start = i, .end = 10'000 + i});
  builder.sequence(call).add({.start = 2000, .end = 2001, .correlation = 1});
  builder.sequence(work).add({.start = 3000, .end = 3001, .correlation = 1});
  builder.finish();
  builder.correlate();
  const Trace& trace = builder.draft();
  const Projections projections = project(trace, lanesOf(trace), 1'000'000, Job{});
  EXPECT_THAT(projections.list, SizeIs(kMostSweeps));
  EXPECT_EQ(projections.rangesLeft, 1000u - kMostSweeps);
}

std::int64_t numberIn(std::string_view text) {
  std::int64_t value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The last fields of a line, from the right: the name at its beginning may hold commas.
std::vector<std::string> fieldsFromTheRight(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(std::string(line.rbegin(), line.rend()));
  for (std::string field; std::getline(stream, field, ',');) fields.emplace_back(field.rbegin(), field.rend());
  return fields;
}

TEST(Projection, HoldsEveryRowThatNsightSystemsPrinted) {
  LANESCOPE_NEEDS_SHARED();
  enum { kRangeId = 2, kDuration = 11, kStart = 12, kFields };
  std::size_t files = 0, rows = 0;
  for (const auto& file : goldenExports()) {
    const auto csv = file.parent_path() / "nvtx_gpu_proj_trace.csv";
    if (!std::filesystem::exists(csv)) continue;
    ++files;
    const auto loaded = report::load(file, {.projections = true}, {}, Job{});
    ASSERT_TRUE(loaded);
    const Trace& trace = **loaded;
    std::map<std::int64_t, std::pair<Ns, Ns>> hulls;  // by the row of the range
    for (LaneId lane = 0; lane < trace.lanes.size(); ++lane) {
      if (trace.laneInfo[lane].kind != EventKind::kNvtxRange && trace.laneInfo[lane].kind != EventKind::kNvtxStartEnd)
        continue;
      for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i)
        for (const EventId id : trace.links({lane, i})) {
          const TimeRange time = trace.time(trace.ref(id));
          const auto row = static_cast<std::int64_t>(trace.lanes[lane]->sourceRow(i));
          auto& hull = hulls.try_emplace(row, time.begin, time.end).first->second;
          hull = {std::min(hull.first, time.begin), std::max(hull.second, time.end)};
        }
    }
    std::istringstream lines(readFile(csv));
    std::string line;
    std::getline(lines, line);
    std::size_t printed = 0;
    while (std::getline(lines, line)) {
      const std::vector<std::string> fields = fieldsFromTheRight(line);
      if (fields.size() < kFields) continue;
      ++printed;
      const auto found = hulls.find(numberIn(fields[kRangeId]));
      ASSERT_NE(found, hulls.end()) << csv << ": " << line;
      EXPECT_EQ(found->second.first, numberIn(fields[kStart])) << csv << ": " << line;
      EXPECT_EQ(found->second.second - found->second.first, numberIn(fields[kDuration])) << csv << ": " << line;
    }
    EXPECT_EQ(hulls.size(), printed) << csv;
    rows += printed;
  }
  EXPECT_GE(files, 8u);
  EXPECT_GT(rows, 500u);
}

}  // namespace
}  // namespace lanescope::trace
