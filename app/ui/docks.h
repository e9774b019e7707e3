// SPDX-License-Identifier: GPL-3.0-or-later
// The panels around the timeline, which follow the report that is looked at: Details at the right, Diagnostics below.
// GUI thread only.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

#include "app/ui/report_tabs.h"

class QDockWidget;
class QMainWindow;

namespace lanescope::views {
class DetailsPanel;
class DiagnosticsPanel;
}  // namespace lanescope::views

namespace lanescope::ui {

class Docks : public QObject {
  Q_OBJECT

 public:
  Docks(QMainWindow& window, ReportTabs& tabs);

  const QList<QDockWidget*>& all() const { return all_; }
  void hideAll();
  void showDiagnostics();

 private:
  QDockWidget* add(QMainWindow& window, Qt::DockWidgetArea area, const QString& name, const QString& title,
                   QWidget* panel);
  void follow(ReportTab* tab);
  void fillDetails();
  void fillDiagnostics();

  QList<QDockWidget*> all_;
  views::DetailsPanel* details_;
  views::DiagnosticsPanel* diagnostics_;
  QDockWidget* diagnosticsDock_;
  QPointer<ReportTab> tab_;
};

}  // namespace lanescope::ui
