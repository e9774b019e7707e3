// SPDX-License-Identifier: Apache-2.0
#include "model/trace/busy.h"

#include <gtest/gtest.h>

#include "tests/model/trace/random_events.h"

namespace lanescope::trace {
namespace {

LanePtr lane(std::vector<Event> events) { return std::make_shared<Lane>(events, false); }

TEST(Busy, IsTheUnionOverStreamsAndNeverMoreThanTheTime) {  // MOD-05
  const BusyUnion same({lane({{.start = 0, .end = 100}}), lane({{.start = 0, .end = 100}})});
  EXPECT_EQ(same.busy({0, 100}), 100);
  const BusyUnion partly({lane({{.start = 0, .end = 60}}), lane({{.start = 40, .end = 90}})});
  EXPECT_EQ(partly.busy({0, 100}), 90);
}

TEST(Busy, EqualsACountOfEveryNanosecond) {
  for (unsigned seed = 0; seed < 25; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<LanePtr> lanes;
    std::vector<bool> busy(6000, false);
    for (unsigned l = 0; l < 1 + seed % 4; ++l) {
      std::vector<Event> events;
      for (Ns t = static_cast<Ns>(random() % 40); t < 5900;) {
        const Ns end = t + static_cast<Ns>(random() % 30);
        events.push_back({.start = t, .end = end});
        for (Ns i = t; i < end; ++i) busy[static_cast<std::size_t>(i)] = true;
        t = end + static_cast<Ns>(random() % 20);
      }
      lanes.push_back(lane(std::move(events)));
    }
    const BusyUnion all(lanes);
    for (int i = 0; i < 200; ++i) {
      const Ns a = static_cast<Ns>(random() % 6000);
      const Ns b = a + static_cast<Ns>(random() % static_cast<std::uint64_t>(6000 - a));
      ASSERT_EQ(all.busy({a, b}), std::count(busy.begin() + a, busy.begin() + b, true))
          << "seed " << seed << " [" << a << ", " << b << ")";
    }
  }
}

TEST(Busy, OfNothingIsNothing) {
  EXPECT_EQ(BusyUnion(std::vector<LanePtr>{}).busy({0, 100}), 0);
  EXPECT_EQ(BusyUnion({lane({{.start = 0, .end = 10}})}).busy({5, 5}), 0);
}

}  // namespace
}  // namespace lanescope::trace
