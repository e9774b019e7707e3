// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of a menu bar as a list, each once: what the command palette and the sheet of keys are made from.
#pragma once

#include <QAction>
#include <QMenuBar>
#include <QString>
#include <vector>

namespace lanescope::ui {

struct MenuAction {
  QAction* action = nullptr;
  QString menu;  ///< "View", "View › Theme"
  QString text;  ///< without marks for the keyboard
  QString key;   ///< its shortcut, or the key that the timeline answers; empty if none
  bool byTimeline = false;  ///< the key is the timeline's
};

/// In order of the menus; without separators and without menus themselves.
std::vector<MenuAction> actionsOf(const QMenuBar& bar);

}  // namespace lanescope::ui
