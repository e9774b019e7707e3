// SPDX-License-Identifier: Apache-2.0
// The end of a recording for its user: a report under a name that nobody took meanwhile, and the line that tells it.
#pragma once

#include <functional>
#include <string>

#include "collector/launch/finish.h"

namespace lanescope::launch {

/// What a report of a repeated range adds to its name, unless that counts up anyway: x.rep, x.1.rep, x.2.rep.
std::filesystem::path nameOfCapture(const std::filesystem::path& report, std::size_t number);

/// finish(), under the name that `another` gives if somebody took this one while the program ran: several ranks may have
/// been told the same one.
Result<FinishResult> finishNear(const std::filesystem::path& session, const std::filesystem::path& report,
                                const std::function<std::filesystem::path()>& another, report::IfExists ifExists,
                                const Job& job, const Part& part = {});

/// "report1.rep: 1205 events, 3 lost".
std::string reportLine(const FinishResult& done);

}  // namespace lanescope::launch
