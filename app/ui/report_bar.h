// SPDX-License-Identifier: GPL-3.0-or-later
// The one toolbar: which report is looked at (a button that lists the others), the line to find events in it, and at
// the right what was lost of it, always. GUI thread only.
#pragma once

#include <QPointer>
#include <QToolBar>

#include "app/ui/report_tabs.h"
#include "views/elided.h"

namespace lanescope::views {
class FindBar;
}  // namespace lanescope::views

namespace lanescope::ui {

class ReportBar : public QToolBar {
  Q_OBJECT

 public:
  ReportBar(ReportTabs& tabs, QWidget* parent);

  QString status() const;
  views::FindBar& find() const { return *find_; }

 signals:
  void diagnosticsWanted();

 private:
  void follow(ReportTab* tab);
  void showName();
  void showStatus();
  void listReports();

  ReportTabs& tabs_;
  QPointer<ReportTab> tab_;
  views::ElidedPushButton* report_;
  views::FindBar* find_;
  views::ElidedPushButton* losses_;
};

}  // namespace lanescope::ui
