// SPDX-License-Identifier: Apache-2.0
// From the files of a job to its collectives across ranks. One file is in memory at a time, and of it what collectives
// need; kept of each are its collectives and when its GPUs computed. One thread.
#pragma once

#include <filesystem>
#include <vector>

#include "model/together/collectives_across.h"

namespace lanescope::together {

struct Ranks {
  std::vector<Identity> identities;  ///< as sortForShow() orders them
  std::vector<Placement> placements;  ///< of each
  Across across;
};

/// `strict`: a damaged event is an error.
Result<Ranks> readRanks(const std::vector<std::filesystem::path>& files, bool strict, const Job& job = {});

}  // namespace lanescope::together
