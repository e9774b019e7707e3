// SPDX-License-Identifier: Apache-2.0
// The checklist for a person at a console: a line a check, and below it why and what to try. Pure.
#pragma once

#include <span>
#include <string>

#include "model/analysis/checklist.h"

namespace lanescope::cli {

std::string checklistText(std::span<const analysis::Check> checks);

}  // namespace lanescope::cli
