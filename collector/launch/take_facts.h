// SPDX-License-Identifier: Apache-2.0
// What a session's facts say of its recordings, so that those of a killed launcher can be told apart: "take.N" is
// "BEGIN END REPORT", END 0 while it runs, times of CLOCK_MONOTONIC; or "done", where nothing is left to write.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/launch/finish.h"

namespace lanescope::launch {

inline constexpr const char* kTakeDone = "done";

std::string takeFact(std::size_t number);
std::string openTake(trace::Ns begin, const std::filesystem::path& report);
std::string closedTake(trace::Ns begin, trace::Ns end, const std::filesystem::path& report);

struct UnwrittenTake {
  Take take;
  std::filesystem::path report;  ///< the name that it was to have
};
std::vector<UnwrittenTake> unwrittenTakes(const std::filesystem::path& session);

}  // namespace lanescope::launch
