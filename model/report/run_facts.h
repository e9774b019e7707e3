// SPDX-License-Identifier: Apache-2.0
// What a report says about the run that it is of, in lines for a person: the program, when and where it was recorded,
// how it ended, GPUs, driver and versions. Only what the file holds; Nsight Systems' exports hold some of it. Texts are
// cut at 4 KiB; a few hundred rows are looked at, whatever the file. Any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/report/database.h"

namespace lanescope::report {

/// Pairs of what it is and its text.
std::vector<std::pair<std::string, std::string>> runFacts(const Database& database);

}  // namespace lanescope::report
