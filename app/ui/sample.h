// SPDX-License-Identifier: GPL-3.0-or-later
// The report that comes with Lanescope, recorded on an H200.
#pragma once

#include <filesystem>
#include <optional>

namespace lanescope::ui {

/// Where it was installed, or in the source tree the program was built in; nothing if it is in neither.
std::optional<std::filesystem::path> sampleReport();

}  // namespace lanescope::ui
