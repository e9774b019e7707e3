// SPDX-License-Identifier: GPL-3.0-or-later
// Which page of the help F1 opens: that of the panel with the keyboard's focus. GUI thread only.
#pragma once

#include <QString>

namespace lanescope::ui {

/// "statistics", "getting-around#Find". Without a report, or where nothing has a page, what to read first.
QString helpPlace(bool hasReport);

}  // namespace lanescope::ui
