// SPDX-License-Identifier: Apache-2.0
// How the recording library gets into the program: the environment that makes CUDA and NVTX load it, what stands in the
// way of that, and which libcupti it should take. Looks at files and runs nothing. Any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/error.h"

namespace lanescope::launch {

using Variables = std::vector<std::pair<std::string, std::string>>;
using ReadVariable = std::function<std::optional<std::string>(const std::string&)>;

/// Why this program cannot be recorded from here: another tool already does. Empty if nothing is in the way.
std::string whyNotHere(const ReadVariable& environment);

/// The recording library beside this executable or where it is installed; empty if there is none.
std::filesystem::path findRecorder();

/// For the program's environment.
Variables injectionVariables(const std::filesystem::path& recorder, const std::filesystem::path& session);

inline constexpr const char* kPreloadVariable = "LD_PRELOAD";
/// LD_PRELOAD with these libraries, which lie beside the recorder, before what the program is to have anyway.
std::optional<std::string> preloadVariable(const std::filesystem::path& recorder, const std::vector<std::string>& names,
                                           const ReadVariable& environment);

/// Why calls cannot be led through a preloaded library in this executable although others get in; empty if they can.
std::string whyNotPreloaded(const std::filesystem::path& executable);

/// The file that `name` starts, by PATH where it has no slash.
Result<std::filesystem::path> findProgram(const std::string& name, const std::string& path);

/// Why libraries do not get into this executable (static, 32 bit, another libc, set-user-id); empty if they do.
std::string whyNotInto(const std::filesystem::path& executable);

/// Whether the kernel makes another user of who starts it, so that an ordinary one may neither get into it nor look at it.
bool isSetUserId(const std::filesystem::path& executable);

/// The interpreter that the first line of a script names, else the executable itself.
std::filesystem::path interpreterOf(const std::filesystem::path& executable, const std::string& path);

}  // namespace lanescope::launch
