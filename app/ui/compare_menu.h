// SPDX-License-Identifier: GPL-3.0-or-later
// The menu about two compared reports: which ones, how they stand and go along with each other, what is above what, and the
// way to what changed most. GUI thread only.
#pragma once

#include <QMainWindow>
#include <functional>

#include "app/ui/docks.h"
#include "app/ui/report_tabs.h"
#include "model/compare/alignment.h"

class QMenu;

namespace lanescope::ui {

/// An entry for each way to align two reports; those that need to know which range, number or offset ask, over `window`.
void addAlignments(QMenu& menu, QWidget& window, std::function<void(compare::AlignRequest)> wanted);

class CompareMenu : public QObject {
  Q_OBJECT

 public:
  /// Lives as long as the menu.
  CompareMenu(QMenu& menu, ReportTabs& tabs, Docks& docks, QMainWindow& window);

 private:
  void follow();

  ReportTabs& tabs_;
  QList<QAction*> needComparison_;
  QAction* linked_ = nullptr;
  QAction* beside_ = nullptr;
  QAction* differing_ = nullptr;
};

}  // namespace lanescope::ui
