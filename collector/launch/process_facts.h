// SPDX-License-Identifier: Apache-2.0
// What /proc says about processes. A process is known by its number and its start time, because numbers come back.
// Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::launch {

/// In clock ticks since boot; empty if there is no such process, or nothing but its exit status is left of it.
std::optional<std::uint64_t> startTimeOf(pid_t process);

/// Changes with every start of the machine.
std::string bootId();

/// The name of the program that traces this one, as a debugger does; empty if none.
std::string tracerName();

}  // namespace lanescope::launch
