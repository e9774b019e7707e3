// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/key_sheet.h"

#include <QCoreApplication>
#include <QTextBrowser>

#include "app/ui/menu_actions.h"
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

}  // namespace

QString keySheet(const QMenuBar& bar) {
  QString html = QStringLiteral("<table width='100%' cellpadding='3'>");
  QString menu;
  for (const MenuAction& action : actionsOf(bar)) {
    if (action.key.isEmpty() || action.byTimeline) continue;
    if (action.menu != menu) html += section(action.menu);
    menu = action.menu;
    html += line(action.key, action.text);
  }
  html += section(tr("On the timeline"));
  for (const auto& gesture : views::gestureSheet()) html += line(gesture.how, gesture.what);
  return html + QStringLiteral("</table>");
}

void showKeySheet(QWidget* parent, const QMenuBar& bar) {
  views::showSheet(parent, QStringLiteral("keySheet"), tr("Keys and gestures"),
                   [&bar](QTextBrowser& text) { text.setHtml(keySheet(bar)); });
}

}  // namespace lanescope::ui
