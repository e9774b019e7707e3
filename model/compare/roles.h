// SPDX-License-Identifier: Apache-2.0
// Who of two recordings plays one part: processes by rank, name and order; GPUs of a process by order; its streams by
// the name their user gave them, else by what ran on them (the share of work that has the same names, greedily, the best
// pair first), order where that does not tell them apart; its threads the main one first, then by name and what they do;
// NVTX domains by name. One that the other side lacks stays alone. O(events + streams² + threads²), squares only of what
// names and whole content do not tell apart, and of at most kMostCompared. Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "model/compare/common_names.h"

namespace lanescope::compare {

inline constexpr std::size_t kMostCompared = 1000;  ///< of a side, with each of the other; more go by order

/// By index into the list of A: that of B; trace::kNone where there is none. One of B is given once.
struct Roles {
  std::vector<std::uint32_t> processes, gpus, streams, threads, domains;
};

Roles matchRoles(const trace::Trace& a, const trace::Trace& b, const CommonNames& names);

/// The same, asked from B.
std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& toB, std::size_t sizeOfB);

}  // namespace lanescope::compare
