// SPDX-License-Identifier: GPL-3.0-or-later
// Choices and numbers of a form that scrolls take the wheel only while they have the keyboard: else a turn of the wheel
// that is to scroll the form would change what the pointer happens to pass. GUI thread only.
#pragma once

#include <QWidget>

namespace lanescope::views {

/// All of `within` that there are now.
void wheelNeedsFocus(QWidget& within);

}  // namespace lanescope::views
