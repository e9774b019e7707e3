// SPDX-License-Identifier: GPL-3.0-or-later
// The window: the welcome page or the open reports in the middle, with menus, toolbar and docks around them, which are
// each a file of their own. Remembers where everything stood. GUI thread only.
#pragma once

#include <QMainWindow>

#include "app/ui/report_tabs.h"
#include "app/ui/settings.h"
#include "app/ui/viewer_load.h"

class QStackedWidget;

namespace lanescope::ui {

class Docks;
class Recorder;
class RemoteFiles;
class ReportBar;
class WelcomePage;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Settings& settings, Loader loader = loadForViewer);

  ReportTabs& tabs() { return *tabs_; }
  RemoteFiles& remote() { return *remote_; }
  const ReportBar& bar() const { return *bar_; }
  /// File → Record, made when it is first asked for.
  Recorder& recorder();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void connectWelcome();
  void followReport(ReportTab* tab);
  void showWelcome();
  void showReports();
  void showName();

  Settings& settings_;
  ReportTabs* tabs_;
  Docks* docks_;
  ReportBar* bar_;
  Recorder* recorder_ = nullptr;
  RemoteFiles* remote_;
  WelcomePage* welcome_;
  QStackedWidget* pages_;
  QByteArray layout_;  // of docks and toolbar, while the welcome page hides them
};

}  // namespace lanescope::ui
