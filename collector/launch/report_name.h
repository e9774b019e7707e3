// SPDX-License-Identifier: Apache-2.0
// The end of a recording for its user: a report under a name that nobody took meanwhile, and the line that tells it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "collector/launch/finish.h"
#include "model/trace/time.h"

namespace lanescope::launch {

/// Whether a file stands there that nobody has made or changed since that time of CLOCK_REALTIME.
bool standsSince(const std::filesystem::path& path, trace::Ns time);

/// Whether an older recording that is under way here is to have a report of this name (OutputName::label).
bool olderOneHasName(const std::filesystem::path& session, std::string_view label);

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
