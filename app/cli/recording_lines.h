// SPDX-License-Identifier: Apache-2.0
// What the commands that make reports say to the user meanwhile, on stderr.
#pragma once

#include <string>

#include "model/job.h"

namespace lanescope::cli {

/// One line, beginning "lanescope: ".
void say(const std::string& line);

/// A line that counts up on a terminal and goes at the end; nothing elsewhere.
Job showProgress();

}  // namespace lanescope::cli
