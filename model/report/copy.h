// SPDX-License-Identifier: Apache-2.0
// A report of either kind rewritten, or a part of its time: all its tables and columns, those we do not know too, and of
// a part the strings that it refers to. What names the machine's environment is left behind. O(rows); memory does not grow with them.
#pragma once

#include <filesystem>
#include <string_view>

#include "model/error.h"
#include "model/job.h"
#include "model/report/new_file.h"
#include "model/report/slice.h"
#include "model/report/writer.h"

namespace lanescope::report {

/// Writes what the slice leaves. `version` is that of the program, kept in a .rep. A part says so of itself
/// (LANESCOPE_ISSUES), and so does a copy of what is damaged.
Result<void> copyReport(Slice& slice, const std::filesystem::path& destination, IfExists ifExists,
                        std::string_view version, Dialect dialect = Dialect::kRep);

}  // namespace lanescope::report
