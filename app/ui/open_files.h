// SPDX-License-Identifier: GPL-3.0-or-later
// The files of the command line on their way into a window. GUI thread only.
#pragma once

#include "app/ui/options.h"
#include "model/error.h"

namespace lanescope::ui {

class MainWindow;

/// Each becomes a tab that shows options.range. Those of servers come through the Open remote dialog; for a picture, which
/// nobody watches, they are waited for, and the first that does not come is the error.
Result<void> openFiles(MainWindow& window, const Options& options);

}  // namespace lanescope::ui
