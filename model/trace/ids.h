// SPDX-License-Identifier: Apache-2.0
// The parts of a global id, which packs hardware, VM, process and thread into 64 bits (facts 4.2). Ids compare whole;
// these parts are for people and for tables that give a plain pid.
#pragma once

#include <cstdint>

namespace lanescope::trace {

inline constexpr std::int64_t kThreadBits = 0xFFFFFF;

constexpr std::int64_t pidOf(std::int64_t globalId) { return globalId >> 24 & kThreadBits; }
constexpr std::int64_t tidOf(std::int64_t globalId) { return globalId & kThreadBits; }

}  // namespace lanescope::trace
