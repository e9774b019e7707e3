// SPDX-License-Identifier: Apache-2.0
#include "model/together/collectives_across.h"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <random>

#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::together {
namespace {

using analysis::Cell;
using analysis::Table;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using trace::Ns;

constexpr Ns kUs = 1000, kMs = 1'000'000;

RankCall call(Ns begin, Ns end, std::string operation = "AllReduce", std::optional<std::uint64_t> bytes = {},
              std::uint64_t communicator = 0) {
  return {.operation = std::move(operation), .bytes = bytes, .communicator = communicator, .time = {begin, end}};
}

ReportCalls reportOf(std::vector<RankCall> calls) {
  for (std::uint32_t i = 0; i < calls.size(); ++i) calls[i].kernel = i;
  ReportCalls report;
  report.ranks.push_back({.gpu = 0, .label = {}, .calls = std::move(calls), .compute = {}});
  report.ranks[0].compute.finish();
  return report;
}

/// Ranks of one machine with one clock.
std::vector<Identity> ranks(int count) {
  std::vector<Identity> all;
  for (int i = 0; i < count; ++i)
    all.push_back({.path = "r" + std::to_string(i), .host = "n", .rank = i, .bootId = "b", .bootClock = 0});
  return all;
}

Across acrossOf(const std::vector<Identity>& identities, const std::vector<ReportCalls>& reports) {
  return across(identities, place(identities, reports), reports);
}

std::vector<Cell> rowOf(const Table& table, const std::string& rank, const std::string& operation = "") {
  for (const auto& row : table.rows)
    if (row[operation.empty() ? 0 : 1] == Cell(rank) && (operation.empty() || row[0] == Cell(operation))) return row;
  ADD_FAILURE() << "no row of " << rank << " " << operation;
  return std::vector<Cell>(20);
}

Cell cellOf(const Table& table, const std::string& column, const std::string& rank, const std::string& operation = "") {
  const auto at = std::ranges::find(table.columns, column, &analysis::Column::title);
  EXPECT_NE(at, table.columns.end()) << column;
  return rowOf(table, rank, operation)[static_cast<std::size_t>(at - table.columns.begin())];
}

/// Steps of uneven length in which rank `slow` comes last; of so many ranks, on the true axis.
std::vector<std::vector<RankCall>> steps(std::size_t count, std::size_t ranks, std::size_t slow) {
  std::mt19937 random(7);
  std::vector<std::vector<RankCall>> all(ranks);
  Ns now = 100 * kMs;
  for (std::size_t step = 0; step < count; ++step) {
    now += 5 * kMs + static_cast<Ns>(random() % 3'000'000);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const Ns early = rank == slow ? 0 : kMs + static_cast<Ns>(random() % 100'000);
      all[rank].push_back(call(now - early, now + 500 * kUs + static_cast<Ns>(random() % 5000)));
    }
  }
  return all;
}

std::vector<RankCall> moved(std::vector<RankCall> calls, Ns by) {
  for (RankCall& each : calls) each.time = {each.time.begin + by, each.time.end + by};
  return calls;
}

class GoldenRanks : public testing::Test {
 protected:
  void load() {
    for (const char* name : {"ddp_rank0", "ddp_rank1"}) {
      files.push_back(test::sharedFolder() / "golden" / name / "nsys.sqlite");
      identities.push_back(identify(files.back()).value());
      traces.push_back(report::load(files.back(), {}, {}, Job{}).value());
      reports.push_back(callsOf(*traces.back(), files.back(), Job{}));
    }
  }

  /// Waits and transfers of both ranks by SQL alone: the n-th NCCL kernel is the n-th on either rank, clocks by UTC.
  std::vector<std::int64_t> bySql(const std::string& operation) const {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, nullptr), SQLITE_OK);
    std::string attach;
    for (std::size_t i = 0; i < files.size(); ++i)
      attach += "ATTACH 'file:" + files[i].string() + "?immutable=1' AS r" + std::to_string(i) + ";";
    EXPECT_EQ(sqlite3_exec(database, attach.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    const auto callsOf = [](const std::string& rank) {
      return "SELECT row_number() OVER (ORDER BY start) n, value name, start + utcEpochNs s, end + utcEpochNs e FROM " +
             rank + ".CUPTI_ACTIVITY_KIND_KERNEL JOIN " + rank + ".StringIds ON id = shortName, " + rank +
             ".TARGET_INFO_SESSION_START_TIME WHERE value LIKE 'nccl%'";
    };
    const std::string sql =
        "WITH a AS (" + callsOf("r0") + "), b AS (" + callsOf("r1") +
        "), c AS (SELECT a.s s0, a.e e0, b.s s1, b.e e1, max(a.s, b.s) l FROM a JOIN b USING (n, name) WHERE name LIKE "
        "'%" +
        operation +
        "%') SELECT count(*), sum(min(l, e0) - s0), sum(min(l, e1) - s1), sum(max(e0 - l, 0)), "
        "sum(max(e1 - l, 0)), sum(s1 - s0 > 67676), sum(s0 - s1 > 67676) FROM c";
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
    std::vector<std::int64_t> values;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) values.push_back(sqlite3_column_int64(statement, i));
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return values;
  }

  std::vector<std::filesystem::path> files;
  std::vector<Identity> identities;
  std::vector<trace::TracePtr> traces;
  std::vector<ReportCalls> reports;
};

TEST_F(GoldenRanks, AreOnOneClockWhoseErrorIsTold) {
  LANESCOPE_NEEDS_SHARED();
  load();
  EXPECT_EQ(identities[0].rank, 0);
  EXPECT_EQ(identities[1].rank, 1);
  const std::vector<Placement> placed = place(identities, traces, Job{});
  EXPECT_EQ(placed[1].offset, -17'116'548) << "the difference of utcEpochNs";
  EXPECT_EQ(placed[1].method, ClockMethod::kSameClock);
  EXPECT_EQ(placed[1].error, 67'676);
  EXPECT_FALSE(placed[1].contradicted);
  EXPECT_EQ(placed[1].sentence,
            "same machine, by session start in UTC, ± 68 µs: 102 common collectives end within 18 µs of it");
}

TEST_F(GoldenRanks, AreWhatNcclWasToldWhereNamesDoNotTell) {
  LANESCOPE_NEEDS_SHARED();
  const test::TemporaryFolder folder;
  for (const int rank : {0, 1}) {
    const auto from = test::sharedFolder() / "golden" / ("ddp_rank" + std::to_string(rank)) / "nsys.sqlite";
    const auto to = folder / ("file" + std::to_string(7 - rank) + ".sqlite");
    std::filesystem::copy_file(from, to);
    EXPECT_EQ(identify(to).value().rank, rank);
  }
}

TEST_F(GoldenRanks, WaitAndTransferAreThoseOfPlainSql) {
  LANESCOPE_NEEDS_SHARED();
  load();
  const Across all = acrossOf(identities, reports);
  const Table table = acrossTable(all);
  for (const char* operation : {"AllReduce", "AllGather", "Broadcast"}) {
    const std::vector<std::int64_t> sql = bySql(operation);
    for (const int rank : {0, 1}) {
      const std::string name = "rank " + std::to_string(rank);
      EXPECT_EQ(cellOf(table, "Instances", name, operation), Cell(sql[0])) << operation;
      EXPECT_EQ(cellOf(table, "Wait Time", name, operation), Cell(sql[1 + rank])) << operation;
      EXPECT_EQ(cellOf(table, "Transfer Time", name, operation), Cell(sql[3 + rank])) << operation;
      EXPECT_EQ(cellOf(table, "Came Last", name, operation), Cell(sql[rank == 1 ? 5 : 6])) << operation;
    }
  }
}

TEST_F(GoldenRanks, NameTheStraggler) {
  LANESCOPE_NEEDS_SHARED();
  load();
  const Table table = stragglerTable(acrossOf(identities, reports));
  ASSERT_EQ(table.rows.size(), 2u);
  const std::vector<std::int64_t> sql = bySql("");
  EXPECT_EQ(table.rows[0][0], Cell("rank 1"));
  EXPECT_EQ(cellOf(table, "Came Last", "rank 1"), Cell(sql[5]));
  EXPECT_EQ(cellOf(table, "Wait Caused", "rank 1"), Cell(sql[1]));
  EXPECT_EQ(cellOf(table, "Wait Time", "rank 1"), Cell(sql[2]));
  EXPECT_EQ(cellOf(table, "Clock Error", "rank 1"), Cell(std::int64_t{67'676}));
  EXPECT_GT(std::get<std::int64_t>(cellOf(table, "Compute Before", "rank 1")),
            std::get<std::int64_t>(cellOf(table, "Compute Before", "rank 0")) * 3 / 2);
}

TEST_F(GoldenRanks, AreTheSameWhateverOneClockSays) {
  LANESCOPE_NEEDS_SHARED();
  load();
  const auto cells = [&] { return acrossTable(acrossOf(identities, reports)).rows; };
  const auto before = cells();
  constexpr Ns kBy = 3'600'000'000'123;
  for (RankCall& each : reports[1].ranks[0].calls) each.time = {each.time.begin + kBy, each.time.end + kBy};
  *identities[1].utcStart -= kBy;
  EXPECT_EQ(cells(), before);
}

TEST_F(GoldenRanks, WithoutAClockAreAlignedByTheEndsOfTheirCollectives) {
  LANESCOPE_NEEDS_SHARED();
  load();
  for (Identity& each : identities) each.utcStart.reset();
  const std::vector<Placement> placed = place(identities, reports);
  EXPECT_EQ(placed[1].method, ClockMethod::kCollectives);
  EXPECT_EQ(placed[1].sentence, "by the ends of 102 common collectives, ± 50 µs");
  EXPECT_LT(std::abs(placed[1].offset + 17'116'548), 20 * kUs);
  EXPECT_EQ(stragglerTable(across(identities, placed, reports)).rows[0][0], Cell("rank 1"));
}

TEST_F(GoldenRanks, AClockThatCollectivesContradictIsTold) {
  LANESCOPE_NEEDS_SHARED();
  load();
  *identities[1].utcStart += 30 * kMs;
  const Placement placed = place(identities, reports)[1];
  EXPECT_TRUE(placed.contradicted);
  EXPECT_THAT(placed.sentence, HasSubstr("by the ends of 102 common collectives it is 30 ms earlier"));
  EXPECT_EQ(placed.method, ClockMethod::kCollectives) << "nothing but trust spoke for the clock";
  EXPECT_LT(placed.error, kMs);
  EXPECT_LT(std::abs(placed.offset + 17'116'548), 20 * kUs);
}

TEST_F(GoldenRanks, WhoCameLastIsNeverCertainByAClockThatIsContradicted) {
  LANESCOPE_NEEDS_SHARED();
  load();
  for (Identity& each : identities) each.bootId = "b", each.bootClock = 0, each.clockError = 100;
  identities[1].bootClock = 3'500 * kMs;
  const std::vector<Placement> placed = place(identities, reports);
  ASSERT_TRUE(placed[1].contradicted);
  const Across all = across(identities, placed, reports);
  ASSERT_FALSE(all.calls.empty());
  for (const AcrossCall& call : all.calls) EXPECT_FALSE(call.isCertain);
}

TEST(CollectivesAcross, WaitingForALateRankIsNoTransfer) {  // MOD-19
  const Across all = acrossOf(ranks(2), {reportOf({call(0, 100)}), reportOf({call(80, 100)})});
  ASSERT_EQ(all.calls.size(), 1u);
  const auto parts = all.partsOf(all.calls[0]);
  EXPECT_EQ(parts[0].wait, 80);
  EXPECT_EQ(parts[0].transfer, 20);
  EXPECT_EQ(parts[1].wait, 0);
  EXPECT_EQ(parts[1].transfer, 20);
  EXPECT_EQ(all.calls[0].last, 1u);
  EXPECT_TRUE(all.calls[0].isCertain);
}

TEST(CollectivesAcross, AWaitShorterThanTheErrorOfTheClocksIsNotCertain) {
  std::vector<Identity> two = ranks(2);
  two[1].clockError = 200;
  const Across all =
      acrossOf(two, {reportOf({call(0, 1000), call(2000, 3000)}), reportOf({call(100, 1000), call(2500, 3000)})});
  ASSERT_EQ(all.calls.size(), 2u);
  EXPECT_FALSE(all.calls[0].isCertain);
  EXPECT_TRUE(all.calls[1].isCertain);
  const Table table = stragglerTable(all);
  EXPECT_EQ(cellOf(table, "Came Last", "rank 1"), Cell(std::int64_t{1}));
  EXPECT_EQ(cellOf(table, "Last Not Certain", "rank 1"), Cell(std::int64_t{1}));
  EXPECT_EQ(cellOf(table, "Within Error", "rank 0"), Cell(std::int64_t{100}));
}

TEST(CollectivesAcross, OfAReportPlacedByHandNothingIsCertain) {
  const std::vector<Identity> three = ranks(3);
  const std::vector<ReportCalls> reports{reportOf({call(0, 5 * kMs)}), reportOf({call(kMs, 5 * kMs)}),
                                         reportOf({call(3 * kMs, 5 * kMs)})};
  std::vector<Placement> placed = place(three, reports);
  ASSERT_TRUE(across(three, placed, reports).calls[0].isCertain);
  placed[1] = {.offset = placed[1].offset, .method = ClockMethod::kByHand, .sentence = "by hand"};
  const Across all = across(three, placed, reports);
  ASSERT_EQ(all.calls.size(), 1u);
  EXPECT_FALSE(all.calls[0].isCertain);
  const auto parts = all.partsOf(all.calls[0]);
  EXPECT_TRUE(parts[0].isCertain()) << "it waited for another that was measured";
  EXPECT_FALSE(parts[1].isCertain());
  const Table table = stragglerTable(all);
  EXPECT_EQ(cellOf(table, "Came Last", "rank 2"), Cell(std::int64_t{0}));
  EXPECT_EQ(cellOf(table, "Within Error", "rank 1"), Cell(std::int64_t{2 * kMs}));
  EXPECT_EQ(cellOf(table, "Clock Error", "rank 1"), Cell());
}

TEST(CollectivesAcross, ARootThatLeavesBeforeTheLastHasComeOnlyWaited) {
  const Across all = acrossOf(ranks(2), {reportOf({call(0, 50, "Broadcast"), call(200, 300)}),
                                         reportOf({call(80, 100, "Broadcast"), call(210, 300)})});
  ASSERT_EQ(all.calls.size(), 2u);
  EXPECT_EQ(all.partsOf(all.calls[0])[0].wait, 50);
  EXPECT_EQ(all.partsOf(all.calls[0])[0].transfer, 0);
}

class OneRankLacks : public testing::TestWithParam<std::size_t> {};

TEST_P(OneRankLacks, ACallAndTheOthersAreStillFound) {
  auto calls = steps(40, 3, 2);
  calls[1].erase(calls[1].begin() + static_cast<std::ptrdiff_t>(GetParam()));
  for (const bool hasClock : {true, false}) {
    std::vector<Identity> three = ranks(3);
    if (!hasClock)
      for (Identity& each : three) each.bootClock.reset();
    const std::vector<ReportCalls> reports = {reportOf(calls[0]), reportOf(moved(calls[1], hasClock ? 0 : -9 * kMs)),
                                              reportOf(moved(calls[2], hasClock ? 0 : 70 * kMs))};
    const Across all = acrossOf(three, reports);
    EXPECT_EQ(all.calls.size(), 39u);
    EXPECT_EQ(all.ranks[0].alone, 1u);
    EXPECT_EQ(all.ranks[1].alone, 0u);
    for (const AcrossCall& each : all.calls) {
      EXPECT_EQ(each.last, 2u);
      EXPECT_EQ(all.partsOf(each)[0].kernel, all.partsOf(each)[2].kernel);
    }
    const Table table = stragglerTable(all);
    EXPECT_EQ(cellOf(table, "Came Last", "rank 2"), Cell(std::int64_t{39}));
    EXPECT_EQ(cellOf(table, "Caveat", "rank 0"), Cell("1 of its collectives was not found on every rank"));
  }
}
INSTANTIATE_TEST_SUITE_P(AtThe, OneRankLacks, testing::Values(0, 1, 20, 38, 39));

TEST(CollectivesAcross, ACaptureThatBeganLateIsMatchedByItsEnd) {
  auto calls = steps(60, 2, 0);
  calls[1].erase(calls[1].begin(), calls[1].begin() + 25);
  std::vector<Identity> two = ranks(2);
  for (Identity& each : two) each.bootClock.reset();
  const Across all = acrossOf(two, {reportOf(calls[0]), reportOf(moved(calls[1], 123 * kMs))});
  EXPECT_EQ(all.calls.size(), 35u);
  EXPECT_EQ(all.ranks[0].alone, 25u);
}

TEST(CollectivesAcross, CommunicatorsAreKeptApart) {
  // Ranks 0 and 1 share communicator 5, ranks 0 and 2 communicator 6; they overlap.
  const std::vector<ReportCalls> reports = {
      reportOf({call(0, 100, "AllReduce", 8, 5), call(10, 300, "AllReduce", 8, 6)}),
      reportOf({call(50, 100, "AllReduce", 8, 5)}), reportOf({call(200, 300, "AllReduce", 8, 6)})};
  const Across all = acrossOf(ranks(3), reports);
  ASSERT_EQ(all.calls.size(), 2u);
  EXPECT_EQ(all.calls[0].last, 1u);
  EXPECT_EQ(all.calls[1].last, 2u);
  EXPECT_EQ(all.partsOf(all.calls[1])[0].wait, 190);
}

TEST(CollectivesAcross, OtherBytesAreAnotherCollective) {
  const Across all =
      acrossOf(ranks(2), {reportOf({call(0, 100, "AllReduce", 8, 5), call(100, 200, "AllReduce", 16, 5)}),
                          reportOf({call(20, 200, "AllReduce", 16, 5)})});
  ASSERT_EQ(all.calls.size(), 1u);
  EXPECT_EQ(all.partsOf(all.calls[0])[0].kernel, 1u);
}

TEST(CollectivesAcross, RanksThatAreNotHereAreTold) {
  std::vector<ReportCalls> reports = {reportOf({call(0, 100)}), reportOf({call(80, 100)})};
  reports[0].worldSize = 8;
  EXPECT_THAT(acrossOf(ranks(2), reports).missing, EndsWith("2 of 8 ranks are here: who is last is said of these"));
}

TEST(CollectivesAcross, WithoutAClockAndWithoutCollectivesInCommonNothingIsSaid) {  // MOD-18
  std::vector<Identity> two = {{.path = "a"}, {.path = "b"}};
  const std::vector<ReportCalls> reports = {reportOf({call(0, 5)}), reportOf({call(1000, 1010, "AllGather")})};
  const std::vector<Placement> placed = place(two, reports);
  EXPECT_EQ(placed[1].method, ClockMethod::kNone);
  EXPECT_EQ(placed[1].sentence, "not aligned: no clock and no collectives in common");
  EXPECT_TRUE(across(two, placed, reports).calls.empty());
  EXPECT_TRUE(stragglerTable(across(two, placed, reports)).rows.empty());
  EXPECT_TRUE(across(two, place(two, std::vector<ReportCalls>(2)), std::vector<ReportCalls>(2)).calls.empty());
}

TEST(CollectivesAcross, OfTheOtherMachineAreKnownToEachOtherAsWellAsTheirOwnClock) {
  std::vector<Identity> four = ranks(4);
  for (int i = 0; i < 4; ++i) {
    four[i].utcStart = 1'000'000'000;
    four[i].bootId = i < 2 ? "b" : "c";
    four[i].bootClock = i < 2 ? 0 : 500 + i;
    four[i].clockError = 100;
  }
  const std::vector<Placement> placed = place(four, {});
  EXPECT_EQ(placed[3].method, ClockMethod::kUtc);
  EXPECT_EQ(placed[3].offset, 1);
  EXPECT_EQ(placed[3].error, 10 * kMs + 200);
  EXPECT_EQ(errorBetween(placed[2], placed[3]), 200);
  EXPECT_EQ(errorBetween(placed[0], placed[1]), 200);
  EXPECT_EQ(errorBetween(placed[1], placed[3]), 10 * kMs + 400);
}

TEST(CollectivesAcross, SeveralRanksOfOneReportNeedNoClock) {
  test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "job.sqlite");
  for (const std::int64_t pid : {11, 12})
    for (const std::int64_t step : {0, 1})
      builder.add(test::K{.start = step * kMs + (pid - 11) * 300 * kUs,
                          .end = step * kMs + 500 * kUs,
                          .process = test::gpid(pid),
                          .name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"});
  const auto file = builder.write();
  const std::vector<Identity> identities = {identify(file).value()};
  const std::vector<ReportCalls> reports = {callsOf(*report::load(file, {}, {}, Job{}).value(), file, Job{})};
  const Table table = stragglerTable(acrossOf(identities, reports));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_THAT(std::get<std::string>(table.rows[0][0]), HasSubstr("[12]"));
  EXPECT_EQ(table.rows[0][5], Cell(600 * kUs));
}

TEST(CollectivesAcross, AHundredThousandOfOneNameAreMatchedInLittleWork) {
  auto calls = steps(100'000, 2, 1);
  calls[1].erase(calls[1].begin() + 70'000);
  calls[1].erase(calls[1].begin(), calls[1].begin() + 39'999);
  std::vector<Identity> two = ranks(2);
  for (Identity& each : two) each.bootClock.reset();
  const Across all = acrossOf(two, {reportOf(std::move(calls[0])), reportOf(moved(std::move(calls[1]), -kMs))});
  EXPECT_EQ(all.calls.size(), 60'000u);
  EXPECT_EQ(all.ranks[1].alone, 0u);
}

TEST(CollectivesAcross, TimesAtTheEndsOfTheAxisDoNotOverflow) {
  std::vector<RankCall> early, late;
  for (int i = 0; i < 5; ++i) {
    early.push_back(call(trace::kMinTime, trace::kMinTime + i));
    late.push_back(call(trace::kMaxTime - 10, trace::kMaxTime - i));
    early.push_back(call(trace::kMaxTime - 10, trace::kMaxTime - i));
  }
  std::vector<Identity> two = ranks(2);
  for (Identity& each : two) each.bootClock.reset(), each.bootId.clear();
  two[0].utcStart = trace::kMaxTime, two[1].utcStart = 1;
  EXPECT_LE(acrossOf(two, {reportOf(early), reportOf(late)}).calls.size(), 10u);
  const std::vector<RankCall> long5(5, call(trace::kMinTime, trace::kMaxTime));
  const Table table = stragglerTable(acrossOf(ranks(2), {reportOf(long5), reportOf(long5)}));
  EXPECT_EQ(cellOf(table, "Transfer Time", "rank 1"), Cell(std::numeric_limits<Ns>::max()));
}

}  // namespace
}  // namespace lanescope::together
