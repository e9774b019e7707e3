// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of what colours go by: one of the modes, a set for the colour-blind, rules for names. The set and the rules
// are the user's, everywhere. The mode is of the report that is looked at, and from then on of all reports for which
// nobody chose one; the theme's colours follow the report in front. GUI thread only.
#pragma once

#include <QActionGroup>
#include <QMenu>
#include <QPointer>

#include "app/ui/report_tabs.h"
#include "app/ui/settings.h"

namespace lanescope::ui {

class ColourMenu : public QObject {
  Q_OBJECT

 public:
  /// Lives as long as the menu.
  ColourMenu(QMenu& menu, ReportTabs& tabs, Settings& settings, QWidget* window);

 private:
  QAction* addMode(QMenu& menu, const QString& text, views::Colouring::By by);
  void choose(views::Colouring::By by);
  void follow(ReportTab* tab);
  void show();

  ReportTabs& tabs_;
  Settings& settings_;
  views::Colouring::By usual_;  // where nobody chose
  QActionGroup* modes_;         // by what each action's data says
  QAction* change_ = nullptr;  // of two compared reports
  QPointer<ReportTab> tab_;
};

}  // namespace lanescope::ui
