// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/call_tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

#include "model/report/load.h"
#include "tests/support/loaded_report.h"
#include "tests/support/trace_fixture.h"

namespace lanescope::analysis {
namespace {

using trace::EventKind;
using trace::Ns;
using trace::TraceFixture;

/// "outer 10/4 ×1 > inner 6/6 ×2; …": total/self × count, below each other by level.
std::string shape(const CallTree& tree, std::uint32_t node = 0) {
  std::string text;
  const CallNode& at = tree.nodes[node];
  for (std::uint32_t child = at.firstChild; child < at.firstChild + at.children; ++child) {
    const CallNode& each = tree.nodes[child];
    text +=
        fmt::format("{}{} {}/{}x{}", text.empty() ? "" : " ", tree.nameOf(child), each.total, each.self, each.count);
    if (each.children > 0) text += " (" + shape(tree, child) + ")";
  }
  return text;
}

/// What every node of a tree keeps.
void expectSums(const CallTree& tree) {
  std::int64_t self = 0;
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const CallNode& node = tree.nodes[i];
    std::int64_t below = 0;
    for (std::uint32_t c = 0; c < node.children; ++c) {
      const CallNode& child = tree.nodes[node.firstChild + c];
      EXPECT_EQ(child.parent, i);
      if (c > 0) {
        EXPECT_LE(child.total, tree.nodes[node.firstChild + c - 1].total);
      }
      below += child.total;
    }
    EXPECT_EQ(node.total, node.self + below) << tree.nameOf(i);
    EXPECT_GE(node.self, 0);
    self += node.self;
  }
  EXPECT_EQ(tree.nodes[0].total, self);
}

/// By path of names its total.
std::map<std::string, std::int64_t> totals(const CallTree& tree) {
  std::map<std::string, std::int64_t> found;
  std::vector<std::string> path(tree.nodes.size());
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    path[i] = path[tree.nodes[i].parent] + "/" + std::string(tree.nameOf(i));
    if (tree.nodes[i].total > 0) found[path[i]] = tree.nodes[i].total;
  }
  return found;
}

CallTree nvtxTree(const trace::TracePtr& trace, trace::TimeRange range = {trace::kMinTime, trace::kMaxTime}) {
  CallQuestion question;
  question.trace = trace;
  question.range = range;
  return callTree(question);
}

/// step [0,100] holds load [10,30] and load [40,50], the first of which holds read [10,25].
trace::TracePtr steps() {
  TraceFixture fixture;
  const auto step = fixture.name("step"), load = fixture.name("load"), read = fixture.name("read");
  fixture.stack(EventKind::kNvtxRange,
                {{{.start = 0, .end = 100, .name = step}, {.start = 200, .end = 240, .name = step}},
                 {{.start = 10, .end = 30, .name = load}, {.start = 40, .end = 50, .name = load}},
                 {{.start = 10, .end = 25, .name = read}}});
  return fixture.finish();
}

TEST(CallTree, TopDownHasCallersAboveWhatTheyCall) {
  const CallTree tree = nvtxTree(steps());
  EXPECT_EQ(shape(tree), "step 140/110x2 (load 30/15x2 (read 15/15x1))");
  EXPECT_EQ(tree.nodes[0].total, 140);
  EXPECT_EQ(tree.nodes[1].longestLength, 100);
  EXPECT_EQ(tree.nodes[1].longest, (trace::EventRef{0, 0}));
}

TEST(CallTree, BottomUpHasCallersBelow) {
  EXPECT_EQ(shape(inOrder(nvtxTree(steps()), CallOrder::kBottomUp)),
            "step 110/110x2 load 15/15x2 (step 15/0x2) read 15/15x1 (load 15/0x1 (step 15/0x1))");
}

TEST(CallTree, FlatHasEveryNameOnce) {
  EXPECT_EQ(shape(inOrder(nvtxTree(steps()), CallOrder::kFlat)), "step 140/110x2 load 30/15x2 read 15/15x1");
}

TEST(CallTree, ARangeOfTimeCutsAtItsEdges) {
  EXPECT_EQ(shape(nvtxTree(steps(), {20, 45})), "step 25/10x1 (load 15/10x2 (read 5/5x1))");
  EXPECT_TRUE(nvtxTree(steps(), {120, 180}).empty());
}

TEST(CallTree, ANameInsideItselfCountsOnceInTheTotalsOfFlat) {
  TraceFixture fixture;
  const auto f = fixture.name("f"), g = fixture.name("g");
  fixture.stack(
      EventKind::kNvtxRange,
      {{{.start = 0, .end = 10, .name = f}}, {{.start = 1, .end = 9, .name = g}}, {{.start = 2, .end = 8, .name = f}}});
  const CallTree tree = nvtxTree(fixture.finish());
  EXPECT_EQ(shape(tree), "f 10/2x1 (g 8/2x1 (f 6/6x1))");
  EXPECT_EQ(shape(inOrder(tree, CallOrder::kFlat)), "f 10/8x2 g 8/2x1");
  EXPECT_EQ(shape(inOrder(tree, CallOrder::kBottomUp)), "f 8/8x2 (g 6/0x1 (f 6/0x1)) g 2/2x1 (f 2/0x1)");
}

TEST(CallTree, RangesThatOverlapCountForWhatIsOpen) {
  TraceFixture fixture;
  const auto a = fixture.name("a"), b = fixture.name("b");
  fixture.stack(EventKind::kNvtxStartEnd, {{{.start = 0, .end = 10, .name = a}}, {{.start = 5, .end = 15, .name = b}}});
  EXPECT_EQ(shape(nvtxTree(fixture.finish())), "a 10/5x1 (b 5/5x1) b 5/5x0");
}

TEST(CallTree, ThreadsStandAtTheTopWhereTheyAreWanted) {
  TraceFixture fixture;
  const auto work = fixture.name("work"), wait = fixture.name("wait");
  fixture.lane(EventKind::kNvtxRange, {{.start = 0, .end = 10, .name = work}})
      .lane(EventKind::kNvtxRange, {{.start = 2, .end = 22, .name = work}, {.start = 30, .end = 31, .name = wait}});
  auto trace = std::make_shared<trace::Trace>(*fixture.finish());
  trace->processes = {{.name = "app"}};
  trace->threads = {{.tid = 1, .name = "main"}, {.tid = 2}};
  for (std::uint32_t i = 0; i < 2; ++i) {
    trace->laneInfo[i].process = 0;
    trace->laneInfo[i].thread = i;
  }
  CallQuestion question;
  question.trace = trace;
  EXPECT_EQ(shape(callTree(question)), "work 30/30x2 wait 1/1x1");
  question.byThread = true;
  const CallTree tree = callTree(question);
  EXPECT_EQ(shape(tree), "Thread 2 21/0x0 (work 20/20x1 wait 1/1x1) main (1) 10/0x0 (work 10/10x1)");
  for (const CallOrder order : {CallOrder::kBottomUp, CallOrder::kFlat})
    EXPECT_EQ(shape(inOrder(tree, order)), "Thread 2 21/0x0 (work 20/20x1 wait 1/1x1) main (1) 10/0x0 (work 10/10x1)");
}

TEST(CallTree, WhatAFilterLeavesOutIsNotThere) {
  const auto trace = steps();
  const Filter filter{{.what = Condition::Name{"load"}, .hide = true}};
  CallQuestion question;
  question.trace = trace;
  question.passing = std::make_shared<const Passing>(trace, filter);
  EXPECT_EQ(shape(callTree(question)), "step 140/125x2 (read 15/15x1)");
}

TEST(CallTree, StaysBounded) {
  TraceFixture fixture;
  std::vector<std::vector<trace::Event>> lanes;
  for (Ns level = 0; level < 400; ++level)
    lanes.push_back({{.start = level, .end = 1000 - level, .name = fixture.name(fmt::format("level {}", level))}});
  fixture.stack(EventKind::kNvtxRange, lanes);
  const CallTree deep = nvtxTree(fixture.finish());
  expectSums(deep);
  EXPECT_EQ(deep.nodes.size(), 1 + CallQuestion::kMostLevels);
  EXPECT_EQ(deep.nodes[0].total, 1000);
  EXPECT_EQ(deep.cut, 400 - CallQuestion::kMostLevels);

  TraceFixture wide;
  std::vector<trace::Event> events;
  for (Ns i = 0; i < 100; ++i) events.push_back({.start = i, .end = i + 1, .name = wide.name(std::to_string(i))});
  wide.lane(EventKind::kNvtxRange, events);
  CallQuestion question;
  question.trace = wide.finish();
  question.mostNodes = 50;
  const CallTree tree = callTree(question);
  EXPECT_EQ(tree.nodes.size(), 50u);
  EXPECT_EQ(tree.nodes[0].total, 100) << "what has no node counts for what is around it";
  EXPECT_EQ(tree.cut, 51u);
}

TEST(CallTree, ACancelledJobEndsEarly) {
  std::stop_source stop;
  stop.request_stop();
  CallQuestion question;
  question.trace = steps();
  EXPECT_TRUE(callTree(question, Job(stop.get_token())).empty());
}

/// Ranges of any kind, some that overlap without nesting.
trace::TracePtr anyTrace(std::uint32_t seed) {
  std::mt19937 random(seed);
  TraceFixture fixture;
  std::vector<trace::NameId> names;
  for (const char* each : {"a", "b", "c", "d"}) names.push_back(fixture.name(each));
  std::vector<std::vector<trace::Event>> lanes(6);
  for (auto& lane : lanes) {
    Ns at = 0;
    for (int i = 0; i < 40; ++i) {
      const Ns start = at + static_cast<Ns>(random() % 20), end = start + static_cast<Ns>(random() % 50);
      lane.push_back({.start = start, .end = end, .name = names[random() % names.size()]});
      at = end;
    }
  }
  fixture.stack(EventKind::kNvtxRange, {lanes.begin(), lanes.begin() + 4});
  fixture.stack(EventKind::kNvtxStartEnd, {lanes.begin() + 4, lanes.end()});
  return fixture.finish();
}

class AnyCallTree : public testing::TestWithParam<std::uint32_t> {};

TEST_P(AnyCallTree, TotalsAreSumsAndNeighbouringRangesAddUp) {
  const auto trace = anyTrace(GetParam());
  const CallTree whole = nvtxTree(trace);
  expectSums(whole);
  std::uint64_t events = 0, counted = 0;
  for (const auto& lane : trace->lanes) events += lane->size();
  for (const CallNode& node : whole.nodes) counted += node.count;
  EXPECT_EQ(counted, events);

  const Ns middle = static_cast<Ns>(std::mt19937(GetParam() + 1)() % 1200);
  auto added = totals(nvtxTree(trace, {trace::kMinTime, middle}));
  const CallTree right = nvtxTree(trace, {middle, trace::kMaxTime});
  expectSums(right);
  for (const auto& [path, total] : totals(right)) added[path] += total;
  EXPECT_EQ(added, totals(whole));

  const CallTree flat = inOrder(whole, CallOrder::kFlat), bottomUp = inOrder(whole, CallOrder::kBottomUp);
  std::map<std::string_view, std::int64_t> self, flatSelf, topSelf;
  for (std::uint32_t i = 1; i < whole.nodes.size(); ++i) self[whole.nameOf(i)] += whole.nodes[i].self;
  for (std::uint32_t i = 1; i < flat.nodes.size(); ++i) {
    flatSelf[flat.nameOf(i)] += flat.nodes[i].self;
    EXPECT_LE(flat.nodes[i].total, whole.nodes[0].total);
  }
  for (std::uint32_t i = 0; i < bottomUp.nodes[0].children; ++i)
    topSelf[bottomUp.nameOf(1 + i)] += bottomUp.nodes[1 + i].total;
  EXPECT_EQ(flatSelf, self);
  EXPECT_EQ(topSelf, self);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyCallTree, testing::Range(1u, 40u));

/// Samples of a report file by their stacks.
class CallTreeOfFile : public test::LoadedReport {
 protected:
  CallTree tree(const std::filesystem::path& file, trace::TimeRange range = {trace::kMinTime, trace::kMaxTime},
                CallSource source = CallSource::kSamples) {
    auto stacks = report::SampleStacks::read(
        file, Job{}, source == CallSource::kPython ? report::StackSource::kPython : report::StackSource::kCpu);
    EXPECT_TRUE(stacks) << sentence(stacks.error());
    CallQuestion question;
    question.trace = *report::load(file, {}, {}, Job{});
    question.source = source;
    question.range = range;
    question.stacks = *stacks;
    return callTree(question);
  }
};

TEST_F(CallTreeOfFile, StandsByTheStacksOfTheFile) {
  auto builder = report();
  const auto sample = [&](std::int64_t id, std::int64_t time, std::initializer_list<const char*> innermostFirst) {
    builder.insert("COMPOSITE_EVENTS", {{"id", id}, {"start", time}, {"globalTid", test::gtid(1, 1)}});
    std::int64_t depth = 0;
    for (const char* symbol : innermostFirst)
      builder.insert("SAMPLING_CALLCHAINS", {{"id", id},
                                             {"symbol", builder.id(symbol)},
                                             {"module", builder.id("/usr/lib/libc.so")},
                                             {"stackDepth", depth++}});
  };
  sample(1, 10, {"read", "load", "main"});
  sample(2, 20, {"load", "main"});
  sample(3, 30, {"spin", "main"});
  sample(4, 40, {});
  const auto file = builder.write();
  EXPECT_EQ(shape(tree(file)),
            "main (libc.so) 3/0x3 (load (libc.so) 2/1x2 (read (libc.so) 1/1x1) "
            "spin (libc.so) 1/1x1) (no call stack) 1/1x1");
  EXPECT_EQ(shape(tree(file, {15, 35})), "main (libc.so) 2/0x2 (load (libc.so) 1/1x1 spin (libc.so) 1/1x1)");
  EXPECT_EQ(shape(inOrder(tree(file, {0, 35}), CallOrder::kFlat)),
            "main (libc.so) 3/0x3 load (libc.so) 2/1x2 read (libc.so) 1/1x1 spin (libc.so) 1/1x1");
}

TEST_F(CallTreeOfFile, SamplesOfPythonStandByTheirFunctionsAndMayShareAStack) {
  auto builder = report();
  for (const std::int64_t id : {1, 2, 3})
    builder.insert("LANESCOPE_PYTHON_SAMPLES",
                   {{"id", id},
                    {"start", 10 * id},
                    {"globalTid", test::gtid(1, 1)},
                    {"callchainId", id == 3 ? std::optional<std::int64_t>(1) : std::nullopt}});
  builder.stack("LANESCOPE_PYTHON_CALLCHAINS", 1, {{"load", "/opt/data.py", 7}, {"main", "/opt/train.py", 55}});
  builder.stack("LANESCOPE_PYTHON_CALLCHAINS", 2, {{"main", "/opt/train.py", 56}});
  EXPECT_EQ(shape(tree(builder.write(), {0, 100}, CallSource::kPython)),
            "main (train.py) 3/1x3 (load (data.py) 2/2x2)");
}

TEST_F(CallTreeOfFile, SamplesWhoseStackWasNotTakenAreNoRootsOfATree) {
  auto builder = report();
  for (const std::int64_t id : {1, 2, 3, 4})
    builder.insert("COMPOSITE_EVENTS", {{"id", id}, {"start", 10 * id}, {"globalTid", test::gtid(1, 1)}});
  builder.stack("SAMPLING_CALLCHAINS", 1, {{.symbol = "spin", .method = 6}, {.symbol = "main", .method = 6}});
  builder.stack("SAMPLING_CALLCHAINS", 2, {{.symbol = "spin", .method = 0}});
  builder.stack("SAMPLING_CALLCHAINS", 3, {{.symbol = "read", .method = 0}, {"load", "/opt/data.py", 7}});
  builder.stack("SAMPLING_CALLCHAINS", 4, {{.symbol = "start", .method = 6}});
  const CallTree topDown = tree(builder.write());
  EXPECT_EQ(shape(topDown), "main (libc.so.6) 1/0x1 (spin (libc.so.6) 1/1x1) start (libc.so.6) 1/1x1");
  EXPECT_EQ(topDown.withoutStack(), 2);
  const CallTree flat = inOrder(topDown, CallOrder::kFlat);
  EXPECT_EQ(shape(flat),
            "main (libc.so.6) 1/0x1 spin (libc.so.6) 1/2x2 start (libc.so.6) 1/1x1 read (libc.so.6) 0/1x1");
  EXPECT_EQ(flat.withoutStack(), 2);
  EXPECT_EQ(shape(inOrder(topDown, CallOrder::kBottomUp)),
            "spin (libc.so.6) 1/1x1 (main (libc.so.6) 1/0x1) start (libc.so.6) 1/1x1");
}

TEST_F(CallTreeOfFile, SamplesOfOneFrameAreATreeWhereNoStackWasTaken) {
  auto builder = report();
  for (const std::int64_t id : {1, 2}) {
    builder.insert("COMPOSITE_EVENTS", {{"id", id}, {"start", 10 * id}, {"globalTid", test::gtid(1, 1)}});
    builder.stack("SAMPLING_CALLCHAINS", id, {{.symbol = "spin", .method = 0}});
  }
  const CallTree topDown = tree(builder.write());
  EXPECT_EQ(shape(topDown), "spin (libc.so.6) 2/2x2");
  EXPECT_EQ(topDown.withoutStack(), 0);
}

TEST_F(CallTreeOfFile, AFileWithoutStacksHasNone) {
  const auto file =
      report().insert("COMPOSITE_EVENTS", {{"id", 1}, {"start", 5}, {"globalTid", test::gtid(1, 1)}}).write();
  EXPECT_EQ(shape(tree(file)), "(no call stack) 1/1x1");
}

TEST_F(CallTreeOfFile, AStartEndRangeIsOfTheThreadOnWhichItBeginsAndEnds) {
  using test::gtid;
  const auto startEnd = [](std::int64_t start, std::int64_t end, std::int64_t from, std::int64_t to, const char* text) {
    return test::N{
        .start = start, .end = end, .type = 60, .thread = gtid(1, from), .endThread = gtid(1, to), .text = text};
  };
  const auto file = report()
                        .add(startEnd(0, 100, 1, 1, "lifetime"))
                        .add(startEnd(5, 90, 2, 2, "lifetime"))
                        .add(startEnd(50, 60, 1, 2, "across"))
                        .add(test::N{.start = 10, .end = 30, .thread = gtid(1, 1), .text = "step"})
                        .add(test::N{.start = 20, .end = 40, .thread = gtid(1, 2), .text = "step"})
                        .write();
  auto values = report::RowValues::open(file);
  CallQuestion question;
  question.trace = *report::load(file, {}, {}, Job{});
  const RangeThreads threads(*question.trace, *values);
  question.threads = &threads;
  const CallTree tree = callTree(question);
  expectSums(tree);
  EXPECT_EQ(shape(tree), "lifetime 185/145x2 (step 40/40x2) across 10/10x1");
}

TEST_F(CallTreeOfFile, HoldsEverySampleOfTheGoldenReport) {
  LANESCOPE_NEEDS_SHARED();
  const auto file = test::sharedFolder() / "golden" / "threads" / "nsys.sqlite";
  const CallTree whole = tree(file);
  expectSums(whole);
  EXPECT_EQ(whole.nodes[0].total, 31) << "SELECT count(DISTINCT id) FROM SAMPLING_CALLCHAINS WHERE unwindMethod != 0";
  EXPECT_EQ(whole.nodes[0].total + whole.withoutStack(), 126) << "SELECT count(*) FROM COMPOSITE_EVENTS";
  std::int64_t self = 0;
  for (const CallNode& node : inOrder(whole, CallOrder::kFlat).nodes) self += node.self;
  EXPECT_EQ(self, 126);
  const Ns middle = report::load(file, {}, {}, Job{}).value()->range.end / 2;
  auto added = totals(tree(file, {trace::kMinTime, middle}));
  for (const auto& [path, total] : totals(tree(file, {middle, trace::kMaxTime}))) added[path] += total;
  EXPECT_EQ(added, totals(whole));
}

}  // namespace
}  // namespace lanescope::analysis
