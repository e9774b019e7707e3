// SPDX-License-Identifier: Apache-2.0
// The end of a recording for its user: a report under a name that nobody took meanwhile, and the line that tells it.
#pragma once

#include <string>

#include "collector/launch/finish.h"

namespace lanescope::launch {

/// finish(), under another name near to it if somebody took this one while the program ran: several ranks may have been
/// told the same one.
Result<FinishResult> finishNear(const std::filesystem::path& session, const std::filesystem::path& report,
                                const std::string& tag, report::IfExists ifExists, const Job& job);

/// "report1.rep: 1205 events, 3 lost".
std::string reportLine(const FinishResult& done);

}  // namespace lanescope::launch
