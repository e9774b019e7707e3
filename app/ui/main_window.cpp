// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/main_window.h"

#include <QCloseEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QStackedWidget>

#include "app/ui/docks.h"
#include "app/ui/drop.h"
#include "app/ui/menus.h"
#include "app/ui/recorder.h"
#include "app/ui/remote_files.h"
#include "app/ui/report_bar.h"
#include "app/ui/sample.h"
#include "app/ui/timeline_keys.h"
#include "app/ui/welcome_page.h"
#include "views/saving.h"
#include "views/timeline/remarks.h"

namespace lanescope::ui {
namespace {

constexpr int kLayoutVersion = 2;  // raise it when docks are renamed
constexpr QSize kFirstSize(1600, 1000);
// Set, so that no text that is shown can ever ask for more and make the window grow.
constexpr QSize kLeastSize(640, 480);

}  // namespace

MainWindow::MainWindow(Settings& settings, Loader loader)
    : settings_(settings),
      tabs_(new ReportTabs(settings, std::move(loader))),
      docks_(new Docks(*this, *tabs_)),
      bar_(new ReportBar(*tabs_, this)),
      remote_(new RemoteFiles(*tabs_, settings, this)),
      welcome_(new WelcomePage),
      pages_(new QStackedWidget) {
  auto* menus = new Menus(*this, *tabs_, *docks_, *bar_, settings_);
  connect(menus, &Menus::recordWanted, this, [this] { recorder().show(); });
  new TimelineKeys(*this, *tabs_);
  addToolBar(bar_);
  pages_->addWidget(welcome_);
  pages_->addWidget(tabs_);
  setCentralWidget(pages_);
  setAcceptDrops(true);
  setMinimumSize(kLeastSize);

  const Settings::Window remembered = settings_.window();
  if (!restoreGeometry(remembered.geometry)) resize(kFirstSize);
  restoreState(remembered.layout, kLayoutVersion);

  connectWelcome();
  connect(bar_, &ReportBar::diagnosticsWanted, docks_, &Docks::showDiagnostics);
  connect(tabs_, &ReportTabs::diagnosticsWanted, docks_, &Docks::showDiagnostics);
  connect(tabs_, &ReportTabs::currentReportChanged, this, &MainWindow::followReport);
  connect(tabs_, &ReportTabs::namesChanged, this, &MainWindow::showName);
  connect(&views::Saving::instance(), &views::Saving::saved, this, [this](const QString& file) {
    if (ReportTab* tab = tabs_->current()) views::Remarks::of(tab->view()).say(tr("Saved as %1").arg(file));
  });
  showWelcome();
}

void MainWindow::connectWelcome() {
  const auto showRecent = [this] { welcome_->setRecentFiles(settings_.recentFiles()); };
  connect(tabs_, &ReportTabs::recentFilesChanged, welcome_, showRecent);
  connect(welcome_, &WelcomePage::openWanted, tabs_, &ReportTabs::choose);
  connect(welcome_, &WelcomePage::fileChosen, tabs_, &ReportTabs::openNamed);
  connect(welcome_, &WelcomePage::recentRemoved, this, [this, showRecent](const QString& path) {
    settings_.removeRecentFile(path);
    showRecent();
  });
  if (const auto sample = sampleReport()) welcome_->setSample(QString::fromStdString(sample->string()));
  showRecent();
}

Recorder& MainWindow::recorder() {
  if (!recorder_) {
    recorder_ = new Recorder(settings_, this);
    connect(recorder_, &Recorder::reportReady, tabs_, &ReportTabs::openNamed);
  }
  return *recorder_;
}

void MainWindow::followReport(ReportTab* tab) {
  if (!tab) {
    showWelcome();
    return;
  }
  if (pages_->currentWidget() == welcome_) showReports();
  showName();
  views::Saving::instance().setReport(QFileInfo(tab->shownPath()).absolutePath());
}

void MainWindow::showName() {
  if (tabs_->current()) setWindowTitle(tr("%1 — Lanescope").arg(tabs_->currentName()));
}

void MainWindow::showWelcome() {
  layout_ = saveState(kLayoutVersion);
  docks_->hideAll();
  bar_->hide();
  pages_->setCurrentWidget(welcome_);
  setWindowTitle(QStringLiteral("Lanescope"));
}

void MainWindow::showReports() {
  pages_->setCurrentWidget(tabs_);
  restoreState(layout_, kLayoutVersion);
  bar_->show();
  docks_->placeComparison();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  const bool welcome = pages_->currentWidget() == welcome_;
  settings_.setWindow({saveGeometry(), welcome ? layout_ : saveState(kLayoutVersion)});
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (droppedFiles(*event->mimeData()).empty()) return;
  welcome_->setDropHint(true);
  event->acceptProposedAction();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { welcome_->setDropHint(false); }

void MainWindow::dropEvent(QDropEvent* event) {
  welcome_->setDropHint(false);
  event->acceptProposedAction();
  takeDrop(*tabs_, droppedFiles(*event->mimeData()), mapToGlobal(event->position().toPoint()));
}

}  // namespace lanescope::ui
