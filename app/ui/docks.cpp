// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/docks.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QMainWindow>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>

#include "app/ui/compare_tab.h"
#include "app/ui/report_choice.h"
#include "views/panels/alignment_panel.h"
#include "views/panels/analysis_panel.h"
#include "views/panels/calls_panel.h"
#include "views/panels/comparison_panel.h"
#include "views/panels/details_panel.h"
#include "views/panels/diagnostics_panel.h"
#include "views/panels/events_panel.h"
#include "views/panels/find_panel.h"
#include "views/panels/marks_panel.h"
#include "views/panels/ranks_panel.h"
#include "views/panels/search.h"
#include "views/panels/selection_panel.h"
#include "views/panels/statistics_panel.h"
#include "views/panels/summary_panel.h"
#include "views/text.h"
#include "views/timeline/go_to.h"

namespace lanescope::ui {
namespace {

constexpr int kHeightBelow = 280;
constexpr int kSlowMs = 200;
constexpr int kNarrow = 1100, kLeastBeside = 200;  // of a window, of Details in it

/// What of a panel takes the keyboard: its table or tree, else the first that takes Tab.
QWidget* firstOf(QWidget& panel) {
  QWidget* first = nullptr;
  for (QWidget* each : panel.findChildren<QWidget*>()) {
    if (!each->isVisibleTo(&panel) || !each->isEnabled() || !(each->focusPolicy() & Qt::TabFocus)) continue;
    if (qobject_cast<QAbstractItemView*>(each)) return each;
    if (first == nullptr) first = each;
  }
  return first != nullptr ? first : &panel;
}

}  // namespace

Docks::Docks(QMainWindow& window, ReportTabs& tabs)
    : QObject(&window),
      details_(new views::DetailsPanel),
      diagnostics_(new views::DiagnosticsPanel),
      selection_(new views::SelectionPanel),
      find_(new views::FindPanel),
      statistics_(new views::StatisticsPanel),
      analysis_(new views::AnalysisPanel),
      events_(new views::EventsPanel),
      calls_(new views::CallsPanel),
      comparison_(new views::ComparisonPanel),
      summary_(new views::SummaryPanel),
      marks_(new views::MarksPanel),
      ranks_(new views::RanksPanel),
      tabs_(tabs) {
  window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
  detailsDock_ = add(window, Qt::RightDockWidgetArea, "details", tr("Details"), details_);
  arrangeBelow(window);
  connect(&tabs, &ReportTabs::currentReportChanged, this, &Docks::follow);
  slow_.setSingleShot(true);
  slow_.setInterval(kSlowMs);
  connect(&slow_, &QTimer::timeout, this, [this] { details_->setMessage(tr("Reading…")); });
  connect(detailsDock_, &QDockWidget::visibilityChanged, this, &Docks::fillDetails);
  connect(detailsDock_, &QDockWidget::visibilityChanged, this, &Docks::giveWay, Qt::QueuedConnection);
  window.installEventFilter(this);
  connect(diagnosticsDock_, &QDockWidget::visibilityChanged, this, &Docks::fillDiagnostics);
  connect(&views::Theme::instance(), &views::Theme::changed, this, [this] {
    fillDetails();
    fillDiagnostics();
  });
}

void Docks::arrangeBelow(QMainWindow& window) {
  const auto area = Qt::BottomDockWidgetArea;
  comparisonDock_ = add(window, area, "comparison", tr("Comparison"), comparison_);
  all_.removeOne(comparisonDock_);  // it is not always there, so it has a key of its own
  QDockWidget* selection = add(window, area, "selection", tr("Selection"), selection_);
  QDockWidget* statistics = add(window, area, "statistics", tr("Statistics"), withChoice(statistics_));
  QDockWidget* events = add(window, area, "events", tr("Events"), events_);
  QDockWidget* calls = add(window, area, "calls", tr("Calls"), withChoice(calls_));
  QDockWidget* analysis = add(window, area, "analysis", tr("Analysis"), withChoice(analysis_));
  QDockWidget* find = add(window, area, "find", tr("Find"), find_);
  QDockWidget* marks = add(window, area, "marks", tr("Marks"), marks_);
  QDockWidget* summary = add(window, area, "summary", tr("Summary"), withChoice(summary_));
  diagnosticsDock_ = add(window, area, "diagnostics", tr("Diagnostics"), withChoice(diagnostics_));
  ranksDock_ = add(window, area, "ranks", tr("Ranks"), ranks_);
  below_ = {comparisonDock_, selection, statistics,       events,    calls, analysis, find,
            marks,           summary,   diagnosticsDock_, ranksDock_};
  window.setTabPosition(area, QTabWidget::North);
  window.tabifyDockWidget(comparisonDock_, selection);
  window.tabifyDockWidget(selection, statistics);
  window.tabifyDockWidget(statistics, events);
  window.tabifyDockWidget(events, calls);
  window.tabifyDockWidget(calls, analysis);
  window.tabifyDockWidget(analysis, find);
  window.tabifyDockWidget(find, marks);
  window.tabifyDockWidget(marks, summary);
  window.tabifyDockWidget(summary, diagnosticsDock_);
  window.tabifyDockWidget(diagnosticsDock_, ranksDock_);
  window.resizeDocks({selection}, {kHeightBelow}, Qt::Vertical);
  selection->raise();
  comparisonDock_->hide();
  diagnosticsDock_->hide();  // what was lost leads to it
  ranksDock_->hide();  // for several reports
  for (QDockWidget* dock : below_) {
    // Queued: when these are emitted, who is a tab beside whom is not settled yet.
    for (auto changed : {&QDockWidget::visibilityChanged, &QDockWidget::topLevelChanged})
      connect(dock, changed, this, &Docks::showTitles, Qt::QueuedConnection);
    connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::showTitles, Qt::QueuedConnection);
  }
  connect(details_, &views::DetailsPanel::eventWanted, this, [this](trace::EventId event) {
    if (tab_) views::goToEvent(tab_->view(), tab_->view().trace()->ref(event));
  });
  connect(selection_, &views::SelectionPanel::left, this, &Docks::focusTimeline);
  connect(find_, &views::FindPanel::left, this, &Docks::focusTimeline);
  connect(diagnostics_, &views::DiagnosticsPanel::timeWanted, this, [this](trace::Ns time) {
    if (!tab_) return;
    views::ViewState& own = tab_->session().ownView();
    const trace::Ns half = own.visible().length() / 2;
    own.setVisible({time - half, time + half});
  });
  connect(statistics_, &views::StatisticsPanel::left, this, &Docks::focusTimeline);
  connect(analysis_, &views::AnalysisPanel::left, this, &Docks::focusTimeline);
  connect(events_, &views::EventsPanel::left, this, &Docks::focusTimeline);
  connect(calls_, &views::CallsPanel::left, this, &Docks::focusTimeline);
  connect(comparison_, &views::ComparisonPanel::left, this, &Docks::focusTimeline);
  connect(marks_, &views::MarksPanel::left, this, &Docks::focusTimeline);
  connect(ranks_, &views::RanksPanel::left, this, &Docks::focusTimeline);
  connect(&ranks_->alignment(), &views::AlignmentPanel::offsetWanted, this,
          [this](std::uint32_t report, qint64 offset) {
            if (tab_) tab_->session().moveReport(report, offset);
          });
  connect(&ranks_->alignment(), &views::AlignmentPanel::resetWanted, this, [this] {
    if (tab_) tab_->session().resetPlacement();
  });
}

void Docks::showTitles() {
  for (QDockWidget* dock : below_) {
    const auto* window = qobject_cast<QMainWindow*>(parent());
    const QList<QDockWidget*> beside = window->tabifiedDockWidgets(dock);
    const bool tab = !dock->isFloating() &&
                     std::any_of(beside.begin(), beside.end(), [](const QDockWidget* d) { return !d->isHidden(); });
    if (tab == (dock->titleBarWidget() != nullptr)) continue;
    QWidget* earlier = dock->titleBarWidget();
    dock->setTitleBarWidget(tab ? new QWidget(dock) : nullptr);
    delete earlier;
  }
  const auto* main = qobject_cast<QMainWindow*>(parent());
  for (const QTabBar* bar : main->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
    connect(bar, &QTabBar::tabBarClicked, this, &Docks::focusPanel,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::UniqueConnection));
}

/// The panel whose tab was clicked gets the keyboard: F1 tells of it, and no panel behind it takes the keys.
void Docks::focusPanel(int tab) {
  const auto* bar = qobject_cast<const QTabBar*>(sender());
  for (const QDockWidget* dock : below_)
    if (bar && dock->windowTitle() == bar->tabText(tab) && !dock->widget()->isAncestorOf(QApplication::focusWidget()))
      dock->widget()->setFocus(Qt::MouseFocusReason);
}

QDockWidget* Docks::add(QMainWindow& window, Qt::DockWidgetArea area, const QString& name, const QString& title,
                        QWidget* panel) {
  auto* dock = new QDockWidget(title, &window);
  dock->setObjectName(name);
  dock->setWidget(panel);
  dock->installEventFilter(this);
  window.addDockWidget(area, dock);
  all_ += dock;
  return dock;
}

/// A panel that asks the file of one report, with the line that says which.
QWidget* Docks::withChoice(QWidget* panel) {
  auto* both = new QWidget;
  auto* choice = new ReportChoice(both);
  auto* layout = new QVBoxLayout(both);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addWidget(choice);
  layout->addWidget(panel, 1);
  both->setFocusProxy(panel);
  choices_ += choice;
  return both;
}

void Docks::hideAll() {
  for (QDockWidget* dock : all_) dock->hide();
  comparisonDock_->hide();
}

void Docks::focusTimeline() {
  if (tab_) tab_->setFocus();
}

void Docks::use(QDockWidget& dock) {
  if (dock.isAncestorOf(QApplication::focusWidget()) && !dock.visibleRegion().isEmpty()) {
    dock.hide();
    return focusTimeline();
  }
  dock.show();
  dock.raise();
  firstOf(*dock.widget())->setFocus(Qt::ShortcutFocusReason);
}

/// In a narrow window Details leaves the timeline most of it.
void Docks::giveWay() {
  auto* window = qobject_cast<QMainWindow*>(parent());
  const auto area = window->dockWidgetArea(detailsDock_);
  const bool isBeside = area == Qt::RightDockWidgetArea || area == Qt::LeftDockWidgetArea;
  if (window->width() >= kNarrow || !isBeside || detailsDock_->isFloating() || !detailsDock_->isVisible()) return;
  const int most = std::max(window->width() / 4, kLeastBeside);
  if (detailsDock_->width() > most) window->resizeDocks({detailsDock_}, {most}, Qt::Horizontal);
}

bool Docks::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parent()) {
    if (event->type() == QEvent::Resize) giveWay();
    return false;
  }
  if (event->type() != QEvent::KeyPress || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
    return QObject::eventFilter(watched, event);
  focusTimeline();
  return true;
}

void Docks::showDiagnostics() {
  diagnosticsDock_->show();
  diagnosticsDock_->raise();
}

void Docks::followComparison() {
  CompareTab* compared = tabs_.comparison();
  if (compared == compared_) return;
  if (compared_) comparisonWanted_ = !comparisonDock_->isHidden();
  for (const views::Side side : {views::kA, views::kB})
    if (compared_) compared_->side(side).session().disconnect(comparison_);
  compared_ = compared;
  if (!compared) {
    comparison_->setReports(std::nullopt);
    return placeComparison();
  }
  const auto report = [compared](views::Side side) {  // of another tool's file the report is there at the end
    ReportTab& tab = compared->side(side);
    const bool isThere = tab.session().phase() == Session::Phase::kReady;
    return views::ComparisonPanel::Report{&tab.view(), isThere ? tab.session().path() : std::filesystem::path(),
                                          tab.shownPath().toStdString()};
  };
  comparison_->setReports(std::array{report(views::kA), report(views::kB)});
  const auto tellReports = [this, report, told = std::array{report(views::kA).file, report(views::kB).file}]() mutable {
    const std::array reports{report(views::kA), report(views::kB)};
    if (reports[0].file == told[0] && reports[1].file == told[1]) return;
    told = {reports[0].file, reports[1].file};
    comparison_->setReports(reports);
  };
  for (const views::Side side : {views::kA, views::kB})
    connect(&compared->side(side).session(), &Session::phaseChanged, comparison_, tellReports);
  const auto tellTrouble = [this, compared] {
    QStringList lines;
    for (const views::Side side : {views::kA, views::kB})
      if (const Session& session = compared->side(side).session(); session.phase() == Session::Phase::kFailed)
        lines += tr("%1 could not be read").arg(compared->side(side).title());
    comparison_->setTrouble(lines.join('\n'));
  };
  for (const views::Side side : {views::kA, views::kB})
    connect(&compared->side(side).session(), &Session::phaseChanged, comparison_, tellTrouble);
  tellTrouble();
  placeComparison();
}

void Docks::placeComparison() {
  if (!compared_ || !comparisonWanted_) return comparisonDock_->hide();
  comparisonDock_->show();
  comparisonDock_->raise();
}

void Docks::follow(ReportTab* tab) {
  followComparison();
  if (tab_) {
    tab_->session().disconnect(this);
    tab_->view().disconnect(this);
  }
  tab_ = tab;
  if (tab) {
    connect(&tab->view(), &views::ViewState::currentChanged, this, &Docks::fillDetails);
    connect(&tab->session(), &Session::phaseChanged, this, &Docks::fillDetails);
    connect(&tab->session(), &Session::phaseChanged, this, &Docks::fillDiagnostics);
    connect(&tab->session(), &Session::phaseChanged, this, &Docks::followSelection);
    connect(&tab->session(), &Session::reportChosen, this, &Docks::followSelection);
    connect(&tab->session(), &Session::reportChosen, this, &Docks::fillDiagnostics);
    connect(&tab->session(), &Session::phaseChanged, this, &Docks::followRanks);
    connect(&tab->session(), &Session::placed, this, &Docks::followRanks);
  }
  for (ReportChoice* choice : choices_) choice->follow(tab ? &tab->session() : nullptr);
  followSelection();
  followRanks();
  marks_->setView(tab ? &tab->view() : nullptr);
  find_->setSearch(tab ? &views::Search::of(tab->view()) : nullptr);
  fillDetails();
  fillDiagnostics();
}

void Docks::followSelection() {
  const bool failed = tab_ && tab_->session().phase() == Session::Phase::kFailed;
  views::ViewState* view = tab_ && !failed ? &tab_->view() : nullptr;
  const QString message = failed ? tr("The report could not be read") : QString();
  const std::filesystem::path file = tab_ ? tab_->session().path() : std::filesystem::path();
  selection_->setView(view, message);
  events_->setView(view);
  // What only a file says is said of one report.
  views::ViewState* own = view ? &tab_->session().ownView() : nullptr;
  statistics_->setReport(own, file, message, tab_ ? tab_->session().file() : std::filesystem::path());
  analysis_->setReport(own, file, message);
  calls_->setReport(own, file, message);
  const bool loaded = own && own->trace()->complete;
  summary_->setReport(own ? file : std::filesystem::path(),
                      loaded ? analysis::reportTimes(*own->trace()) : std::vector<analysis::NamedTime>());
}

void Docks::followRanks() {
  const auto* timeline = tab_ && tab_->session().oneTimeline() ? &*tab_->session().oneTimeline() : nullptr;
  const bool comes = timeline && !offersRanks_;
  if (comes || (!timeline && offersRanks_)) ranksDock_->setVisible(comes);  // else as the user has it
  if (comes) ranksDock_->raise();
  offersRanks_ = timeline;
  if (timeline) ranks_->setReports(&tab_->view(), timeline->joined, timeline->across);
  else ranks_->setReports(nullptr, nullptr, nullptr);
}

void Docks::fillDetails() {
  if (!detailsDock_->isVisible()) {
    slow_.stop();
    return detailsJob_.cancel();
  }
  const auto event = tab_ ? tab_->view().current() : std::nullopt;
  if (!event) {
    slow_.stop();
    detailsJob_.cancel();
    return details_->setMessage(tr("Click an event to see it here"));
  }
  if (tab_->session().isImporting()) {
    slow_.stop();
    detailsJob_.cancel();
    return details_->setMessage(tr("Details come when the file has been read"));
  }
  const trace::TracePtr trace = tab_->view().trace();
  const std::string_view label = (*trace->names)[trace->name(*event)].label;
  slow_.start();
  detailsJob_.start(
      [source = tab_->session().detailsSource(), trace, event = *event, timeline = tab_->session().oneTimeline()](
          const Job& job) { return source->of(*trace, event, timeline ? &*timeline : nullptr, job); },
      [this, label = views::toQt(label)](const Result<EventDetails>& details) { showDetails(label, details); });
}

void Docks::showDetails(const QString& label, const Result<EventDetails>& details) {
  slow_.stop();
  if (details) details_->setEvent(label, details->fields, details->stack, QString::fromStdString(details->ncuCommand));
  else details_->setMessage(QString::fromStdString(sentence(details.error())));
}

void Docks::fillDiagnostics() {
  if (!diagnosticsDock_->isVisible()) return;
  if (!tab_ || tab_->session().phase() != Session::Phase::kReady) {
    const bool loading = tab_ && tab_->session().phase() == Session::Phase::kLoading;
    diagnostics_->setMessage(loading ? tr("Loading…") : tr("The report could not be read"));
    return;
  }
  diagnostics_->setReport(tab_->session().ownView().trace()->issues, tab_->session().diagnostics());
}

}  // namespace lanescope::ui
