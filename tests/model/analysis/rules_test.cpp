// SPDX-License-Identifier: Apache-2.0
// Every rule of every recording, cell by cell against what Nsight Systems printed; then options, filters and caveats.
#include "model/analysis/rules.h"

#include <gmock/gmock.h>

#include <limits>

#include "model/analysis/table_text.h"
#include "tests/support/csv.h"
#include "tests/support/loaded_report.h"

namespace lanescope::analysis {
namespace {

using namespace lanescope::test;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000;

struct Loaded {
  explicit Loaded(const std::filesystem::path& file, std::vector<trace::EventKind> only = {})
      : trace(report::load(file, {.only = std::move(only)}, {}, Job{}).value()),
        values(report::RowValues::open(file).value()) {}

  std::optional<RuleResult> apply(const std::string& asked, const Scope& scope = {}) {
    return analysis::apply(findRules(asked).value().at(0), *trace, values, scope, "report").value();
  }
  Cells cells(const std::string& asked, const Scope& scope = {}) {
    const auto result = apply(asked, scope);
    return result ? parseCsv(toText(result->table, TableFormat::kCsv)) : Cells{};
  }

  trace::TracePtr trace;
  report::RowValues values;
};

class GoldenRules : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(GoldenRules, EqualThoseOfNsightSystemsCellByCell) {
  Loaded loaded(GetParam());
  std::size_t compared = 0;
  for (const Rule& rule : rules()) {
    if (rule.kinds.empty()) continue;  // ours
    SCOPED_TRACE(rule.name);
    const std::string name(rule.name);
    const Cells ours = loaded.cells(name);
    EXPECT_EQ(Loaded(GetParam(), rule.kinds).cells(name), ours) << "when only its own kinds are read";
    const auto golden = GetParam().parent_path() / ("rule_" + name + ".csv");
    if (std::filesystem::exists(golden)) {
      EXPECT_EQ(difference(ours, parseCsv(readFile(golden))), "");
      ++compared;
    } else if (!GetParam().string().ends_with("graphs_graph/nsys.sqlite")) {  // whole graphs are work to us
      EXPECT_LE(ours.size(), 1u) << "Nsight Systems found nothing";
    }
  }
  EXPECT_GE(compared, 1u);
}

INSTANTIATE_TEST_SUITE_P(Recordings, GoldenRules, testing::ValuesIn(goldenExports()),
                         [](const auto& each) { return testName(each.param.parent_path().filename().string()); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenRules);

class Rules : public LoadedReport {
 protected:
  Loaded loaded(ReportBuilder& builder) { return Loaded(builder.write()); }
  Loaded loaded(ReportBuilder&& builder) { return loaded(builder); }
  static std::vector<std::string> column(const Cells& cells, std::size_t index) {
    std::vector<std::string> found;
    for (std::size_t row = 1; row < cells.size(); ++row) found.push_back(cells[row][index]);
    return found;
  }
};

TEST_F(Rules, AWindowInWhichNothingRanIsOneGap) {
  auto builder = report();
  builder.add(K{.start = 1 * kMs, .end = 2 * kMs}).add(K{.start = 3000 * kMs, .end = 3001 * kMs});
  Loaded file = loaded(builder);
  EXPECT_THAT(column(file.cells("gpu_gaps"), 1), ElementsAre("2998000000"));
  const Scope inside{{1000 * kMs, 1600 * kMs}, {}};
  const Cells gap = file.cells("gpu_gaps", inside);
  EXPECT_THAT(column(gap, 1), ElementsAre("600000000")) << "clipped to the filter";
  EXPECT_THAT(column(gap, 2), ElementsAre("1000000000"));
  EXPECT_EQ(file.cells("gpu_gaps:start=1s:end=1.6s"), gap);
  EXPECT_THAT(column(file.cells("gpu_time_util", inside), 1), ElementsAre("0.0"));
  EXPECT_THAT(column(file.cells("gpu_gaps", {{0, 1 * kMs}, {}}), 1), ElementsAre()) << "nothing was recorded before";
}

TEST_F(Rules, GapsAreLongerThanTheLimit) {
  auto builder = report();
  builder.add(K{.start = 1 * kMs, .end = 2 * kMs})
      .add(K{.start = 12 * kMs, .end = 13 * kMs})
      .add(K{.start = 24 * kMs, .end = 25 * kMs});
  Loaded file = loaded(builder);
  EXPECT_THAT(column(file.cells("gpu_gaps"), 1), ElementsAre());
  EXPECT_THAT(column(file.cells("gpu_gaps:gap=10"), 1), ElementsAre("11000000")) << "milliseconds, and no more than 10";
  EXPECT_THAT(column(file.cells("gpu_gaps:gap=9999us"), 1), ElementsAre("11000000", "10000000"));
  EXPECT_THAT(column(file.cells("gpu_gaps:gap=1:rows=1"), 1), ElementsAre("11000000"));
  EXPECT_EQ(file.apply("gpu_gaps:gap=1:rows=1")->found, 2u) << "what is not shown is counted";
}

TEST_F(Rules, AGapThatTheProfilerFilledIsNoneOfTheProgram) {
  auto builder = report();
  builder.add(K{.start = 1 * kMs, .end = 2 * kMs}).add(K{.start = 12 * kMs, .end = 13 * kMs});
  builder.insert(
      "PROFILER_OVERHEAD",
      {{"start", 2 * kMs}, {"end", 12 * kMs}, {"globalTid", gtid(1, 1)}, {"nameId", builder.id("CUPTI Buffer flush")}});
  EXPECT_THAT(column(loaded(builder).cells("gpu_gaps:gap=1"), 1), ElementsAre());
}

TEST_F(Rules, UtilizationIsOfEqualPartsOfWhichNeighboursAreOne) {
  auto builder = report();  // 10 parts of 10: full, full, 40 %, 20 %, full, …
  builder.add(K{.start = 100, .end = 120}).add(K{.start = 120, .end = 124}).add(K{.start = 130, .end = 132});
  builder.add(K{.start = 140, .end = 200});
  Loaded file = loaded(builder);
  const Cells cells = file.cells("gpu_time_util:chunks=10");
  EXPECT_THAT(cells.at(0),
              ElementsAre("Row#", "In-Use (%)", "Duration (ns)", "Start (ns)", "PID", "Device ID", "Context ID"));
  EXPECT_THAT(cells.at(1), ElementsAre("1", "30.0", "20", "120", "1", "0", "1"));
  EXPECT_EQ(cells.size(), 2u);
  EXPECT_THAT(column(file.cells("gpu_time_util:chunks=10:threshold=30"), 1), ElementsAre("20.0"));
}

TEST_F(Rules, WorkAtOnceAddsUpAndMayHideWhatIsIdle) {
  auto builder = report();
  for (const int stream : {7, 8, 9}) builder.add(K{.start = 100, .end = 120, .stream = stream});
  builder.add(K{.start = 199, .end = 200});
  EXPECT_THAT(column(loaded(builder).cells("gpu_time_util:chunks=2"), 1), ElementsAre("2.0"));
}

TEST_F(Rules, IdleTimeSaysInWhichCodeOfTheHostItWas) {
  auto builder = report();
  builder.add(R{.start = 1 * kMs, .end = 1 * kMs + 10, .correlation = 1});
  builder.add(K{.start = 1 * kMs + 20, .end = 2 * kMs, .correlation = 1});
  builder.add(O{.start = 2 * kMs, .end = 8 * kMs, .name = "pthread_mutex_lock"});
  builder.insert("LANESCOPE_OSRT_OBJECTS",
                 {{"osrtRow", 1}, {"object", std::int64_t{16}}, {"nameId", builder.id("gate")}});
  builder.add(R{.start = 9 * kMs, .end = 9 * kMs + 10, .correlation = 2});
  builder.add(K{.start = 9 * kMs + 20, .end = 10 * kMs, .correlation = 2});
  Loaded all = loaded(builder);
  const Cells gaps = all.cells("idle_gaps"), causes = all.cells("idle");
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0].back(), "Host code");
  EXPECT_EQ(gaps[1].back(), "pthread_mutex_lock of lock gate");
  ASSERT_EQ(causes.size(), 3u);
  EXPECT_EQ(causes[2].back(),
            "move this work off the launching thread, or launch further ahead; mostly in pthread_mutex_lock of lock "
            "gate");
}

TEST_F(Rules, CopiesToTheDeviceOfUpTo64KilobytesDoNotBlock) {
  auto builder = report();
  const auto copy = [&](std::int64_t id, std::int64_t kind, std::int64_t bytes, const char* call) {
    builder.add(R{.start = 1000 * id, .end = 1000 * id + 10, .correlation = id, .name = call});
    builder.add(M{.start = 1000 * id + 5,
                  .end = 1000 * id + 5 + id,
                  .correlation = id,
                  .kind = kind,
                  .bytes = bytes,
                  .source = 0,
                  .destination = 2});
  };
  copy(1, 1, 65536, "cudaMemcpy_v3020");
  copy(2, 1, 65537, "cudaMemcpy_v3020");
  copy(3, 2, 4, "cudaMemcpy_v3020");
  copy(4, 1, 65537, "cudaMemcpyAsync_v3020");
  copy(5, 2, 4, "cuMemcpyDtoH_v2");
  copy(6, 1, 1 << 20, "cudaGraphLaunch_v10000");
  Loaded file = loaded(builder);
  EXPECT_THAT(column(file.cells("cuda_memcpy_sync"), 0), ElementsAre("5", "3", "2"));
  EXPECT_THAT(column(file.cells("cuda_memcpy_async"), 10), ElementsAre("cudaMemcpyAsync_v3020"));
}

TEST_F(Rules, SynchronousMemsetsOfTheDevicesOwnMemoryAreLeftOut) {
  auto builder = report();
  for (std::int64_t kind = 0; kind < 5; ++kind) {
    const std::int64_t start = 1000 * (kind + 1);
    builder.add(R{.start = start, .end = start + 10, .correlation = kind + 1, .name = "cudaMemset_v3020"});
    builder.insert("CUPTI_ACTIVITY_KIND_MEMSET", {{"start", start + 5},
                                                  {"end", start + 9 - kind},
                                                  {"deviceId", std::int64_t{0}},
                                                  {"contextId", std::int64_t{1}},
                                                  {"streamId", std::int64_t{7}},
                                                  {"correlationId", kind + 1},
                                                  {"globalPid", gpid(1)},
                                                  {"bytes", std::int64_t{2'000'000}},
                                                  {"memKind", kind}});
  }
  EXPECT_THAT(loaded(builder).cells("cuda_memset_sync:rows=1"),
              ElementsAre(ElementsAre("Duration (ns)", "Start (ns)", "Memory Kind", "Bytes (MB)", "PID", "Device ID",
                                      "Context ID", "Green Context ID", "Stream ID", "API Name"),
                          ElementsAre("4", "1005", "Pageable", "2.000", "1", "0", "1", "", "7", "cudaMemset_v3020")));
}

TEST_F(Rules, EventSynchronizationIsNoneOfTheSynchronizationCalls) {
  Loaded file = loaded(report()
                           .add(R{.start = 1, .end = 100, .name = "cudaEventSynchronize_v3020"})
                           .add(R{.start = 200, .end = 210, .name = "cuCtxSynchronize"})
                           .add(R{.start = 300, .end = 330, .name = "cudaStreamSynchronize_v3020"}));
  EXPECT_THAT(column(file.cells("cuda_api_sync"), 4), ElementsAre("cudaStreamSynchronize_v3020", "cuCtxSynchronize"));
  EXPECT_EQ(file.apply("cuda_api_sync")->evidence.at(0).time, (trace::TimeRange{300, 330}));
}

TEST_F(Rules, AnNvtxRangeNarrowsARuleToItsTimeAndProcess) {
  auto builder = report();
  builder.add(N{.start = 100, .end = 200, .text = "a:b"});
  builder.add(R{.start = 110, .end = 120, .name = "cudaDeviceSynchronize"});
  builder.add(R{.start = 110, .end = 121, .thread = gtid(2, 2), .name = "cudaDeviceSynchronize"});
  builder.add(R{.start = 300, .end = 322, .name = "cudaDeviceSynchronize"});
  Loaded file = loaded(builder);
  EXPECT_THAT(column(file.cells("cuda_api_sync:nvtx=a:b:rows=9"), 0), ElementsAre("10"));
  EXPECT_THAT(column(file.cells("cuda_api_sync:start=250:end=400"), 0), ElementsAre("22"));
  const auto none = apply(findRules("cuda_api_sync:nvtx=c").value().at(0), *file.trace, file.values, {}, "r.sqlite");
  ASSERT_FALSE(none);
  EXPECT_THAT(sentence(none.error()), HasSubstr("r.sqlite"));
}

TEST_F(Rules, ARowSaysWhyItsFigureIsNotWhole) {
  auto builder = report();
  builder.add(R{.start = 1, .end = 10, .name = "cudaDeviceSynchronize"}).add(R{.start = 30, .end = 20});
  builder.add(K{.start = 1, .end = 10});
  Loaded file = loaded(builder);
  const Cells cells = file.cells("cuda_api_sync");
  EXPECT_EQ(cells.at(0).back(), "Caveat");
  EXPECT_THAT(cells.at(1).back(), HasSubstr("1 CUDA API event that ends before it starts"));
  EXPECT_NE(file.cells("gpu_time_util").at(0).back(), "Caveat") << "which is of kernels only";
  for (const char* format : {"csv", "json", "tsv", "column", "table", "htable"}) {
    const auto table = file.apply("cuda_api_sync")->table;
    EXPECT_THAT(toText(table, findTableStyle(format).value()), HasSubstr("ends before it starts")) << format;
  }
}

TEST_F(Rules, GraphsRecordedAsAWholeAreBusyAndSayWhatIsMissing) {
  Loaded file = loaded(report().add(G{.start = 1000, .end = 2'001'000}));
  EXPECT_THAT(column(file.cells("gpu_time_util"), 1), ElementsAre());
  const auto checks = file.apply("checklist")->checks;
  EXPECT_EQ(checks.at(0).figure, 100.0);
  EXPECT_THAT(checks.at(0).caveat, HasSubstr("recorded as a whole"));
}

TEST(RuleNames, WhereARuleFindsNothingItSaysHowLongItLookedFor) {
  const auto said = [](std::string_view asked) { return cleanText(findRules(asked)->front()); };
  EXPECT_EQ(said("gpu_gaps"), "No GPU was without work for more than 500 ms.");
  EXPECT_EQ(said("gpu_gaps:gap=1.5s"), "No GPU was without work for more than 1.50 s.");
  EXPECT_EQ(said("gpu_time_util"), "No part of the time was used less than 50 %.");
  for (const Rule& rule : rules()) EXPECT_EQ(said(rule.name).find('{'), std::string::npos) << rule.name;
}

TEST(RuleNames, TakeOptionsTheyHaveAndSayWhatIsWrong) {
  for (const char* good : {"all", "checklist", "gpu_gaps:gap=1.5s", "gpu_gaps:rows=3:gap=1", "idle:min=0",
                           "gpu_time_util:chunks=10:threshold=12.5", "cuda_api_sync:nvtx=x@y", "idle_gaps:end=5ms"})
    EXPECT_TRUE(findRules(good)) << good << ": " << findRules(good).error();
  EXPECT_EQ(findRules("all")->size(), rules().size());
  EXPECT_EQ(rules().front().name, "checklist");
  for (const char* bad :
       {"", "gpu", "gpu_gaps:", "gpu_gaps:gap", "gpu_gaps:gap=", "gpu_gaps:gap=x", "gpu_gaps:gap=-1",
        "gpu_gaps:chunks=3", "gpu_time_util:chunks=0", "gpu_time_util:chunks=100001", "cuda_api_sync:rows=-1",
        "cuda_api_sync:rows=1x", "cuda_api_sync:start=x", "checklist:rows=5", "cuda_api_sync:nvtx=", "all:rows=3"}) {
    const auto refused = findRules(bad);
    ASSERT_FALSE(refused) << bad;
    EXPECT_FALSE(refused.error().empty()) << bad;
    EXPECT_EQ(refused.error().find('\n'), std::string::npos) << bad;
  }
}

TEST(StrangersRules, HaveARowOfCellsForEachFindingShown) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& path : filesIn(sharedFolder() / "traces/nsys", ".sqlite")) {
    Loaded loaded(path);
    for (const Rule& rule : rules()) {
      SCOPED_TRACE(path.filename().string() + ", " + std::string(rule.name));
      const auto result = loaded.apply(std::string(rule.name));
      if (!result) continue;
      EXPECT_EQ(result->evidence.size(), result->table.rows.size());
      EXPECT_GE(result->found, result->table.rows.size());
      for (const auto& row : result->table.rows) EXPECT_EQ(row.size(), result->table.columns.size());
    }
  }
}

TEST_F(Rules, HostileReportsEndInATable) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max(),
                         kLeast = std::numeric_limits<std::int64_t>::min();
  auto builder = report();
  builder.add(K{.start = 1, .end = trace::kMaxTime}).add(K{.start = trace::kMinTime, .end = 1, .stream = 8});
  builder.add(K{.start = 5, .end = 5, .device = kMost, .context = kLeast, .stream = kLeast, .correlation = kLeast});
  builder.add(
      R{.start = trace::kMinTime, .end = trace::kMaxTime, .correlation = 3, .name = "cudaMemcpyAsyncSynchronize"});
  builder.add(
      M{.start = 7, .end = 9, .correlation = 3, .kind = kMost, .bytes = kMost, .source = kMost, .destination = kLeast});
  builder.add(N{.start = 1, .text = "open"}).add(N{.start = 1, .end = 2, .text = "step 1"});
  builder.add(N{.start = 3, .end = 4, .text = "step 2"});
  builder.add(Sync{.start = 1, .end = 2, .stream = kLeast, .correlation = 3});
  Loaded file = loaded(builder);
  for (const Rule& rule : rules())
    for (const char* options : {"", ":start=0", ":end=0", ":start=-1h:end=1h"}) {
      const std::string asked = std::string(rule.name) + options;
      const auto calls = findRules(asked);
      ASSERT_TRUE(calls) << asked;
      const auto result = apply(calls->at(0), *file.trace, file.values, {}, "x");
      if (!result || !*result) continue;
      EXPECT_EQ((*result)->evidence.size(), (*result)->table.rows.size()) << asked;
      for (const auto& row : (*result)->table.rows) EXPECT_EQ(row.size(), (*result)->table.columns.size()) << asked;
    }
}

}  // namespace
}  // namespace lanescope::analysis
