// SPDX-License-Identifier: Apache-2.0
// The libraries that an executable asks for by name. Reads a few KiB of it, which may hold anything. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::launch {

/// Empty for what is no 64-bit ELF file, or is linked statically.
std::vector<std::string> neededLibraries(const std::filesystem::path& executable);

}  // namespace lanescope::launch
