// SPDX-License-Identifier: GPL-3.0-or-later
// A help page in its own small window beside the program: Markdown from the resources. GUI thread only.
#pragma once

#include <QString>

class QWidget;

namespace lanescope::views {

/// Opens `:/help/<page>.md`, or brings it to the front if it is open.
void showHelp(QWidget* parent, const QString& page, const QString& title);

void showAbout(QWidget* parent, const QString& version);

}  // namespace lanescope::views
