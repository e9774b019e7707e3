// SPDX-License-Identifier: GPL-3.0-or-later
// The panels around the timeline, which follow the report that is looked at: Details at the right; below, as tabs,
// Selection, Statistics, Events, Calls, Analysis, Find, Marks, Summary and Diagnostics, before them Comparison while two
// reports are compared, behind them Ranks while several are on one timeline. A dock among tabs needs no title of its
// own. What Details shows comes from another thread; until it is there the event before stays, then "Reading…". What is
// not seen is not fetched. Esc, where a panel has no use for it, goes back to the timeline. GUI thread only.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include "app/ui/report_tabs.h"
#include "views/latest_job.h"

class QDockWidget;
class QMainWindow;

namespace lanescope::views {
class AnalysisPanel;
class CallsPanel;
class ComparisonPanel;
class DetailsPanel;
class DiagnosticsPanel;
class EventsPanel;
class FindPanel;
class MarksPanel;
class RanksPanel;
class SelectionPanel;
class StatisticsPanel;
class SummaryPanel;
}  // namespace lanescope::views

namespace lanescope::ui {

class ReportChoice;

class Docks : public QObject {
  Q_OBJECT

 public:
  Docks(QMainWindow& window, ReportTabs& tabs);

  const QList<QDockWidget*>& all() const { return all_; }  ///< but for that of comparisons
  QDockWidget& comparison() const { return *comparisonDock_; }
  void hideAll();
  /// Shows a panel and gives it the keyboard; one that has the keyboard is hidden.
  void use(QDockWidget& dock);
  void showDiagnostics();
  /// Brings the panel that compares two reports where it was not closed, and hides it where there are no two: after who
  /// is docked where was restored.
  void placeComparison();
  bool fetching() const { return detailsJob_.running(); }  ///< what Details is to show

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void giveWay();
  QDockWidget* add(QMainWindow& window, Qt::DockWidgetArea area, const QString& name, const QString& title,
                   QWidget* panel);
  QWidget* withChoice(QWidget* panel);
  void arrangeBelow(QMainWindow& window);
  void follow(ReportTab* tab);
  void followSelection();
  void followRanks();
  void followComparison();
  void showTitles();
  void focusPanel(int tab);
  void focusTimeline();
  void fillDetails();
  void showDetails(const QString& label, const Result<EventDetails>& details);
  void fillDiagnostics();

  QList<QDockWidget*> all_;
  views::DetailsPanel* details_;
  views::DiagnosticsPanel* diagnostics_;
  views::SelectionPanel* selection_;
  views::FindPanel* find_;
  views::StatisticsPanel* statistics_;
  views::AnalysisPanel* analysis_;
  views::EventsPanel* events_;
  views::CallsPanel* calls_;
  views::ComparisonPanel* comparison_;
  views::SummaryPanel* summary_;
  views::MarksPanel* marks_;
  views::RanksPanel* ranks_;
  QList<ReportChoice*> choices_;  // of panels that ask one file
  QDockWidget* detailsDock_ = nullptr;
  QDockWidget* diagnosticsDock_ = nullptr;
  QDockWidget* ranksDock_ = nullptr;
  QDockWidget* comparisonDock_ = nullptr;
  QPointer<CompareTab> compared_;
  bool comparisonWanted_ = true;
  QList<QDockWidget*> below_;
  ReportTabs& tabs_;
  QPointer<ReportTab> tab_;
  bool offersRanks_ = false;
  QTimer slow_;  // runs out where details are long in coming
  views::LatestJob detailsJob_{this};
};

}  // namespace lanescope::ui
