// SPDX-License-Identifier: GPL-3.0-or-later
// Opening the help, and which page F1 opens: that of the panel with the keyboard's focus. GUI thread only.
#pragma once

#include <QString>

class QWidget;

namespace lanescope::ui {

/// "statistics", "getting-around#Find". Without a report, or where nothing has a page, what to read first.
QString helpPlace(bool hasReport);

/// A page, or a part of it, over a window or a dialog of the main window's.
void openHelp(QWidget* over, const QString& place);

}  // namespace lanescope::ui
