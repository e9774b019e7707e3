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

TEST(CorrelationEpochs, NoIdIsNoId) { EXPECT_EQ(CorrelationEpochs().unique(0, 7), 0); }

}  // namespace
}  // namespace lanescope::launch
