// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/correlation_epochs.h"

#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

constexpr std::uint64_t kWrap = std::uint64_t{1} << 32;

TEST(CorrelationEpochs, WithoutAWrapIdsStayAsTheyAre) {
  CorrelationEpochs epochs;
  EXPECT_EQ(epochs.unique(9, 5), 9);
  for (std::uint32_t id = 1; id < 100; ++id) epochs.see(id, id);
  EXPECT_EQ(epochs.unique(50, 1'000'000), 50);
  EXPECT_EQ(epochs.unique(0xFFFFFFFF, 0), 0xFFFFFFFF);
}

TEST(CorrelationEpochs, IdsOverThreeWrapsStayDistinctThoughRecordsComeLateAndWorkRunsLater) {
  // One id a ns, threads that hand in their records late, and GPU work that runs up to an eighth of the range later.
  constexpr std::uint64_t kStep = 10'000'019, kLate = kWrap / 16;
  CorrelationEpochs epochs;
  for (std::uint64_t id = 1; id < 3 * kWrap; id += kStep) {
    epochs.see(static_cast<std::uint32_t>(id), static_cast<trace::Ns>(id));
    if (id > kLate) epochs.see(static_cast<std::uint32_t>(id - kLate), static_cast<trace::Ns>(id - kLate));
  }
  for (std::uint64_t id = 1; id < 3 * kWrap; id += kStep) {
    for (const std::uint64_t later : {std::uint64_t{0}, kWrap / 8}) {
      ASSERT_EQ(epochs.unique(static_cast<std::uint32_t>(id), static_cast<trace::Ns>(id + later)),
                static_cast<std::int64_t>(id))
          << later;
    }
  }
}

TEST(CorrelationEpochs, TheIdAfterTheLastIsOfTheNextRoundAndOneUsedAgainHoursLaterOfAThird) {
  CorrelationEpochs epochs;
  epochs.see(4294967295, 0);
  epochs.see(1, 100);
  constexpr trace::Ns kLater = 1'000'000'000'000;
  for (const std::uint32_t id : {1u << 30, 2u << 30, 3u << 30, 1u}) epochs.see(id, id == 1 ? kLater : 200);
  EXPECT_EQ(epochs.unique(4294967295, 10), 4294967295) << "its kernel";
  EXPECT_EQ(epochs.unique(1, 110), static_cast<std::int64_t>(kWrap + 1));
  EXPECT_EQ(epochs.unique(1, kLater + 10), static_cast<std::int64_t>(2 * kWrap + 1));
}

TEST(CorrelationEpochs, ARecordingMayBeginInTheMidstOfTheRange) {
  // As one does whose beginning was given back: what is left still has ids that differ.
  constexpr std::uint64_t kFrom = kWrap / 8 * 7, kStep = 10'000'019;
  CorrelationEpochs epochs;
  const auto timeOf = [](std::uint64_t id) { return static_cast<trace::Ns>(id); };
  for (std::uint64_t id = kFrom; id < 2 * kWrap; id += kStep) epochs.see(static_cast<std::uint32_t>(id), timeOf(id));
  for (std::uint64_t id = kFrom; id < 2 * kWrap; id += kStep)
    ASSERT_EQ(epochs.unique(static_cast<std::uint32_t>(id), timeOf(id)), static_cast<std::int64_t>(id));
}

TEST(CorrelationEpochs, NoIdIsNoId) { EXPECT_EQ(CorrelationEpochs().unique(0, 7), 0); }

}  // namespace
}  // namespace lanescope::launch
