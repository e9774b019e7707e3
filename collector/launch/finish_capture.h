// SPDX-License-Identifier: Apache-2.0
// What the control page of a session says about the capture; apart, because session.h and records.h each have a Capture.
#pragma once

#include <filesystem>

#include "collector/launch/fact_lines.h"

namespace lanescope::launch {

/// True if a capture range was asked for and none ever opened, so that nothing was to be recorded.
bool captureNeverOpened(const std::filesystem::path& session, const FactLines& options);

}  // namespace lanescope::launch
