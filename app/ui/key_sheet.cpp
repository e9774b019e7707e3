// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/key_sheet.h"

#include <QCoreApplication>
#include <QTextBrowser>

#include "app/ui/menu_actions.h"
#include "views/dialogs/help_pages.h"
#include "views/dialogs/help_sheet.h"
#include "views/timeline/gestures.h"

namespace lanescope::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("KeySheet", text); }

QString line(const QString& key, const QString& what) {
  return QStringLiteral("<tr><td width='45%'><b>%1</b></td><td>%2</td></tr>")
      .arg(key.toHtmlEscaped(), what.toHtmlEscaped());
}

QString section(const QString& title) {
  return QStringLiteral("<tr><td colspan='2'><h3>%1</h3></td></tr>").arg(title.toHtmlEscaped());
}

/// Each command once, in order of the menus, then what the timeline answers.
void listKeys(const QMenuBar& bar, const auto& begin, const auto& add) {
  QString menu;
  for (const MenuAction& action : actionsOf(bar)) {
    if (action.key.isEmpty() || action.byTimeline) continue;
    if (action.menu != menu) begin(action.menu);
    menu = action.menu;
    add(action.key, action.text);
  }
  begin(tr("On the timeline"));
  for (const auto& gesture : views::gestureSheet()) add(gesture.how, gesture.what);
  add(tr("Letters"), tr("Go to the timeline from any panel, once the pointer is over the timeline"));
}

}  // namespace

QString keySheet(const QMenuBar& bar) {
  QString html = QStringLiteral("<table width='100%' cellpadding='3'>");
  listKeys(
      bar, [&](const QString& title) { html += section(title); },
      [&](const QString& key, const QString& what) { html += line(key, what); });
  return html + QStringLiteral("</table>");
}

QString keyTables(const QMenuBar& bar) {
  QString text;
  listKeys(
      bar, [&](const QString& title) { text += QStringLiteral("\n## %1\n\n| | |\n|---|---|\n").arg(title); },
      [&](const QString& key, const QString& what) {
        text += QStringLiteral("| **%1** | %2 |\n").arg(views::plainMarkdown(key), views::plainMarkdown(what));
      });
  return text;
}

void showKeySheet(QWidget* parent, const QMenuBar& bar) {
  views::showSheet(parent, QStringLiteral("keySheet"), tr("Keys and gestures"),
                   [&bar](QTextBrowser& text) { text.setHtml(keySheet(bar)); });
}

}  // namespace lanescope::ui
