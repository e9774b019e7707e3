// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/help_place.h"

#include <QApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <algorithm>
#include <array>

#include "app/ui/key_sheet.h"
#include "views/dialogs/help_window.h"

namespace lanescope::ui {
namespace {

struct Place {
  const char* widget;  ///< the object name of a dock, or a class
  const char* page;
};
constexpr std::array kPlaces{
    Place{"details", "getting-around#Details"},
    Place{"comparison", "comparing#Columns"},
    Place{"lanescope::views::CompareBar", "comparing#In the window"},
    Place{"selection", "getting-around#Selection panel"},
    Place{"statistics", "statistics"},
    Place{"events", "getting-around#Events"},
    Place{"calls", "getting-around#Calls"},
    Place{"analysis", "analysis"},
    Place{"find", "getting-around#Find"},
    Place{"marks", "getting-around#Marks"},
    Place{"summary", "getting-around#Summary"},
    Place{"ranks", "several-reports"},
    Place{"diagnostics", "reading-the-timeline#What was lost"},
    Place{"lanescope::views::FindBar", "getting-around#Find"},
    Place{"lanescope::views::FilterBar", "getting-around#Filter"},
};

}  // namespace

QString helpPlace(bool hasReport) {
  for (const QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget()) {
    const auto place = std::ranges::find_if(kPlaces, [&](const Place& each) {
      return widget->objectName() == QLatin1String(each.widget) || widget->inherits(each.widget);
    });
    if (place != kPlaces.end()) return QString::fromLatin1(place->page);
  }
  return hasReport ? QStringLiteral("reading-the-timeline") : QStringLiteral("index");
}

void openHelp(QWidget* over, const QString& place) {
  const QWidget* widget = over;
  while (widget && !qobject_cast<const QMainWindow*>(widget)) widget = widget->parentWidget();
  const auto* window = qobject_cast<const QMainWindow*>(widget);
  const auto* bar = window ? qobject_cast<const QMenuBar*>(window->menuWidget()) : nullptr;
  views::showHelp(over, place,
                  [bar](const QString& name) { return bar && name == "keys" ? keyTables(*bar) : QString(); });
}

}  // namespace lanescope::ui
