// SPDX-License-Identifier: Apache-2.0
#include "model/trace/lane_part.h"

#include <gtest/gtest.h>

#include "tests/model/trace/random_events.h"

namespace lanescope::trace {
namespace {

TEST(LanePart, AnswersLikeALaneOfItsEventsAlone) {
  std::mt19937_64 random(7);
  for (const std::size_t size : {1u, 63u, 64u, 65u, 5000u, 300'000u}) {
    for (const unsigned oneOf : {1u, 2u, 50u, 20'000u}) {
      const std::vector<Event> events = test::randomLane(random, size);
      const Lane lane(events, false);
      std::vector<std::uint64_t> bits((size + 63) / 64);
      std::vector<std::size_t> kept;
      std::vector<Event> some;
      for (std::size_t i = 0; i < size; ++i) {
        if (random() % oneOf != 0) continue;
        bits[i / 64] |= std::uint64_t{1} << i % 64;
        kept.push_back(i);
        some.push_back(events[i]);
      }
      const LanePart part(lane, bits);
      const Lane alone(some, false);
      ASSERT_EQ(part.count(), kept.size());
      for (int round = 0; round < 300; ++round) {
        const std::size_t i = random() % (size + 1);
        const auto at = std::lower_bound(kept.begin(), kept.end(), i);
        EXPECT_EQ(part.next(i), at == kept.end() ? size : *at);
        EXPECT_EQ(part.previous(i), at == kept.begin() ? std::nullopt : std::optional(*(at - 1)));
        EXPECT_EQ(part.countBefore(i), static_cast<std::size_t>(at - kept.begin()));
        const Ns t = events[random() % size].start + static_cast<Ns>(random() % 100);
        EXPECT_EQ(part.busyBefore(lane, t), alone.busyBefore(t));
      }
      ASSERT_EQ(part.pyramid().levels(), alone.pyramid().levels());
      for (unsigned level = 0; level < part.pyramid().levels(); ++level) {
        ASSERT_EQ(part.pyramid().bins(level), alone.pyramid().bins(level));
        for (std::size_t bin = 0; bin < alone.pyramid().bins(level); bin += 1 + bin / 64) {
          EXPECT_EQ(part.pyramid().bin(level, bin).busy, alone.pyramid().bin(level, bin).busy);
          EXPECT_EQ(part.pyramid().bin(level, bin).name, alone.pyramid().bin(level, bin).name);
        }
      }
    }
  }
}

}  // namespace
}  // namespace lanescope::trace
