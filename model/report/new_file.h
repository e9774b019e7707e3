// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name only when it is whole: a temporary beside the destination, renamed at the end.
// Where the name is a symlink, beside what it stands for, which is replaced. What is there and no file stays as it is.
#pragma once

#include <filesystem>

#include "model/error.h"

namespace lanescope::report {

enum class IfExists { kRefuse, kReplace };

/// "a FIFO", "a device", "a socket": what is written through and never replaced; else, or if nothing is there, empty.
std::string_view streamKind(const std::filesystem::path& destination);

/// Refuses what a file cannot take the place of: a folder, a FIFO, a device, a socket.
Result<void> checkPlace(const std::filesystem::path& destination);

/// An empty file with a name of its own, in the destination's folder. Refuses at once what could not be renamed later.
Result<std::filesystem::path> createBeside(const std::filesystem::path& destination, IfExists ifExists);

/// Flushes the temporary to the disk and gives it the destination's name, atomically.
Result<void> moveIntoPlace(const std::filesystem::path& temporary, const std::filesystem::path& destination,
                           IfExists ifExists);

}  // namespace lanescope::report
