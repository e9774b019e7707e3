// SPDX-License-Identifier: GPL-3.0-or-later
// A help page in its own small window beside the program: Markdown from the resources. GUI thread only.
#pragma once

#include <QString>
#include <functional>

class QTextBrowser;
class QWidget;

namespace lanescope::views {

/// Opens a small window of this object name, or brings it to the front; `fill` writes what a new one says.
void showSheet(QWidget* parent, const QString& name, const QString& title,
               const std::function<void(QTextBrowser&)>& fill);

/// Opens `:/help/<page>.md`, or brings it to the front if it is open.
void showHelp(QWidget* parent, const QString& page, const QString& title);

void showAbout(QWidget* parent, const QString& version);

}  // namespace lanescope::views
