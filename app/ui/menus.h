// SPDX-License-Identifier: GPL-3.0-or-later
// The menu bar: every command has a name here, and its key beside it. Keys that the timeline answers itself, because
// they depend on the pointer or repeat, are only written beside the command. GUI thread only.
#pragma once

#include <QMainWindow>

#include "app/ui/docks.h"
#include "app/ui/report_bar.h"
#include "app/ui/report_tabs.h"
#include "app/ui/settings.h"

class QMenu;

namespace lanescope::ui {

class Menus : public QObject {
  Q_OBJECT

 public:
  Menus(QMainWindow& window, ReportTabs& tabs, Docks& docks, ReportBar& bar, Settings& settings);

 signals:
  void recordWanted();

 private:
  using Command = void (*)(views::ViewState&);

  void addFile();
  void addView();
  void addGo();
  void addMarks();  // in menus_rows.cpp, as
  void addRows();                   // menus_rows.cpp, as
  void addKeptView(QMenu& menu);
  void addHelp();
  void listRecent(QMenu& menu);
  void addTheme(QMenu& menu);
  void addTextSize(QMenu& menu);
  /// A command on the report that is looked at, grey without one. `hint` is a key the timeline answers.
  QAction* addCommand(QMenu& menu, const QString& text, const QString& hint, const QKeySequence& key, Command command);
  void follow(ReportTab* tab);
  void enableCommands();

  QMainWindow& window_;
  ReportTabs& tabs_;
  Docks& docks_;
  ReportBar& bar_;
  Settings& settings_;
  QList<QAction*> needReport_;
  QList<QMetaObject::Connection> followed_;  // of the view that is looked at
  QAction* zoomToSelection_ = nullptr;
  QAction* undoZoom_ = nullptr;
};

}  // namespace lanescope::ui
