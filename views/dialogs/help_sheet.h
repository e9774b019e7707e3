// SPDX-License-Identifier: GPL-3.0-or-later
// Small windows beside the program: a sheet to look something up in, and what is said about the program. GUI thread only.
#pragma once

#include <QString>
#include <functional>

class QTextBrowser;
class QWidget;

namespace lanescope::views {

/// Opens a small window of this object name, or brings it to the front; `fill` writes what a new one says.
void showSheet(QWidget* parent, const QString& name, const QString& title,
               const std::function<void(QTextBrowser&)>& fill);

void showAbout(QWidget* parent, const QString& version);

}  // namespace lanescope::views
