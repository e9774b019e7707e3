// SPDX-License-Identifier: Apache-2.0
// Reports of `stats` that are of all ranks of a job: all files are one job, and every such report one table.
#pragma once

#include <string>
#include <vector>

#include "app/cli/stats_request.h"

namespace lanescope::cli {

/// The exit status. How the files' clocks were brought together is told unless it is to be quiet, what keeps them apart
/// always.
int statsAcross(const std::vector<std::string>& files, const StatsOptions& options, const StatsRequest& request);

}  // namespace lanescope::cli
