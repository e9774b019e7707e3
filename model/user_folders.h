// SPDX-License-Identifier: Apache-2.0
// Where the files of this user lie that nobody else is to look into. None of these functions makes a folder but
// `makeOurs`. Any thread.
#pragma once

#include <filesystem>
#include <string_view>

namespace lanescope {

/// $XDG_CACHE_HOME/lanescope/NAME, else ~/.cache/lanescope/NAME; empty where there is no home.
std::filesystem::path cacheFolder(std::string_view name);

/// For sockets, gone when the user logs out: NAME in $XDG_RUNTIME_DIR, else in /run/user/UID, else /tmp/NAME-UID.
std::filesystem::path runtimeFolder(std::string_view name);

/// A folder, no link, of this user, into which nobody else may look.
bool isOursAlone(const std::filesystem::path& folder);

/// Makes it so, with those above it; false if that cannot be.
bool makeOurs(const std::filesystem::path& folder);

}  // namespace lanescope
