// SPDX-License-Identifier: Apache-2.0
#include "model/together/report_order.h"

#include <gmock/gmock.h>

#include "model/together/clocks.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::together {
namespace {

using test::ReportBuilder;
using testing::ElementsAre;

class Origins : public testing::Test {
 protected:
  using Facts = std::vector<std::pair<std::string, std::string>>;

  Identity identityOf(const std::string& name, const Facts& facts, std::int64_t utc = 0) {
    ReportBuilder builder(folder / name);
    for (const auto& [key, value] : facts) builder.insert("META_DATA_CAPTURE", {{"name", key}, {"value", value}});
    if (utc != 0) builder.insert("TARGET_INFO_SESSION_START_TIME", {{"utcEpochNs", utc}});
    builder.insert("ANALYSIS_DETAILS", {{"startTime", std::int64_t{77}}});
    auto identity = identify(builder.add(test::K{.start = 0, .end = 1}).write());
    EXPECT_TRUE(identity) << sentence(identity.error());
    return identity.value_or(Identity{});
  }

  test::TemporaryFolder folder;
};

TEST_F(Origins, AreOfTheRankThatTheirProgramWasTold) {
  EXPECT_EQ(identityOf("rank9.sqlite", {{"LANESCOPE:PROCESS_0:PID", "5"}, {"LANESCOPE:PROCESS_0:RANK", "3"}}).rank, 3);
  EXPECT_EQ(identityOf("a.sqlite", {{"PROCESS_0:ENVIRONMENT_VARIABLE", "PASSWORD=1"},
                                    {"PROCESS_0:ENVIRONMENT_VARIABLE", "SLURM_PROCID=12"}})
                .rank,
            12);
  EXPECT_EQ(identityOf("b.sqlite", {}).rank, std::nullopt);
}

TEST_F(Origins, OfSeveralRanksAreOfNone) {
  EXPECT_EQ(identityOf("rank1.sqlite", {{"LANESCOPE:PROCESS_0:PID", "5"},
                                        {"LANESCOPE:PROCESS_0:RANK", "0"},
                                        {"LANESCOPE:PROCESS_1:PID", "6"},
                                        {"LANESCOPE:PROCESS_1:RANK", "1"}})
                .rank,
            std::nullopt);
}

TEST(RankInName, IsTheNumberBehindTheWord) {
  EXPECT_EQ(report::rankInName("/x/run.rank12.rep"), 12);
  EXPECT_EQ(report::rankInName("/x/Rank_3-a.rep"), 3);
  EXPECT_EQ(report::rankInName("/x/ddp_rank1/nsys.sqlite"), 1);
  EXPECT_EQ(report::rankInName("/x/rank1/rank2.rep"), 2);
  EXPECT_EQ(report::rankInName("/x/rank2_ranked.rep"), 2);
  EXPECT_EQ(report::rankInName("/x/rank99999999999999.rep"), std::nullopt);
  EXPECT_EQ(report::rankInName("/x/ranked/frank.rep"), std::nullopt);
  EXPECT_EQ(report::rankInName("/x/4rank"), std::nullopt);
}

TEST_F(Origins, StartInUtcAtTheSessionsStartNeverAtTheClockOfTheDetails) {
  EXPECT_EQ(identityOf("a.sqlite", {}, 1'700'000'000'000'000'000).utcStart, 1'700'000'000'000'000'000);
  EXPECT_EQ(identityOf("b.sqlite", {}).utcStart, std::nullopt);
}

TEST(ReportOrder, IsByHostThenRankThenNameWithNumbersByValue) {
  const auto of = [](const char* host, std::optional<int> rank, const char* path) {
    return Identity{.path = path, .host = host, .rank = rank};
  };
  std::vector<Identity> all = {of("", 0, "a"),
                               of("node10", 0, "b"),
                               of("node2", 10, "c"),
                               of("node2", 9, "d"),
                               of("node2", {}, "run10.rep"),
                               of("node2", {}, "run9.rep"),
                               of("node2", {}, "run09.rep")};
  sortForShow(all);
  std::vector<std::string> names;
  for (const Identity& each : all) names.push_back(each.path.string());
  EXPECT_THAT(names, ElementsAre("d", "c", "run9.rep", "run09.rep", "run10.rep", "b", "a"));
}

TEST(ReportOrder, NamesAreAsShortAsTheyMayBe) {
  const auto named = [](std::vector<Identity> all) { return shortNames(all); };
  EXPECT_THAT(named({{.path = "a/x", .host = "n1", .rank = 0}, {.path = "a/y", .host = "n1", .rank = 1}}),
              ElementsAre("rank 0", "rank 1"));
  EXPECT_THAT(named({{.path = "a/x", .host = "n1", .rank = 0}, {.path = "a/y", .host = "n2", .rank = 0}}),
              ElementsAre("n1 rank 0", "n2 rank 0"));
  EXPECT_THAT(named({{.path = "a/x"}, {.path = "b/x"}, {.path = "b/y"}}), ElementsAre("a/x", "b/x", "y"));
  EXPECT_THAT(named({{.path = "a/x"}, {.path = "a/x"}}), ElementsAre("a/x", "a/x"));
}

TEST(Clocks, OfOneBootAreOneClock) {
  const std::vector<Identity> all = {
      {.path = "a", .utcStart = 5'000'000, .bootId = "b", .bootClock = 1000, .clockError = 40},
      {.path = "b", .utcStart = 9'000'000, .bootId = "b", .bootClock = 4000, .clockError = 50},
      {.path = "c", .utcStart = 6'000'000, .bootId = "c", .bootClock = 9000}};
  const std::vector<Placement> placed = place(all, {}, {});
  EXPECT_EQ(placed[0].offset, 0);
  EXPECT_EQ(placed[1].offset, 3000);
  EXPECT_EQ(placed[1].error, 90);
  EXPECT_EQ(placed[1].method, ClockMethod::kSameClock);
  EXPECT_EQ(placed[1].sentence, "same machine, by its clock, ± 90 ns");
  EXPECT_EQ(placed[2].offset, 1'000'000);
  EXPECT_EQ(placed[2].method, ClockMethod::kUtc);
}

TEST(Clocks, OnlyOfOtherBootsOrHostsItIsSaidThatTheirMachineIsAnother) {
  const auto said = [](Identity a, Identity b) {
    a.utcStart = b.utcStart = 5;
    return place(std::vector{std::move(a), std::move(b)}, {}, {})[1].sentence;
  };
  EXPECT_THAT(said({.path = "a", .host = "x"}, {.path = "b", .host = "x"}), testing::StartsWith("same machine"));
  EXPECT_THAT(said({.path = "a", .host = "x"}, {.path = "b", .host = "y"}), testing::StartsWith("another machine"));
  EXPECT_THAT(said({.path = "a", .gpus = {"1"}}, {.path = "b", .gpus = {"2"}}),
              testing::StartsWith("perhaps another machine"));
  EXPECT_THAT(said({.path = "a"}, {.path = "b"}), testing::StartsWith("perhaps another machine"));
}

TEST(Clocks, NothingInCommonIsNotAligned) {  // MOD-18
  const std::vector<Placement> placed =
      place(std::vector<Identity>{{.path = "a", .utcStart = 5}, {.path = "b"}}, {}, {});
  EXPECT_EQ(placed[1].method, ClockMethod::kNone);
  EXPECT_EQ(placed[1].offset, 0);
}

TEST(Clocks, OneGpuSeenByBothIsOneMachine) {
  const Identity a{.path = "a", .host = "vm", .gpus = {"1", "2"}}, b{.path = "b", .host = "x", .gpus = {"2", "3"}};
  EXPECT_TRUE(sameMachine(a, b));
  EXPECT_FALSE(sameMachine(a, {.path = "c", .host = "vm", .gpus = {"3"}}));
  EXPECT_TRUE(sameMachine(a, {.path = "c", .host = "vm"}));
  EXPECT_FALSE(sameMachine(a, {.path = "c"}));
}

}  // namespace
}  // namespace lanescope::together
