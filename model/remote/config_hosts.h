// SPDX-License-Identifier: Apache-2.0
// Names that a file as ~/.ssh/config gives hosts, to be offered where one is typed. What they mean is ssh's business.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::remote {

/// Of "Host" lines, without patterns, in their order and each once, those of included files among them; at most 1000. Reads at
/// most 256 files, of a megabyte at most each.
std::vector<std::string> hostsIn(const std::filesystem::path& config);

/// Of the user's.
std::vector<std::string> configuredHosts();

}  // namespace lanescope::remote
