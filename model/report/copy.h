// SPDX-License-Identifier: Apache-2.0
// A report of either kind rewritten as a .rep: all its tables and columns, those we do not know too. What names the
// machine's environment is left behind. O(rows).
#pragma once

#include <filesystem>
#include <string_view>

#include "model/error.h"
#include "model/job.h"
#include "model/report/new_file.h"

namespace lanescope::report {

/// `version` is that of the program, kept in the file.
Result<void> copyReport(const std::filesystem::path& source, const std::filesystem::path& destination,
                        IfExists ifExists, std::string_view version, const Job& job);

}  // namespace lanescope::report
