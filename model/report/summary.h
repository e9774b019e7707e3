// SPDX-License-Identifier: Apache-2.0
// What a file says of itself besides its events: the run, when its time 0 was, GPUs, machine, options, versions, and the
// environment that other profilers store. Whatever looks like a secret is masked (secrets.h). Bounded, whatever the
// file: at most some thousand lines.
#pragma once

#include <string>
#include <vector>

#include "model/report/database.h"

namespace lanescope::report {

struct SummaryLine {
  std::string part;  ///< "Run", "GPU 0", "Machine", "Options", "Versions", "Environment"
  std::string what, value;
};

std::vector<SummaryLine> summary(const Database& database);

}  // namespace lanescope::report
