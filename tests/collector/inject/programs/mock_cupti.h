// SPDX-License-Identifier: Apache-2.0
// What the stand-in for libcupti offers to the program that drives it, beside CUPTI's own functions.
#pragma once

#include <cstdint>

extern "C" {
/// A kernel launch in this thread, with the callbacks and records that are switched on.
void mockLaunch();
/// A call of the runtime without GPU work.
void mockRuntimeCall(std::uint32_t callback);
/// A driver call that no runtime call surrounds.
void mockDriverCall(std::uint32_t callback);
void mockCallWith(std::uint32_t callback, std::uint64_t first, std::uint64_t second, std::uint32_t answer,
                  bool runtime);
void mockCallWithin(std::uint32_t runtimeCallback, std::uint32_t driverCallback);
void mockCreateStream(std::uint64_t handle);
/// How often everything completed was asked for so far.
std::uint32_t mockFlushes();
}
