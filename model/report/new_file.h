// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name only when it is whole: a temporary beside the destination, renamed at the end.
#pragma once

#include <filesystem>

#include "model/error.h"

namespace lanescope::report {

enum class IfExists { kRefuse, kReplace };

/// An error about writing, from errno: kDiskFull or kWriteFailed.
Error writeError(const std::filesystem::path& destination, int systemError);

/// An empty file with a name of its own, in the destination's folder. Refuses at once what could not be renamed later.
Result<std::filesystem::path> createBeside(const std::filesystem::path& destination, IfExists ifExists);

/// Flushes the temporary to the disk and gives it the destination's name, atomically.
Result<void> moveIntoPlace(const std::filesystem::path& temporary, const std::filesystem::path& destination,
                           IfExists ifExists);

}  // namespace lanescope::report
