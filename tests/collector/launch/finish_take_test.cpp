// SPDX-License-Identifier: Apache-2.0
// Reports of one recording of several that a session holds.
#include <gmock/gmock.h>

#include "collector/launch/take_facts.h"
#include "model/report/origin.h"
#include "tests/collector/launch/finish_fixture.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class FinishTake : public FinishFixture {
 protected:
  FinishResult finishTake(Take take) {
    auto result =
        finish(folder_.path(), folder_ / "out.rep", report::IfExists::kReplace, Job(), {.take = std::move(take)});
    EXPECT_TRUE(result) << (result ? "" : sentence(result.error()));
    auto database = Database::open(folder_ / "out.rep");
    EXPECT_TRUE(database);
    database_.emplace(std::move(*database));
    return result.value_or(FinishResult{});
  }
  static Take between(std::uint64_t begin, std::uint64_t end) {
    return {.begin = static_cast<trace::Ns>(cpu(begin)),
            .end = static_cast<trace::Ns>(cpu(end)),
            .facts = {{"start-monotonic", std::to_string(cpu(begin))}, {"stopped-by", "stop"}}};
  }
  static constexpr const char* kRanges = "SELECT start, end, text FROM NVTX_EVENTS WHERE eventType = 59 ORDER BY start";
};

TEST_F(FinishTake, HoldsWhatHappenedInItAndCountsFromItsBegin) {
  process()
      .thread(101)
      .push({.time = cpu(100), .text = "first"})
      .pop(cpu(110))
      .push({.time = cpu(210), .text = "second"})
      .pop(cpu(220))
      .cupti()
      .kernel({.start = gpu(120), .end = gpu(130)})
      .kernel({.start = gpu(230), .end = gpu(240)})
      .write();
  EXPECT_EQ(finishTake(between(200, 300)).events, 2u);
  EXPECT_THAT(rows(kRanges), ElementsAre("10|20|second"));
  EXPECT_THAT(rows("SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL"), ElementsAre("30"));
  EXPECT_THAT(rows("SELECT value FROM META_DATA_CAPTURE WHERE name = 'LANESCOPE:START_MONOTONIC'"),
              ElementsAre(std::to_string(cpu(200))));
}

TEST_F(FinishTake, SaysWhichClockOfWhichMachineItsTimesAreOf) {
  test::writeFile(folder_ / "facts", "start-monotonic=1000000\nhost=node7\nboot-id=b-1\n");
  process().cupti().kernel({.start = gpu(230), .end = gpu(240)}).write();
  finishTake(between(200, 300));
  const auto origin = report::originOf(folder_ / "out.rep");
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->host, "node7");
  EXPECT_EQ(origin->bootId, "b-1");
  EXPECT_EQ(origin->bootClock, static_cast<trace::Ns>(cpu(200)));
  EXPECT_TRUE(origin->clockError);
}

TEST_F(FinishTake, AnEndThatNobodyRecordedDoesNotPairWithALaterRange) {
  // Of "open" and "unseen" the recordings missed an end and a begin each.
  process()
      .thread(101)
      .push({.time = cpu(100), .text = "open"})
      .pop(cpu(210))
      .push({.time = cpu(220), .text = "second"})
      .pop(cpu(230))
      .write();
  finishTake(between(200, 300));
  EXPECT_THAT(rows(kRanges), ElementsAre("20|30|second"));
}

TEST_F(FinishTake, ReadsNothingOfWhatCameAfterItAndNothingFromRings) {
  auto stream = process();
  stream.thread(101).push({.time = cpu(100), .text = "open"}).facts("pid=100\n");
  const std::uint64_t size = stream.stream().size();
  stream.thread(101).pop(cpu(150)).unflushed(101).push({.time = cpu(160), .text = "later"}).write();
  process(200, 2).thread(201).push({.time = cpu(120), .text = "other"}).pop(cpu(130)).write();

  Take take = between(50, 200);
  take.sizes = Take::FileSizes{{stream.path(".stream").filename(), size}};
  finishTake(take);
  EXPECT_THAT(rows(kRanges), ElementsAre("50|NULL|open"));
  take.sizes = Take::FileSizes{{stream.path(".stream").filename(), Take::kEndless}};
  finishTake(take);
  EXPECT_THAT(rows(kRanges), ElementsAre("50|100|open", "110|NULL|later"));
  take.sizes.reset();
  finishTake(take);
  EXPECT_THAT(rows(kRanges), ElementsAre("50|100|open", "70|80|other", "110|NULL|later"));
}

TEST_F(FinishTake, WhatWasLostBeforeItIsNoLossOfIt) {
  auto stream = process();
  stream.losses().loss(wire::LossKind::kRingFull, 7).thread(101);
  stream.facts("pid=100\n");
  const std::uint64_t size = stream.stream().size();
  stream.losses().loss(wire::LossKind::kRingFull, 9).facts("pid=100\n").write();
  Take take = between(50, 200);
  EXPECT_EQ(finishTake(take).lost, 9u);
  take.sizesBefore = {{stream.path(".stream").filename(), size}};
  EXPECT_EQ(finishTake(take).lost, 2u);
}

TEST(TakeFacts, TellWhatIsNotWrittenYet) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(unwrittenTakes(folder.path()), IsEmpty());
  test::writeFile(folder / "facts", "take.1=" + openTake(5, "/a/one.rep") +
                                        "\ntake.2=" + closedTake(7, 9, "/a/my b.rep") +
                                        "\ntake.1=done\ntake.3=" + openTake(11, "/a/c.rep") +
                                        "\ntake.=1\ntake.x=2\ntake.99999999999999999999=3\n");
  const auto takes = unwrittenTakes(folder.path());
  ASSERT_EQ(takes.size(), 2u);
  EXPECT_EQ(takes[0].take.begin, 7);
  EXPECT_EQ(takes[0].take.end, 9);
  EXPECT_EQ(takes[0].report, "/a/my b.rep");
  EXPECT_EQ(takes[1].take.begin, 11);
  EXPECT_EQ(takes[1].take.end, Take().end);
}

}  // namespace
}  // namespace lanescope::launch
