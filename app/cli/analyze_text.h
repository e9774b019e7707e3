// SPDX-License-Identifier: Apache-2.0
// What `analyze` says to a person at a console: the checklist, a line a check and below it why and what to try, and what
// rules there are. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/analysis/checklist.h"

namespace lanescope::cli {

std::string checklistText(std::span<const analysis::Check> checks);

/// What --help-rules says of the rules with these names, or of all.
std::string rulesText(const std::vector<std::string>& names);

}  // namespace lanescope::cli
