// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/menu_actions.h"

#include <QMenu>
#include <algorithm>

namespace lanescope::ui {
namespace {

/// "&Save && close" as it is read.
QString plain(const QString& text) {
  QString read;
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] == '&' && i + 1 < text.size()) ++i;
    read += text[i];
  }
  return read;
}

void add(const QList<QAction*>& actions, const QString& menu, std::vector<MenuAction>& list) {
  for (QAction* action : actions) {
    const QString text = plain(action->text().section('\t', 0, 0));
    if (const QMenu* below = action->menu()) {
      add(below->actions(), menu.isEmpty() ? text : menu + QStringLiteral(" › ") + text, list);
      continue;
    }
    if (action->isSeparator() || text.isEmpty()) continue;
    if (std::ranges::find(list, action, &MenuAction::action) != list.end()) continue;
    const QString hint = action->text().section('\t', 1);
    const QString shortcut = action->shortcut().toString(QKeySequence::NativeText);
    list.push_back({action, menu, text, shortcut.isEmpty() ? hint : shortcut, shortcut.isEmpty() && !hint.isEmpty()});
  }
}

}  // namespace

std::vector<MenuAction> actionsOf(const QMenuBar& bar) {
  std::vector<MenuAction> list;
  add(bar.actions(), {}, list);
  return list;
}

}  // namespace lanescope::ui
