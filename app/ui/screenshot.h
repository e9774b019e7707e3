// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of the whole window as soon as every report in it is loaded. GUI thread only.
#pragma once

#include <filesystem>
#include <functional>

#include "model/error.h"

namespace lanescope::ui {

class MainWindow;

/// Calls `done` once: with what was written, or with why not (the first report that failed, or the file). The window
/// must be shown.
void takeScreenshot(MainWindow& window, std::filesystem::path file, std::function<void(Result<void>)> done);

}  // namespace lanescope::ui
