// SPDX-License-Identifier: Apache-2.0
// Random events for property tests: reproducible, and mean (ties, zero lengths, long gaps, bursts).
#pragma once

#include <random>
#include <vector>

#include "model/trace/lane.h"

namespace lanescope::test {

/// Events that keep a lane's invariants.
inline std::vector<trace::Event> randomLane(std::mt19937_64& random, std::size_t count) {
  const auto pick = [&](std::uint64_t n) { return static_cast<trace::Ns>(random() % n); };
  std::vector<trace::Event> events;
  trace::Ns t = pick(1000) - 500;
  for (std::size_t i = 0; i < count; ++i) {
    switch (pick(20)) {
      case 0:
        t += pick(10'000'000'000);
        break;  // a gap longer than 32 bits hold
      case 1:
      case 2:
      case 3:
      case 4:
        break;     // touches the one before
      default:
        t += pick(200);
    }
    const trace::Ns length = pick(8) == 0 ? 0 : pick(50) == 0 ? pick(20'000'000'000) : pick(300);
    events.push_back({.start = t,
                      .end = t + length,
                      .name = static_cast<trace::NameId>(pick(5) + 1),
                      .sourceRow = pick(30) == 0 ? 5'000'000'000ull + i : i,
                      .amount = static_cast<std::uint64_t>(pick(1 << 20))});
    t += length;
  }
  return events;
}

/// Events that nest and overlap as they like.
inline std::vector<trace::Event> randomEvents(std::mt19937_64& random, std::size_t count, trace::Ns span) {
  const auto pick = [&](trace::Ns n) { return static_cast<trace::Ns>(random() % static_cast<std::uint64_t>(n)); };
  std::vector<trace::Event> events;
  for (std::size_t i = 0; i < count; ++i) {
    const trace::Ns start = pick(span);
    const trace::Ns length = pick(6) == 0 ? 0 : pick(span / 10 + 1);
    events.push_back(
        {.start = start, .end = start + length, .name = static_cast<trace::NameId>(pick(9)), .sourceRow = i});
  }
  return events;
}

}  // namespace lanescope::test
