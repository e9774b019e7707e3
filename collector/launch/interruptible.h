// SPDX-License-Identifier: Apache-2.0
// A job that heeds the user's interrupts: the first one since it was made is answered by a line, the second stops it.
// Looks at them whenever progress is told.
#pragma once

#include <functional>
#include <string>

#include "model/job.h"

namespace lanescope::launch {

/// `asked`: how often an end was asked for, so far. Progress goes on to `job`.
Job interruptible(const Job& job, const std::function<int()>& asked, const std::function<void()>& answerFirst);

}  // namespace lanescope::launch
