// SPDX-License-Identifier: Apache-2.0
// Several files of `stats` as one: a table a report, of which rows of all files are merged where they can be, or stand
// below each other behind a column that says which rank or file they are of.
#pragma once

#include <string>
#include <vector>

#include "app/cli/stats_request.h"

namespace lanescope::cli {

/// The exit status. Files that cannot be read are complained of, and the others told.
int statsTogether(const std::vector<std::string>& files, const StatsOptions& options, const StatsRequest& request);

}  // namespace lanescope::cli
