// SPDX-License-Identifier: Apache-2.0
// The session of `launch`: while its program runs, other commands begin and end recordings of it, and each becomes a
// report on a thread of its own, one after the other, so that neither the program nor the next recording waits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collector/launch/started.h"

namespace lanescope::launch {

/// Of one recording: those of `launch`, and over them what `start` said.
tl::expected<Options, std::string> optionsOf(const Launch& launch, const std::vector<std::string>& words,
                                             const std::vector<std::string>& program);

/// Until the program has ended or the session was shut down and all reports are written. The exit status of the command.
int serveLaunched(const Launch& launch, Started& started);

}  // namespace lanescope::launch
