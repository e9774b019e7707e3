// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/filter.h"

#include <gmock/gmock.h>

#include "model/analysis/gpu_work.h"
#include "model/analysis/selection.h"
#include "model/trace/builder.h"
#include "tests/model/trace/random_events.h"
#include "tests/support/trace_fixture.h"

namespace lanescope::analysis {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using trace::Event;
using trace::EventKind;
using trace::EventRef;
using trace::LaneId;
using trace::LaneInfo;
using trace::Ns;
using trace::Trace;
using trace::TraceBuilder;
using trace::TraceFixture;
using trace::TracePtr;

Condition words(std::string_view text, bool regex = false, bool hide = false) {
  auto condition = Condition::words(text, regex, hide);
  EXPECT_TRUE(condition) << text;
  return condition.value();
}

std::vector<std::string> left(const TracePtr& trace, Filter filter) {
  const Passing passing(trace, std::move(filter));
  std::vector<std::string> names;
  for (LaneId lane = 0; lane < trace->lanes.size(); ++lane) {
    const trace::LaneView view = passing.of(*trace, lane);
    for (std::size_t i = view.next(0); i < view->size(); i = view.next(i + 1)) {
      EXPECT_TRUE(passing.passes({lane, static_cast<std::uint32_t>(i)}));
      names.emplace_back((*trace->names)[view->name(i)].text);
    }
  }
  EXPECT_EQ(passing.events(), names.size());
  return names;
}

/// Two processes with a GPU of two streams, a thread with calls each.
class Filters : public testing::Test {
 protected:
  void add(LaneInfo info, EventKind kind, const std::string& name, Ns start, Ns end, bool unfinished = false) {
    info.kind = kind;
    info.table = builder.table("T");
    builder.sequence(info).add(
        {.start = start, .end = end, .name = builder.names().intern(name), .unfinished = unfinished});
  }

  void SetUp() override {
    for (const std::int64_t pid : {1, 2}) {
      const std::string who = std::to_string(pid);
      LaneInfo info;
      info.process = builder.process(pid << 24);
      LaneInfo host = info;
      host.thread = builder.thread(pid << 24 | pid);
      info.gpu = builder.gpu(info.process, pid - 1);
      for (const std::int64_t stream : {7, 8}) {
        info.stream = builder.stream(info.gpu, 1, stream);
        add(info, EventKind::kKernel, "gemm" + who, stream, stream + 10 * pid);
      }
      add(host, EventKind::kCudaApi, "launch" + who, 1, 2);
      host.domain = builder.domain(info.process, 0);
      add(host, EventKind::kNvtxRange, "Step" + who, 0, 900, pid == 2);
    }
    builder.finish();
    trace = builder.snapshot(true);
  }

  /// The condition on what this event or row is, of the kind with such a label.
  Condition of(std::vector<Condition> all, std::string_view label, bool hide = false) {
    for (Condition& each : all)
      if (each.label == label) {
        each.hide = hide;
        return each;
      }
    ADD_FAILURE() << "no " << label;
    return all.front();
  }
  EventRef event(std::string_view name) {
    for (LaneId lane = 0; lane < trace->lanes.size(); ++lane)
      for (std::uint32_t i = 0; i < trace->lanes[lane]->size(); ++i)
        if ((*trace->names)[trace->name({lane, i})].text == name) return {lane, i};
    ADD_FAILURE() << "no " << name;
    return {};
  }

  TraceBuilder builder;
  TracePtr trace;
};

TEST_F(Filters, WithoutAConditionAllPasses) { EXPECT_THAT(left(trace, {}), SizeIs(8)); }

TEST_F(Filters, WordsAreThoseOfTheFind) {
  EXPECT_THAT(left(trace, {words("gemm")}), UnorderedElementsAre("gemm1", "gemm1", "gemm2", "gemm2"));
  EXPECT_THAT(left(trace, {words("gemm stream:7")}), UnorderedElementsAre("gemm1", "gemm2"));
  EXPECT_THAT(left(trace, {words("kind:api")}), UnorderedElementsAre("launch1", "launch2"));
  EXPECT_THAT(left(trace, {words("(gemm|launch)1$", true)}), UnorderedElementsAre("gemm1", "gemm1", "launch1"));
  EXPECT_THAT(left(trace, {words("dur>=20")}), UnorderedElementsAre("Step1", "gemm2", "gemm2"))
      << "what has no end has no duration";
  EXPECT_THAT(left(trace, {words("dur>=10 dur<20")}), UnorderedElementsAre("gemm1", "gemm1"));
}

TEST_F(Filters, ConditionsNarrowEachOtherAndHideTakesAway) {
  EXPECT_THAT(left(trace, {words("gemm"), words("dur>10")}), UnorderedElementsAre("gemm2", "gemm2"));
  EXPECT_THAT(left(trace, {words("gemm", false, true)}), UnorderedElementsAre("launch1", "Step1", "launch2", "Step2"));
  EXPECT_THAT(left(trace, {words("gemm"), words("stream:7", false, true)}), UnorderedElementsAre("gemm1", "gemm2"));
  EXPECT_THAT(left(trace, {words("gemm"), words("launch")}), IsEmpty());
}

TEST_F(Filters, AnEventSaysWhatItCanBeFilteredBy) {
  const auto all = conditionsOf(*trace, event("gemm2"));
  EXPECT_THAT(left(trace, {of(all, "gemm2")}), SizeIs(2));
  EXPECT_THAT(left(trace, {of(all, "stream 7")}), UnorderedElementsAre("gemm2"))
      << "stream 7 of the other process is another";
  EXPECT_THAT(left(trace, {of(all, "GPU 1")}), SizeIs(2));
  EXPECT_THAT(left(trace, {of(all, "process 2", true)}), UnorderedElementsAre("gemm1", "gemm1", "launch1", "Step1"));
  EXPECT_THAT(left(trace, {of(conditionsOf(*trace, event("launch1")), "thread 1")}),
              UnorderedElementsAre("launch1", "Step1"));
}

TEST_F(Filters, ARowIsItsLanesAndThoseBelow) {
  const auto row = std::find_if(trace->rows.begin(), trace->rows.end(),
                                [](const trace::Row& r) { return r.kind == trace::RowKind::kThreads; });
  ASSERT_NE(row, trace->rows.end());
  const auto index = static_cast<std::uint32_t>(row - trace->rows.begin());
  EXPECT_THAT(left(trace, {conditionsOf(*trace, index).front()}), UnorderedElementsAre("launch1", "Step1"));
}

TEST_F(Filters, TimeKeepsWhatTouchesIt) {
  EXPECT_THAT(left(trace, {Condition::time({0, 7})}), UnorderedElementsAre("launch1", "Step1", "launch2", "Step2"));
  EXPECT_THAT(left(trace, {Condition::time({0, 8}), words("gemm")}), UnorderedElementsAre("gemm1", "gemm2"));
}

TEST_F(Filters, RowsWithNothingLeftAreNotShown) {
  const Passing passing(trace, {words("gemm1")});
  for (std::uint32_t row = 0; row < trace->rows.size(); ++row) {
    const trace::Row& r = trace->rows[row];
    if (r.kind == trace::RowKind::kThreads) {
      EXPECT_FALSE(passing.shows(row)) << r.key;
    } else if (r.kind == trace::RowKind::kProcess) {
      EXPECT_EQ(passing.shows(row), r.label.find('1') != std::string::npos) << r.label;
    }
  }
}

TEST_F(Filters, AWrongExpressionIsRefused) {
  const auto wrong = Condition::words("gemm(", true);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().why, testing::HasSubstr("missing )"));
  EXPECT_FALSE(Condition::words("  ", false));
  EXPECT_FALSE(Condition::words("dur>5parsec", false));
}

TEST(FilterCase, ACapitalLetterAsksForCase) {  // GUI-09
  TraceFixture fixture;
  std::vector<Event> events;
  for (const char* name : {"ampere_sgemm_a", "Ampere_SGEMM_b", "memcpy"})
    events.push_back({.start = static_cast<Ns>(10 * events.size()),
                      .end = 5 + static_cast<Ns>(10 * events.size()),
                      .name = fixture.name(name)});
  const TracePtr trace = fixture.lane(EventKind::kKernel, events).finish();
  EXPECT_THAT(left(trace, {words("sgemm")}), SizeIs(2));
  EXPECT_THAT(left(trace, {words("SGEMM")}), UnorderedElementsAre("Ampere_SGEMM_b"));
  EXPECT_THAT(left(trace, {words("^ampere.*_b$", true)}), UnorderedElementsAre("Ampere_SGEMM_b"));
  EXPECT_THAT(left(trace, {words("^Ampere.*_a$", true)}), IsEmpty());
  EXPECT_THAT(left(trace, {words("\\Sgemm", true)}), SizeIs(2)) << "\\S is no letter";
  EXPECT_THAT(left(trace, {words("(?P<x>\\p{Lu})sgemm|mem", true)}), UnorderedElementsAre("memcpy"));
}

/// What a selection says of the events left is what it says of a trace without the others.
TEST(FilterFigures, AreThoseOfATraceWithoutTheRest) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 10; ++round) {
    TraceFixture whole, alone;
    for (const EventKind kind : {EventKind::kKernel, EventKind::kKernel, EventKind::kCopy}) {
      std::vector<Event> events = test::randomLane(random, 3000), some;
      for (Event& event : events) {
        event.name = whole.name("n" + std::to_string(event.name));
        EXPECT_EQ(event.name, alone.name((*whole.finish()->names)[event.name].text));
        if (event.name % 2 == 0) some.push_back(event);
      }
      whole.lane(kind, events);
      alone.lane(kind, some);
    }
    const TracePtr trace = whole.finish(), other = alone.finish();
    std::string expression;
    for (trace::NameId id = 2; id < trace->names->size(); id += 2)
      expression += (expression.empty() ? "^(" : "|") + std::string((*trace->names)[id].text);
    const auto passing = std::make_shared<const Passing>(trace, Filter{words(expression + ")$", true)});
    for (const Clip clip : {Clip::kAtEdges, Clip::kWholeEvents}) {
      const trace::TimeRange span = trace->range;
      const Ns a = span.begin + static_cast<Ns>(random() % static_cast<std::uint64_t>(span.length()));
      const Selection filtered{{a, a + span.length() / 3}, {}, clip, passing}, plain{filtered.range, {}, clip};
      const NameTable got = nameFigures(*trace, filtered), expected = nameFigures(*other, plain);
      ASSERT_EQ(got.names.size(), expected.names.size());
      EXPECT_EQ(got.events, expected.events);
      for (std::size_t i = 0; i < got.names.size(); ++i) {
        EXPECT_EQ(got.names[i].name, expected.names[i].name);
        EXPECT_EQ(got.names[i].time.total, expected.names[i].time.total);
        EXPECT_EQ(got.names[i].time.count, expected.names[i].time.count);
        EXPECT_EQ(got.names[i].bytes, expected.names[i].bytes);
        EXPECT_EQ(durationsOf(*trace, filtered, got.names[i].name, got.names[i].kind).time,
                  durationsOf(*other, plain, got.names[i].name, got.names[i].kind).time);
      }
      const auto copies = copyFigures(*trace, filtered), expectedCopies = copyFigures(*other, plain);
      ASSERT_EQ(copies.size(), expectedCopies.size());
      for (std::size_t i = 0; i < copies.size(); ++i) EXPECT_EQ(copies[i].bytes, expectedCopies[i].bytes);
      const GpuFigures gpu = GpuWork(*trace, {}, passing.get()).figures(filtered.range);
      EXPECT_EQ(gpu.busy, GpuWork(*other).figures(filtered.range).busy);
      for (std::uint32_t row = 0; row < 3; ++row) {
        const RowFigures figures = rowFigures(*trace, row, filtered.range, {}, passing.get());
        EXPECT_EQ(figures.busy, rowFigures(*other, row, filtered.range).busy);
        EXPECT_EQ(figures.count, rowFigures(*other, row, filtered.range).count);
      }
      const Query any = Query::parse("n", false).value();
      EXPECT_EQ(find(*trace, any, {}, passing.get()).count, passing->events());
    }
  }
}

TEST(FilterWork, NamesAndWholeLanesCostNoEvents) {
  TraceFixture fixture;
  std::mt19937_64 random(1);
  std::vector<Event> events = test::randomLane(random, 100'000);
  for (Event& event : events) event.name = fixture.name("n" + std::to_string(event.name));
  const TracePtr trace = fixture.lane(EventKind::kKernel, events).lane(EventKind::kCopy, events).finish();
  EXPECT_EQ(Passing(trace, {words("kind:copy")}).looked(), 0U);
  EXPECT_EQ(Passing(trace, {words("kind:copy n1")}).looked(), 100'000U) << "the other lane is not looked at";
}

}  // namespace
}  // namespace lanescope::analysis
