// SPDX-License-Identifier: GPL-3.0-or-later
// Files of servers on their way into tabs: the Open remote dialog, one at a time, and what is remembered of hosts.
// GUI thread only.
#pragma once

#include <QPointer>

#include "app/ui/report_tabs.h"
#include "app/ui/settings.h"
#include "views/dialogs/open_remote.h"

namespace lanescope::ui {

class RemoteFiles : public QObject {
  Q_OBJECT

 public:
  RemoteFiles(ReportTabs& tabs, Settings& settings, QWidget* window);

  /// Fetches what changed since, or was never here, and opens it; without addresses asks for some.
  void open(const QStringList& addresses);
  views::OpenRemote* dialog() const { return dialog_; }

 signals:
  void opened(lanescope::ui::ReportTab* tab);

 private:
  ReportTabs& tabs_;
  Settings& settings_;
  QWidget* window_;
  QPointer<views::OpenRemote> dialog_;
};

}  // namespace lanescope::ui
