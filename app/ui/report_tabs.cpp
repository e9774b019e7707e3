// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/report_tabs.h"

#include <QFileDialog>
#include <QTabBar>

namespace lanescope::ui {

std::filesystem::path absolutePath(const std::filesystem::path& path) {
  std::error_code failed;
  // Made absolute first: the canonical form of a relative path that does not exist stays relative.
  const auto canonical = std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
  return failed ? path : canonical;
}

ReportTabs::ReportTabs(Settings& settings, Loader loader, QWidget* parent)
    : QTabWidget(parent), settings_(settings), loader_(std::move(loader)) {
  setDocumentMode(true);
  setMovable(true);
  setTabsClosable(true);
  setTabBarAutoHide(true);
  setElideMode(Qt::ElideMiddle);
  tabBar()->setExpanding(false);
  tabBar()->setFocusPolicy(Qt::TabFocus);  // a click on a tab leaves the keys with the timeline
  connect(this, &QTabWidget::tabCloseRequested, this, &ReportTabs::close);
  connect(this, &QTabWidget::currentChanged, this, [this] {
    emit currentReportChanged(current());
    if (current()) current()->setFocus();
  });
}

ReportTabs::~ReportTabs() {
  // QTabWidget goes from tab to tab as they are deleted, when those who follow are half gone.
  blockSignals(true);
}

ReportTab* ReportTabs::current() const { return at(currentIndex()); }

ReportTab* ReportTabs::at(int index) const { return qobject_cast<ReportTab*>(widget(index)); }

QString ReportTabs::nameOf(ReportTab* tab) const {
  const auto isCalledSo = [&](int i) { return at(i) != tab && at(i)->title() == tab->title(); };
  for (int i = 0; i < count(); ++i)
    if (!tab->session().isTogether() && isCalledSo(i))
      return tab->shownPath().section('/', -2, -2) + '/' + tab->title();
  return tab->title();
}

ReportTab* ReportTabs::open(const std::filesystem::path& path) { return openFrom(path, nullptr); }

ReportTab* ReportTabs::open(std::shared_ptr<const remote::Fetched> fetched) {
  const std::filesystem::path path = fetched->copy.file;
  return openFrom(path, std::move(fetched));
}

void ReportTabs::openNamed(const QString& name) {
  if (remote::isSshAddress(name.toStdString())) emit remoteWanted({name});
  else open(name.toStdString());
}

ReportTab* ReportTabs::openFrom(const std::filesystem::path& path, std::shared_ptr<const remote::Fetched> origin) {
  return add({absolutePath(path)}, std::move(origin));
}

ReportTab* ReportTabs::openTogether(const std::vector<std::filesystem::path>& places) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : reportsIn(places)) files.push_back(absolutePath(file));
  if (files.empty()) return nullptr;
  return add(std::move(files), nullptr);
}

ReportTab* ReportTabs::add(std::vector<std::filesystem::path> files, std::shared_ptr<const remote::Fetched> origin) {
  for (int i = 0; i < count(); ++i) {
    if (at(i)->session().paths() != files) continue;
    setCurrentIndex(i);
    return at(i);
  }
  auto* tab = new ReportTab(std::move(files), loader_, KeptViews(settings_.viewsFolder()));
  if (origin) tab->setOrigin(std::move(origin));
  const QString shown = tab->shownPath();
  connect(&tab->session(), &Session::phaseChanged, this, [this, tab, shown] {
    if (tab->session().phase() != Session::Phase::kReady || tab->session().isTogether()) return;
    settings_.addRecentFile(shown);
    emit recentFilesChanged();
  });
  connect(tab, &ReportTab::diagnosticsWanted, this, &ReportTabs::diagnosticsWanted);
  connect(tab, &ReportTab::dismissed, this, [this, tab] { close(indexOf(tab)); });
  const int index = addTab(tab, {});
  setTabToolTip(index, shown);
  nameTabs();
  setCurrentIndex(index);
  return tab;
}

void ReportTabs::nameTabs() {
  // Exports are often all called the same: then the folder tells them apart.
  for (int i = 0; i < count(); ++i) setTabText(i, nameOf(at(i)).replace('&', "&&"));
  emit namesChanged();
}

QStringList ReportTabs::askForFiles(const QString& title) {
  return QFileDialog::getOpenFileNames(this, title, settings_.recentFolder(),
                                       tr("Reports (*.rep *.sqlite *.sqlite3 *.db);;All files (*)"));
}

void ReportTabs::choose() {
  for (const QString& file : askForFiles(tr("Open reports"))) open(file.toStdString());
}

void ReportTabs::chooseTogether() {
  std::vector<std::filesystem::path> files;
  for (const QString& file : askForFiles(tr("Open reports on one timeline"))) files.emplace_back(file.toStdString());
  openTogether(files);
}

void ReportTabs::close(int index) {
  ReportTab* tab = at(index);
  if (!tab) return;
  removeTab(index);
  nameTabs();
  tab->deleteLater();  // it may be the sender
}

void ReportTabs::step(int steps) {
  if (count() > 1) setCurrentIndex((currentIndex() + steps + count()) % count());
}

}  // namespace lanescope::ui
