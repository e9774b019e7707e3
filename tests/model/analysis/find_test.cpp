// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/find.h"

#include <gmock/gmock.h>

#include "model/report/load.h"
#include "model/trace/builder.h"
#include "tests/model/trace/random_events.h"
#include "tests/support/files.h"
#include "tests/support/trace_fixture.h"

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using trace::Event;
using trace::EventKind;
using trace::EventRef;
using trace::LaneInfo;
using trace::Ns;
using trace::Trace;
using trace::TraceBuilder;
using trace::TraceFixture;
using trace::TracePtr;

Query query(std::string_view text, bool regex = false) {
  auto parsed = Query::parse(text, regex);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error().why;
  return parsed.value_or(Query());
}

std::vector<std::string> namesFound(const Trace& trace, std::string_view text, bool regex = false) {
  std::vector<std::string> names;
  for (const EventRef hit : firstHits(trace, find(trace, query(text, regex)), 1000))
    names.emplace_back((*trace.names)[trace.name(hit)].text);
  return names;
}

/// "at+length why" of the part of the input that is wrong.
std::string mistakeIn(std::string_view text, bool regex = false) {
  const auto parsed = Query::parse(text, regex);
  if (parsed) return "none";
  EXPECT_LE(parsed.error().at + parsed.error().length, text.size());
  return std::string(text.substr(parsed.error().at, parsed.error().length)) + " | " + parsed.error().why;
}

/// Two processes with a GPU and a thread each, and events of several kinds, named after where they are.
class Find : public testing::Test {
 protected:
  void add(LaneInfo info, EventKind kind, std::string_view name, Ns start, Ns end, bool unfinished = false) {
    info.kind = kind;
    info.table = builder.table("T");
    builder.sequence(info).add(
        {.start = start, .end = end, .name = builder.names().intern(name), .unfinished = unfinished});
  }

  void SetUp() override {
    for (const std::int64_t pid : {100, 200}) {
      LaneInfo info;
      info.process = builder.process(pid << 24);
      LaneInfo host = info;
      host.thread = builder.thread(pid << 24 | (pid + 1));
      info.gpu = builder.gpu(info.process, pid / 100 - 1);
      const std::string who = std::to_string(pid);
      for (const std::int64_t stream : {7, 14}) {
        info.stream = builder.stream(info.gpu, 1, stream);
        builder.draft().streams[info.stream].name = stream == 14 ? "Compute main" : "";
        add(info, EventKind::kKernel, "gemm " + who + " " + std::to_string(stream), stream, stream + pid);
      }
      add(info, EventKind::kCopy, "[CUDA memcpy HtoD]", 900 + pid, 901 + pid);
      host.domain = builder.domain(info.process, 0);
      add(host, EventKind::kNvtxRange, "step " + who, 10, 5000, pid == 200);
      add(host, EventKind::kNvtxMark, "mark " + who, 20, 20);
      host.domain = trace::kNone;
      add(host, EventKind::kCudaApi, "cudaLaunchKernel_v7000", 1, 2);
      add(host, EventKind::kThreadState, "running gemm", 0, 6000);
    }
    builder.finish();
    trace = builder.snapshot(true);
  }

  std::vector<std::string> found(std::string_view text, bool regex = false) { return namesFound(*trace, text, regex); }

  TraceBuilder builder;
  TracePtr trace;
};

TEST_F(Find, TextIsAPartOfTheNameWithoutRegardToCase) {
  EXPECT_THAT(found("GEMM 100"), ElementsAre("gemm 100 7", "gemm 100 14"));
  EXPECT_THAT(found("  gemm 100  "), SizeIs(2));
  EXPECT_THAT(found("gemm  100"), IsEmpty()) << "two spaces are not one";
  EXPECT_THAT(found("[CUDA memcpy"), SizeIs(2)) << "what an expression would read otherwise is plain here";
  EXPECT_THAT(found("g.mm"), IsEmpty());
  EXPECT_THAT(found("g.mm 100", true), SizeIs(2));
}

TEST(FindNames, CaseIsDisregardedUnlessAnExpressionAsksForIt) {  // GUI-09
  TraceFixture fixture;
  std::vector<Event> events;
  for (const char* name : {"ampere_sgemm_a", "Ampere_SGEMM_b", "memcpy"})
    events.push_back({.start = static_cast<Ns>(10 * events.size()),
                      .end = 5 + static_cast<Ns>(10 * events.size()),
                      .name = fixture.name(name)});
  const TracePtr trace = fixture.lane(EventKind::kKernel, events).finish();
  EXPECT_THAT(namesFound(*trace, "sgemm"), ElementsAre("ampere_sgemm_a", "Ampere_SGEMM_b"));
  EXPECT_THAT(namesFound(*trace, "^ampere.*_b$", true), ElementsAre("Ampere_SGEMM_b"));
  EXPECT_THAT(namesFound(*trace, "(?-i)^ampere", true), ElementsAre("ampere_sgemm_a"));
  EXPECT_EQ(mistakeIn("ampere(", true), "ampere( | missing ): ampere(");
}

TEST(FindNames, ANameOfHalfAMegabyteAndStrangeLettersAreFound) {  // GUI-10
  TraceFixture fixture;
  std::vector<Event> events;
  const std::string letters = "שלום 🚀 漢字 e\xCC\x81 line\nnul" + std::string(1, '\0') + "end";
  for (const std::string& name : {std::string(512 << 10, 'x') + "Needle", std::string(1500, '_') + "Z", letters})
    events.push_back({.start = static_cast<Ns>(10 * events.size()),
                      .end = 5 + static_cast<Ns>(10 * events.size()),
                      .name = fixture.name(name)});
  const TracePtr trace = fixture.lane(EventKind::kKernel, events).finish();
  const auto hits = [&](std::string_view text, bool regex = false) {
    std::vector<std::uint32_t> all;
    for (const auto& lane : find(*trace, query(text, regex)).lanes) all = lane.events;
    return all;
  };
  EXPECT_THAT(hits("needle"), ElementsAre(0u));
  EXPECT_THAT(hits("^x+needle$", true), ElementsAre(0u));
  EXPECT_THAT(hits("(x*)*y", true), IsEmpty()) << "no expression takes longer than its length";
  EXPECT_THAT(hits("_Z"), ElementsAre(1u));
  EXPECT_THAT(hits("漢"), ElementsAre(2u));
  EXPECT_THAT(hits("🚀"), ElementsAre(2u));
  EXPECT_THAT(hits("e\xCC\x81"), ElementsAre(2u));
}

TEST(FindNames, AnExpressionFindsWhatIsDrawnToo) {
  TraceFixture fixture;
  auto names = std::make_shared<trace::NameTable>();
  const std::vector<Event> events{{.start = 0, .end = 1, .name = names->intern("void gemm<int>(float)", "gemm")}};
  auto trace = std::make_shared<Trace>(*fixture.lane(EventKind::kKernel, events).finish());
  trace->names = names;
  EXPECT_THAT(namesFound(*trace, "^gemm$", true), SizeIs(1));
  EXPECT_THAT(namesFound(*trace, "float\\)$", true), SizeIs(1));
}

TEST_F(Find, ATermOfKindKeepsThatKindAsPeopleCallIt) {
  const auto all = [&](std::string_view word) {
    std::size_t kinds = 0;
    for (const auto& lane : find(*trace, query("kind:" + std::string(word))).lanes)
      kinds |= std::size_t{1} << static_cast<int>(trace->laneInfo[lane.lane].kind);
    return kinds;
  };
  const auto only = [](EventKind kind) { return std::size_t{1} << static_cast<int>(kind); };
  for (const char* word : {"kernel", "Kern"}) EXPECT_EQ(all(word), only(EventKind::kKernel)) << word;
  for (const char* word : {"copy", "memcpy"}) EXPECT_EQ(all(word), only(EventKind::kCopy)) << word;
  for (const char* word : {"api", "cuda", "CUDA-API"}) EXPECT_EQ(all(word), only(EventKind::kCudaApi)) << word;
  EXPECT_EQ(all("nvtx"), only(EventKind::kNvtxRange) | only(EventKind::kNvtxMark));
  EXPECT_EQ(all("mark"), only(EventKind::kNvtxMark));
  EXPECT_EQ(all("state"), only(EventKind::kThreadState));
  EXPECT_EQ(all("kernel,copy"), only(EventKind::kKernel) | only(EventKind::kCopy));
  EXPECT_EQ(all("kernel kind:copy"), 0u) << "every term has to hold";
  for (const char* word : {"memset", "osrt", "sync", "graph", "library", "overhead", "projection", "sample", "core"})
    EXPECT_EQ(all(word), 0u) << word;
}

TEST_F(Find, ATermKeepsEventsOfItsStreamOnly) {
  EXPECT_THAT(found("gemm stream:7"), ElementsAre("gemm 100 7", "gemm 200 7"));
  EXPECT_THAT(found("stream:14 kind:kernel pid:200"), ElementsAre("gemm 200 14"));
  EXPECT_THAT(found("gemm stream:compute"), ElementsAre("gemm 100 14", "gemm 200 14"));
  EXPECT_THAT(found("gemm stream:\"te ma\""), SizeIs(2));
  EXPECT_THAT(found("gemm stream:7,14"), SizeIs(4));
  EXPECT_THAT(found("step stream:7"), IsEmpty()) << "on no stream";
}

TEST_F(Find, AThreadGoesByItsNameOrItsNumber) {
  trace::Trace named = *trace;
  named.threads[0].name = "DataLoader worker";
  EXPECT_THAT(namesFound(named, "kind:nvtx thread:worker"), ElementsAre("step 100", "mark 100"));
  EXPECT_THAT(namesFound(named, "kind:nvtx thread:101"), ElementsAre("step 100", "mark 100"));
  EXPECT_THAT(namesFound(named, "gemm thread:worker"), IsEmpty()) << "on no thread";
}

TEST_F(Find, TermsOfThreadProcessAndGpuSkipOtherLanes) {
  EXPECT_THAT(found("tid:101 kind:nvtx"), ElementsAre("step 100", "mark 100"));
  EXPECT_THAT(found("gemm pid:200"), SizeIs(2));
  EXPECT_THAT(found("gpu:1 gemm"), ElementsAre("gemm 200 7", "gemm 200 14"));
  EXPECT_THAT(found("gpu:0,1 gemm"), SizeIs(4));
  EXPECT_THAT(found("gpu:5"), IsEmpty());
}

TEST_F(Find, DurationsCompareExactlyInAnyUnit) {
  EXPECT_THAT(found("gemm dur>100"), ElementsAre("gemm 200 7", "gemm 200 14"));
  EXPECT_THAT(found("gemm dur>=100ns"), SizeIs(4));
  EXPECT_THAT(found("gemm dur<0.2us"), SizeIs(2));
  EXPECT_THAT(found("gemm dur<=0.0002ms"), SizeIs(4));
  EXPECT_THAT(found("gemm dur>0.00000015s"), SizeIs(2));
  EXPECT_THAT(found("gemm dur>0.1µs dur<0.3μs"), SizeIs(2));
  EXPECT_THAT(found("gemm dur>99.5"), SizeIs(4));
  EXPECT_THAT(found("gemm dur<100.5"), SizeIs(2)) << "half a nanosecond longer than any 100";
  EXPECT_THAT(found("gemm dur>=100.5"), SizeIs(2));
  EXPECT_THAT(found("gemm dur<=99.5"), IsEmpty());
  EXPECT_THAT(found("dur<1 kind:nvtx"), ElementsAre("mark 100", "mark 200")) << "an instant has no length";
  EXPECT_THAT(found("dur<0"), IsEmpty());
  EXPECT_THAT(found("dur>99999999999999999999999s"), IsEmpty());
  EXPECT_THAT(found("gemm dur<99999999999999999999999s"), SizeIs(4));
}

TEST_F(Find, ARangeThatNobodyClosedHasNoDurationToCompare) {
  EXPECT_THAT(found("step"), ElementsAre("step 100", "step 200"));
  EXPECT_THAT(found("step dur>1"), ElementsAre("step 100"));
}

TEST_F(Find, ThreadStatesAreFoundOnlyWhereTheirKindIsNamed) {
  EXPECT_THAT(found("gemm"), SizeIs(4));
  EXPECT_THAT(found("gemm kind:state"), SizeIs(2));
}

TEST_F(Find, NothingAskedForFindsNothing) {
  EXPECT_TRUE(query("").empty());
  EXPECT_TRUE(query("  \t").empty());
  EXPECT_TRUE(Query().empty());
  EXPECT_EQ(find(*trace, query(" ")).count, 0u);
  EXPECT_FALSE(query("kind:kernel").empty());
}

TEST_F(Find, ACancelledJobEndsEarly) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(find(*trace, query("gemm"), Job(stop.get_token())).count, 0u);
}

TEST(FindQuery, AWordThatOnlyLooksLikeATermIsText) {
  TraceFixture fixture;
  std::vector<Event> events;
  for (const char* name : {"kind::of", "std::sort", "a:b", "duration", "kind:kernel", "say \"hi\""})
    events.push_back({.start = static_cast<Ns>(10 * events.size()),
                      .end = 5 + static_cast<Ns>(10 * events.size()),
                      .name = fixture.name(name)});
  const TracePtr trace = fixture.lane(EventKind::kCopy, events).finish();
  EXPECT_THAT(namesFound(*trace, "kind::of"), ElementsAre("kind::of"));
  EXPECT_THAT(namesFound(*trace, "std::sort"), ElementsAre("std::sort"));
  EXPECT_THAT(namesFound(*trace, "a:b"), ElementsAre("a:b"));
  EXPECT_THAT(namesFound(*trace, "dur"), ElementsAre("duration"));
  EXPECT_THAT(namesFound(*trace, "kind:kernel"), IsEmpty());
  EXPECT_THAT(namesFound(*trace, "\"kind:kernel\""), ElementsAre("kind:kernel"));
  EXPECT_THAT(namesFound(*trace, "\"kind:kernel\" kind:copy"), ElementsAre("kind:kernel"));
  EXPECT_THAT(namesFound(*trace, "y \"h"), ElementsAre("say \"hi\""))
      << "a quote that is not closed is one of the text";
}

TEST(FindQuery, AMistakeSaysWhereItIs) {
  EXPECT_EQ(mistakeIn("gemm kind:kernle"),
            "kernle | no kind of event: kernle; try kernel, copy, memset, api, nvtx, osrt, sync");
  EXPECT_EQ(mistakeIn("kind:kernel,foo x"),
            "foo | no kind of event: foo; try kernel, copy, memset, api, nvtx, osrt, sync");
  EXPECT_EQ(mistakeIn("dur>10parsecs"), "parsecs | no unit of time: parsecs");
  EXPECT_EQ(mistakeIn("x dur>"), "dur> | nothing after dur>");
  EXPECT_EQ(mistakeIn("dur>=-5"), "-5 | no duration: -5");
  EXPECT_EQ(mistakeIn("dur<1.2.3"), "1.2.3 | no duration: 1.2.3");
  EXPECT_EQ(mistakeIn("dur<."), ". | no duration: .");
  EXPECT_EQ(mistakeIn("dur=5us"), "dur=5us | a duration is compared with <, <=, > or >=");
  EXPECT_EQ(mistakeIn("tid:12x"), "12x | no number: 12x");
  EXPECT_EQ(mistakeIn("pid:99999999999999999999"), "99999999999999999999 | no number: 99999999999999999999");
  EXPECT_EQ(mistakeIn("gpu:"), "gpu: | nothing after gpu:");
  EXPECT_EQ(mistakeIn("tid:1,"), " | nothing beside the comma");
  EXPECT_EQ(mistakeIn("kind:kernel a[b", true), "[b | missing ]: [b");
  EXPECT_NE(mistakeIn("\xFF\xFE"), "none");
  EXPECT_NE(mistakeIn("stream:\xFF"), "none");
  EXPECT_NE(mistakeIn(std::string(5000, 'x')), "none");
  EXPECT_NE(mistakeIn("(((x{1000}){1000}){1000})", true), "none") << "an expression that would fill the memory";
}

TEST(FindQuery, NoInputIsTooStrange) {
  std::mt19937_64 random(7);
  const std::string_view parts[] = {"kind:",   "dur",  "<", ">",         "=",    "\"", " ",     ",",
                                    "stream:", "tid:", "9", ".",         "ms",   "(",  "[",     "*",
                                    "\\",      "::",   "x", "\xC2\xB5s", "\xFF", "-",  "kernel"};
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 9; n > 0; --n) text += parts[random() % std::size(parts)];
    const auto parsed = Query::parse(text, random() % 2 == 0);
    if (!parsed) {
      ASSERT_LE(parsed.error().at + parsed.error().length, text.size()) << text;
      ASSERT_FALSE(parsed.error().why.empty()) << text;
    }
  }
}

/// A trace of random lanes with hits chosen at random, and all of them in order.
struct RandomHits {
  explicit RandomHits(unsigned seed) : random(seed) {
    TraceFixture fixture;
    const std::size_t lanes = 1 + random() % 6;
    for (std::size_t l = 0; l < lanes; ++l)
      fixture.lane(EventKind::kKernel, test::randomLane(random, 1 + random() % 300));
    trace = fixture.finish();
    const std::uint64_t rarity = 1 + random() % 20;
    for (trace::LaneId l = 0; l < lanes; ++l) {
      Hits::OfLane some{l, {}};
      for (std::uint32_t i = 0; i < trace->lanes[l]->size(); ++i)
        if (random() % rarity == 0) some.events.push_back(i), ordered.push_back({l, i});
      hits.count += some.events.size();
      if (!some.events.empty()) hits.lanes.push_back(std::move(some));
    }
    std::stable_sort(ordered.begin(), ordered.end(), [this](EventRef a, EventRef b) { return key(a) < key(b); });
  }

  std::tuple<Ns, trace::LaneId, std::uint32_t> key(EventRef e) const { return {trace->time(e).begin, e.lane, e.index}; }
  EventRef anyEvent() {
    const auto lane = static_cast<trace::LaneId>(random() % trace->lanes.size());
    return {lane, static_cast<std::uint32_t>(random() % trace->lanes[lane]->size())};
  }
  Ns anyTime() {
    const trace::TimeRange time = trace->time(anyEvent());
    return time.begin + static_cast<Ns>(random() % 5) - 2;
  }

  std::mt19937_64 random;
  TracePtr trace;
  Hits hits;
  std::vector<EventRef> ordered;
};

TEST(FindHits, TheNextHitIsTheOneThatANaiveSearchFinds) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomHits some(seed);
    const std::vector<EventRef>& all = some.ordered;
    for (int i = 0; i < 60; ++i) {
      const bool forward = some.random() % 2 == 0;
      std::optional<EventRef> from;
      if (some.random() % 3 > 0)
        from = some.random() % 2 == 0 || all.empty() ? some.anyEvent() : all[some.random() % all.size()];
      const Ns time = some.random() % 10 == 0 ? std::numeric_limits<Ns>::max() : some.anyTime();
      std::optional<EventRef> expected;
      if (!all.empty()) expected = forward ? all.front() : all.back();
      for (std::size_t j = 0; j < all.size(); ++j) {
        const EventRef each = forward ? all[all.size() - 1 - j] : all[j];
        const Ns start = some.trace->time(each).begin;
        if (from ? (forward ? some.key(*from) < some.key(each) : some.key(each) < some.key(*from))
                 : (forward ? start >= time : start <= time))
          expected = each;
      }
      ASSERT_EQ(nextHit(*some.trace, some.hits, from, time, forward), expected) << "seed " << seed;
    }
  }
}

TEST(FindHits, WalkingGoesThroughAllAndRound) {
  RandomHits some(3);
  std::optional<EventRef> at;
  for (std::size_t i = 0; i <= some.ordered.size(); ++i) {
    at = nextHit(*some.trace, some.hits, at, trace::kMinTime);
    ASSERT_EQ(at, some.ordered[i % some.ordered.size()]);
  }
  EXPECT_EQ(nextHit(*some.trace, {}, at, 0), std::nullopt);
  EXPECT_EQ(nextHit(*some.trace, some.hits, EventRef{99, 0}, trace::kMinTime), some.ordered.front())
      << "an event that is not there is no place to start from";
}

TEST(FindHits, TheRankIsThePlaceInOrder) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomHits some(seed);
    for (std::size_t i = 0; i < some.ordered.size(); ++i)
      ASSERT_EQ(rankOf(*some.trace, some.hits, some.ordered[i]), i + 1);
    for (int i = 0; i < 50; ++i) {
      const EventRef event = some.anyEvent();
      const bool isHit = std::find(some.ordered.begin(), some.ordered.end(), event) != some.ordered.end();
      ASSERT_EQ(rankOf(*some.trace, some.hits, event) > 0, isHit);
    }
  }
}

TEST(FindHits, TheFirstHitsAreTheBeginningOfAllInOrder) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomHits some(seed);
    for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{17}, std::size_t{100'000}}) {
      std::vector<EventRef> expected = some.ordered;
      expected.resize(std::min(most, expected.size()));
      ASSERT_EQ(firstHits(*some.trace, some.hits, most), expected);
    }
  }
}

TEST(FindHits, AColumnIsMarkedWhereAHitTouchesIt) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomHits some(seed);
    const Ns begin = some.anyTime();
    const Ns length = 1 + static_cast<Ns>(some.random() % (seed % 3 == 0 ? 50 : seed % 3 == 1 ? 20'000 : 1ull << 40));
    const int columns = 1 + static_cast<int>(some.random() % 150);
    std::vector<bool> expected(static_cast<std::size_t>(columns));
    for (Ns c = 0; c < columns; ++c)
      for (const EventRef hit : some.ordered) {
        // An event is [start, end), a column [c, c + 1) · length / columns; both multiplied by columns.
        const Ns start = std::clamp<Ns>(some.trace->time(hit).begin - begin, -1, length) * columns;
        const Ns end = std::clamp<Ns>(some.trace->time(hit).end - begin, -1, length) * columns;
        if (start < (c + 1) * length && (end > c * length || start >= c * length))
          expected[static_cast<std::size_t>(c)] = true;
      }
    ASSERT_EQ(hitColumns(*some.trace, some.hits, {begin, begin + length}, columns), expected) << "seed " << seed;
  }
}

TEST(FindHits, ColumnsOfNothingAreEmpty) {
  const RandomHits some(1);
  EXPECT_THAT(hitColumns(*some.trace, some.hits, {0, 100}, 0), IsEmpty());
  EXPECT_THAT(hitColumns(*some.trace, some.hits, {0, 100}, -3), IsEmpty());
  EXPECT_EQ(hitColumns(*some.trace, some.hits, {5, 5}, 4), std::vector<bool>(4));
  EXPECT_EQ(hitColumns(*some.trace, some.hits, {trace::kMinTime, trace::kMaxTime}, 1), std::vector<bool>{true});
}

/// As find() promises, by looking at each event on its own.
TEST(FindHits, FindAgreesWithALookAtEveryEvent) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    TraceFixture fixture;
    for (const char* name : {"alpha", "beta", "gamma", "alphabet", "delta"}) fixture.name(name);
    for (std::size_t l = random() % 4 + 1; l > 0; --l)
      fixture.lane(random() % 2 == 0 ? EventKind::kKernel : EventKind::kCopy,
                   test::randomLane(random, 1 + random() % 900));
    const TracePtr trace = fixture.finish();
    const Hits hits = find(*trace, query("alpha kind:kernel dur>=40 dur<150"));
    std::vector<EventRef> expected, actual;
    for (trace::LaneId l = 0; l < trace->lanes.size(); ++l)
      for (std::uint32_t i = 0; i < trace->lanes[l]->size(); ++i) {
        const Ns duration = trace->lanes[l]->duration(i);
        if ((*trace->names)[trace->name({l, i})].text.find("alpha") != std::string_view::npos &&
            trace->laneInfo[l].kind == EventKind::kKernel && duration >= 40 && duration < 150)
          expected.push_back({l, i});
      }
    for (const auto& lane : hits.lanes)
      for (const std::uint32_t i : lane.events) actual.push_back({lane.lane, i});
    ASSERT_EQ(actual, expected);
    ASSERT_EQ(hits.count, expected.size());
  }
}

TEST(FindHits, AListOfHitsTakesNoMoreThanItNeeds) {
  TraceFixture fixture;
  const trace::NameId rare = fixture.name("rare"), common = fixture.name("common");
  std::vector<Event> events;
  for (Ns i = 0; i < 1'000'000; ++i)  // rare in the first part, so that a guess from it is wrong
    events.push_back({.start = i, .end = i + 1, .name = i < 300'000 && i % 10 != 0 ? rare : common});
  const TracePtr trace = fixture.lane(EventKind::kKernel, events).finish();
  for (const char* text : {"rare", "common", "kind:kernel"}) {
    const Hits hits = find(*trace, query(text));
    ASSERT_THAT(hits.lanes, SizeIs(1));
    EXPECT_LE(hits.lanes[0].events.capacity(), hits.count + hits.count / 8) << text;
  }
}

TEST(FindHits, EveryGoldenNameFindsAllItsEvents) {
  LANESCOPE_NEEDS_SHARED();
  const auto loaded = report::load(test::sharedFolder() / "golden/ddp_rank0/nsys.sqlite", {}, {}, Job{});
  ASSERT_TRUE(loaded);
  const Trace& trace = **loaded;
  std::uint64_t kernels = 0, nccl = 0;
  for (trace::LaneId l = 0; l < trace.lanes.size(); ++l)
    for (std::uint32_t i = 0; i < trace.lanes[l]->size() && trace.laneInfo[l].kind == EventKind::kKernel; ++i) {
      ++kernels;
      nccl += (*trace.names)[trace.name({l, i})].text.find("nccl") != std::string_view::npos;
    }
  EXPECT_GT(nccl, 0u);
  EXPECT_EQ(find(trace, query("kind:kernel")).count, kernels);
  EXPECT_EQ(find(trace, query("NCCL kind:kernel")).count, nccl);
}

}  // namespace
}  // namespace lanescope::analysis
