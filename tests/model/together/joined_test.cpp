// SPDX-License-Identifier: Apache-2.0
#include "model/together/joined.h"

#include <gmock/gmock.h>

#include <array>
#include <set>

#include "model/analysis/find.h"
#include "model/analysis/gpu_work.h"
#include "model/analysis/selection.h"
#include "model/trace/derived.h"
#include "tests/support/loaded_report.h"

namespace lanescope::together {
namespace {

using test::K;
using test::N;
using test::R;
using testing::ElementsAre;
using trace::EventRef;
using trace::LaneId;
using trace::Ns;

/// A thread of process 1 that launches in a range: the same numbers in every report.
test::ReportBuilder& addStep(test::ReportBuilder& report, Ns at, const std::string& kernel) {
  return report.add(N{.start = at, .end = at + 90, .text = "step"})
      .add(R{.start = at + 10, .end = at + 20, .correlation = 1})
      .add(R{.start = at + 30, .end = at + 40, .correlation = 2})
      .add(K{.start = at + 50, .end = at + 60, .correlation = 1, .name = kernel})
      .add(K{.start = at + 60, .end = at + 80, .correlation = 2, .name = "shared"});
}

struct Reports {
  std::vector<Identity> identities;
  std::vector<trace::TracePtr> traces;
  std::vector<Placement> placements;

  void add(const std::filesystem::path& file, Ns offset) {
    auto trace = report::load(file, {.projections = true}, {}, Job{});
    ASSERT_TRUE(trace) << sentence(trace.error());
    identities.push_back(identify(file).value_or(Identity{.path = file}));
    traces.push_back(*trace);
    placements.push_back({.offset = offset});
  }
  Joined join() const { return together::join(identities, traces, placements); }
};

class JoinedReports : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, Ns at, const std::string& kernel) {
    test::ReportBuilder builder(folder / name);
    return addStep(builder, at, kernel).write();
  }
  Reports two() {
    Reports reports;
    reports.add(write("rank0.sqlite", 1000, "first"), 0);
    reports.add(write("rank1.sqlite", 5000, "second"), -3900);
    return reports;
  }

  test::TemporaryFolder folder;
};

std::string_view nameOf(const trace::Trace& trace, EventRef event) { return (*trace.names)[trace.name(event)].text; }

/// Every event of every report is where, when and tied to what it is in its own trace.
void expectSame(const Joined& joined, const std::vector<trace::TracePtr>& loaded) {
  const trace::Trace& all = *joined.trace;
  std::size_t events = 0, projections = 0;
  for (std::uint32_t report = 0; report < loaded.size(); ++report) {
    const trace::Trace& own = *loaded[report];
    const Ns offset = joined.parts[report].placement.offset;
    events += own.eventCount();
    projections += own.projectionCount();
    const auto here = [&](const auto& ids) {
      std::vector<trace::EventId> mapped;
      for (const trace::EventId id : ids) mapped.push_back(all.id(joined.joined(report, own.ref(id))));
      return mapped;
    };
    const auto listed = [](const auto& ids) { return std::vector<trace::EventId>(ids.begin(), ids.end()); };
    for (LaneId lane = 0; lane < own.lanes.size(); ++lane) {
      const LaneId there = joined.parts[report].laneOf[lane];
      ASSERT_EQ(all.lanes[there]->size(), own.lanes[lane]->size());
      EXPECT_EQ(all.laneInfo[there].kind, own.laneInfo[lane].kind);
      if (const auto table = own.laneInfo[lane].table; table < own.tables.size()) {
        EXPECT_EQ(all.tables[all.laneInfo[there].table], own.tables[table]);
      }
      for (std::uint32_t i = 0; i < own.lanes[lane]->size(); ++i) {
        const EventRef event{lane, i}, shown{there, i};
        ASSERT_EQ(joined.own(shown), event);
        ASSERT_EQ(joined.reportOf(shown), report);
        ASSERT_EQ(all.ref(all.id(shown)), shown);
        ASSERT_EQ(all.time(shown).begin, own.time(event).begin + offset);
        ASSERT_EQ(all.time(shown).end, own.time(event).end + offset);
        ASSERT_EQ(nameOf(all, shown), nameOf(own, event));
        ASSERT_EQ(all.lanes[there]->sourceRow(i), own.lanes[lane]->sourceRow(i));
        ASSERT_EQ(listed(all.partners(shown)), here(own.partners(event)));
        ASSERT_EQ(listed(all.links(shown)), here(own.links(event)));
        ASSERT_EQ(all.recordedOn(shown), own.recordedOn(event));
      }
    }
  }
  EXPECT_EQ(all.eventCount(), events);
  EXPECT_EQ(all.projectionCount(), projections);
}

TEST_F(JoinedReports, AllEventsOfAllAreThereAtTheirTimesAndWithTheirPartners) {
  const Reports reports = two();
  ASSERT_GT(reports.traces[0]->projectionCount(), 0U);
  const Joined joined = reports.join();
  expectSame(joined, reports.traces);
  EXPECT_EQ(joined.trace->range, (trace::TimeRange{1000, 1190}));
  EXPECT_TRUE(joined.trace->complete);
}

TEST_F(JoinedReports, TheSameNumbersStandForOtherProcessesThreadsAndGpus) {
  const Joined joined = two().join();
  const trace::Trace& all = *joined.trace;
  ASSERT_EQ(all.processes.size(), 2U);
  EXPECT_EQ(all.processes[0].pid, all.processes[1].pid);
  EXPECT_NE(all.processes[0].globalPid, all.processes[1].globalPid);
  EXPECT_NE(all.threads[0].globalTid, all.threads[1].globalTid);
  EXPECT_EQ(analysis::gpuDevices(all).size(), 2U);
  EXPECT_EQ(analysis::GpuWork(all).figures({1000, 2000}).gpus, 2);
}

TEST_F(JoinedReports, EachReportHasARowWithItsRowsBelowIt) {
  const Reports reports = two();
  const Joined joined = reports.join();
  const trace::Trace& all = *joined.trace;
  ASSERT_EQ(all.rootRows.size(), 2U);
  EXPECT_EQ(all.rows[all.rootRows[0]].label, "rank 0");
  EXPECT_EQ(all.rows[all.rootRows[1]].label, "rank 1");
  EXPECT_EQ(all.rows.size(), 2 + reports.traces[0]->rows.size() + reports.traces[1]->rows.size());
  std::set<std::string> keys;
  for (std::uint32_t row = 0; row < all.rows.size(); ++row) {
    EXPECT_TRUE(keys.insert(all.rows[row].key).second) << all.rows[row].key;
    for (const LaneId lane : all.rows[row].lanes) EXPECT_EQ(joined.ownLane[lane].report, joined.reportOfRow(row));
    for (const std::uint32_t child : all.rows[row].children) EXPECT_EQ(all.rows[child].parent, row);
    if (const auto& busy = all.rows[row].busy) {
      const auto moved = trace::BusyUnion([&] {
        std::vector<trace::LanePtr> lanes;
        for (const trace::KeptLane& each : busy->lanes())
          for (LaneId lane = 0; lane < all.lanes.size(); ++lane)
            if (joined.parts[joined.reportOfRow(row)].trace->lanes[joined.ownLane[lane].lane] == each.lane &&
                joined.ownLane[lane].report == joined.reportOfRow(row))
              lanes.push_back(all.lanes[lane]);
        return lanes;
      }());
      for (Ns t = 990; t < 1200; ++t) ASSERT_EQ(busy->busyBefore(t), moved.busyBefore(t)) << all.rows[row].key << t;
    }
  }
  EXPECT_EQ(all.rows[all.rootRows[1]].busy->busy({1000, 1200}), 30) << "its only GPU";
}

TEST_F(JoinedReports, ThreadsAreOpenWhereNoGpuWorked) {
  const auto isOpen = [&](bool withGpu) {
    Reports reports;
    for (const char* name : {"rank0.sqlite", "rank1.sqlite"}) {
      test::ReportBuilder builder(folder / ((withGpu ? "gpu-" : "") + std::string(name)));
      builder.add(R{.start = 10, .end = 20, .correlation = 1});
      if (withGpu) builder.add(K{.start = 15, .end = 30, .correlation = 1, .name = "kernel"});
      reports.add(builder.write(), 0);
    }
    const Joined joined = reports.join();
    const auto threads = std::ranges::find(joined.trace->rows, trace::RowKind::kThreads, &trace::Row::kind);
    return threads != joined.trace->rows.end() && threads->expanded;
  };
  EXPECT_TRUE(isOpen(false));
  EXPECT_FALSE(isOpen(true));
}

TEST_F(JoinedReports, PlacedOtherwiseOnlyTimesChange) {
  const Reports reports = two();
  const Joined before = reports.join();
  std::vector<Placement> placements = reports.placements;
  placements[0].offset = 7;
  placements[1].offset = 100;
  const Joined after = placed(before, placements);
  expectSame(after, reports.traces);
  EXPECT_EQ(after.trace->names, before.trace->names);
  EXPECT_EQ(after.parts[1].trace, before.parts[1].trace) << "its own trace stays the same";
  for (LaneId lane = 0; lane < before.trace->lanes.size(); ++lane)
    EXPECT_EQ(after.trace->laneInfo[lane].firstEvent, before.trace->laneInfo[lane].firstEvent);
  for (std::uint32_t row = 0; row < before.trace->rows.size(); ++row)
    EXPECT_EQ(after.trace->rows[row].key, before.trace->rows[row].key);
}

TEST_F(JoinedReports, EventsOfSeveralCanBeTied) {
  const Joined joined = two().join();
  const auto hits = analysis::find(*joined.trace, *analysis::Query::parse("shared", false));
  ASSERT_EQ(hits.lanes.size(), 2U);
  const EventRef a{hits.lanes[0].lane, hits.lanes[0].events[0]}, b{hits.lanes[1].lane, hits.lanes[1].events[0]};
  const std::pair<trace::EventId, trace::EventId> pair{joined.trace->id(a), joined.trace->id(b)};
  const auto tied = trace::withLinks(joined.trace, std::array{pair, pair});
  EXPECT_THAT(tied->links(a), ElementsAre(pair.second));
  EXPECT_THAT(tied->links(b), ElementsAre(pair.first));
  EXPECT_TRUE(tied->leads(a, b));
  EXPECT_FALSE(tied->leads(b, a));
  EXPECT_EQ(tied->partners(a).size(), 1U);
  EXPECT_TRUE(joined.trace->links(a).empty());
  const auto range = analysis::find(*tied, *analysis::Query::parse("step", false)).lanes.front();
  EXPECT_EQ(tied->links({range.lane, range.events[0]}).size(), 1U) << "its projection, as before";
}

TEST_F(JoinedReports, AnOffsetBeyondAllTimesIsCut) {
  Reports reports = two();
  reports.placements[1].offset = std::numeric_limits<Ns>::max();
  const Joined joined = reports.join();
  EXPECT_EQ(joined.trace->range.end, trace::kMaxTime);
  expectSame(joined, reports.traces);
}

TEST_F(JoinedReports, NamesThatBothHaveAreOneName) {
  const Joined joined = two().join();
  const auto hits = analysis::find(*joined.trace, *analysis::Query::parse("shared", false));
  EXPECT_EQ(hits.count, 2U);
  std::set<trace::NameId> ids;
  for (const auto& lane : hits.lanes)
    for (const std::uint32_t i : lane.events) ids.insert(joined.trace->name({lane.lane, i}));
  EXPECT_EQ(ids.size(), 1U);
  EXPECT_EQ(analysis::find(*joined.trace, *analysis::Query::parse("first", false)).count, 1U);
  EXPECT_EQ(analysis::find(*joined.trace, *analysis::Query::parse("second", false)).count, 1U);
}

TEST_F(JoinedReports, TheSameFileTwiceIsTwoReports) {
  Reports reports;
  const auto file = write("run.sqlite", 1000, "first");
  reports.add(file, 0);
  reports.add(file, 500);
  const Joined joined = reports.join();
  expectSame(joined, reports.traces);
  EXPECT_NE(joined.trace->rows[joined.trace->rootRows[0]].key, joined.trace->rows[joined.trace->rootRows[1]].key);
}

TEST_F(JoinedReports, CountersAndIssuesOfAllAreThere) {
  Reports reports;
  for (const Ns at : {1000, 2000}) {
    const std::string name = "rank" + std::to_string(at / 1000) + ".sqlite";
    test::ReportBuilder builder(folder / name);
    for (const Ns step : {0, 10})
      builder.insert("CUDA_GPU_MEMORY_USAGE_EVENTS", {{"start", at + step},
                                                      {"globalPid", test::gpid(1)},
                                                      {"deviceId", std::int64_t{0}},
                                                      {"contextId", std::int64_t{1}},
                                                      {"bytes", std::int64_t{64}},
                                                      {"address", at},
                                                      {"memKind", std::int64_t{2}},
                                                      {"memoryOperationType", std::int64_t{step == 0 ? 0 : 1}}});
    builder.add(K{.start = at + 5, .end = at + 1});
    reports.add(addStep(builder, at, "kernel").write(), at == 1000 ? 0 : -500);
  }
  const Joined joined = reports.join();
  const std::size_t own = reports.traces[1]->counters.size();
  ASSERT_GT(own, 0U);
  ASSERT_EQ(joined.trace->counters.size(), 2 * own);
  const trace::Counter& counter = *joined.trace->counters[own];
  const trace::Counter& before = *reports.traces[1]->counters[0];
  EXPECT_EQ(counter.span().begin, before.span().begin - 500);
  EXPECT_EQ(counter.over({1500, 1505}).max, before.over({2000, 2005}).max);
  EXPECT_EQ(counter.mean({1500, 1520}), before.mean({2000, 2020}));
  std::vector<std::string> issues;
  for (const trace::Issue& issue : joined.trace->issues) issues.push_back(issue.text.substr(0, 7));
  EXPECT_THAT(issues, ElementsAre("rank 1:", "rank 2:"));
}

TEST(JoinedGolden, FiguresOfBothRanksAreThoseOfEach) {
  LANESCOPE_NEEDS_SHARED();
  Reports reports;
  reports.add(test::sharedFolder() / "golden/ddp_rank0/nsys.sqlite", 0);
  reports.add(test::sharedFolder() / "golden/ddp_rank1/nsys.sqlite", 123'456);
  const Joined joined = reports.join();
  expectSame(joined, reports.traces);

  using Figures = std::map<std::string, std::pair<std::uint64_t, Ns>>;  // by name: count and total
  const auto addFigures = [](Figures& sum, const trace::Trace& trace, trace::TimeRange range) {
    for (const analysis::NameFigures& each : analysis::nameFigures(trace, {.range = range}).names) {
      auto& [count, total] = sum[std::string((*trace.names)[each.name].text)];
      count += each.time.count, total += each.time.total;
    }
  };
  const trace::TimeRange whole = joined.trace->range;
  const Ns third = whole.length() / 3;
  for (const trace::TimeRange range : {whole, trace::TimeRange{whole.begin + third, whole.end - third}}) {
    Figures ofAll, sum;
    addFigures(ofAll, *joined.trace, range);
    for (const Joined::Part& part : joined.parts)
      addFigures(sum, *part.trace, {range.begin - part.placement.offset, range.end - part.placement.offset});
    EXPECT_FALSE(sum.empty());
    EXPECT_EQ(ofAll, sum);
  }
  EXPECT_EQ(analysis::gpuDevices(*joined.trace).size(), 2U) << "a GPU each";
}

}  // namespace
}  // namespace lanescope::together
