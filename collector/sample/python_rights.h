// SPDX-License-Identifier: Apache-2.0
// Whether the memory of other processes may be read here, and what has to be done where it may not. Any thread.
#pragma once

#include <sys/types.h>

#include <string>

namespace lanescope::sample {

/// What stands in the way of reading a process, and the remedy, in one line: "the kernel … : sudo sysctl …".
std::string whyNotReadable(pid_t process);

/// The same for children of this one, by trying; empty where nothing stands in the way.
std::string pythonSamplingRemedy();

}  // namespace lanescope::sample
