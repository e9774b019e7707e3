// SPDX-License-Identifier: GPL-3.0-or-later
// Every key and gesture on one sheet, made from the menus and from the table of gestures. GUI thread only.
#pragma once

#include <QString>

class QMenuBar;
class QWidget;

namespace lanescope::ui {

/// As HTML; each command once, in order of the menus, then what the timeline answers. Pure.
QString keySheet(const QMenuBar& bar);

/// The same as Markdown: a table a menu, for the help.
QString keyTables(const QMenuBar& bar);

void showKeySheet(QWidget* parent, const QMenuBar& bar);

}  // namespace lanescope::ui
