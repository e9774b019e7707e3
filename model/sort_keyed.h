// SPDX-License-Identifier: Apache-2.0
// Millions of things in the order of a number each: a radix sort from the least digit, stable. The keys are what is
// sorted, so that nothing is looked up while they move; O(n) for each of the digits that the keys differ in, of eleven
// bits at most (five for times of an hour in nanoseconds), and 16 bytes an item beside the items,
// which are packed to 8 while keys and ids allow. Many are sorted on a few threads at once. Any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "model/job.h"

namespace lanescope {

struct Keyed {
  std::uint64_t key;
  std::uint32_t id;
  bool operator==(const Keyed&) const = default;
};

/// How often an item was moved: the work done. In no order once the job was cancelled.
std::uint64_t sortKeyed(std::span<Keyed> items, const Job& job = {});

/// Keys that are ordered as the numbers are; the complement of a key sorts the other way.
constexpr std::uint64_t keyOf(std::int64_t number) {
  return static_cast<std::uint64_t>(number) ^ (std::uint64_t{1} << 63);
}
constexpr std::uint64_t keyOf(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);  // one zero
  return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}

}  // namespace lanescope
