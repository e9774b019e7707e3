// SPDX-License-Identifier: Apache-2.0
// What a reader of a report's rows has to know of them, without reading the rows: what was lost or odd while recording,
// graphs that stand for their kernels, oddities of the file. Loading finds more, in the events themselves.
// O(rows of graph launches), else a few queries.
#pragma once

#include <vector>

#include "model/job.h"
#include "model/report/database.h"
#include "model/trace/trace.h"

namespace lanescope::report {

/// Clean UTF-8; at most a thousand and a few.
std::vector<trace::Issue> caveats(const Database& database, const Job& job);

}  // namespace lanescope::report
