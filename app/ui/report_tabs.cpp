// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/report_tabs.h"

#include <QFileDialog>
#include <QTabBar>
#include <utility>

#include "app/ui/compare_tab.h"

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

ReportTab* ReportTabs::current() const {
  const CompareTab* compared = comparison();
  return compared ? compared->focused() : at(currentIndex());
}

CompareTab* ReportTabs::comparison() const { return qobject_cast<CompareTab*>(currentWidget()); }

ReportTab* ReportTabs::at(int index) const { return qobject_cast<ReportTab*>(widget(index)); }

QString ReportTabs::nameOf(ReportTab* tab) const {
  const auto isCalledSo = [&](int i) { return at(i) && at(i) != tab && at(i)->title() == tab->title(); };
  for (int i = 0; i < count(); ++i)
    if (!tab->session().isTogether() && isCalledSo(i))
      return tab->shownPath().section('/', -2, -2) + '/' + tab->title();
  return tab->title();
}

QString ReportTabs::currentName() const {
  if (const CompareTab* compared = comparison()) return compared->title();
  return current() ? nameOf(current()) : QString();
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
    if (!at(i) || at(i)->session().paths() != files) continue;
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

/// What is open already is not read again, the first time.
Loader ReportTabs::loaderOf(const std::filesystem::path& file) const {
  for (int i = 0; i < count(); ++i) {
    if (!at(i) || at(i)->session().paths() != std::vector{file} || at(i)->session().phase() != Session::Phase::kReady)
      continue;
    return [load = loader_, kept = std::make_shared<trace::TracePtr>(at(i)->view().trace())](
               const std::filesystem::path& path, const report::LoadOptions& options, const report::Publish& publish,
               const Job& job) -> Result<trace::TracePtr> {
      if (auto once = std::exchange(*kept, nullptr)) return once;  // one load at a time
      return load(path, options, publish, job);
    };
  }
  return loader_;
}

CompareTab* ReportTabs::compare(const ReportSource& a, const ReportSource& b) {
  const auto make = [this](const ReportSource& source) {
    const std::filesystem::path file = absolutePath(source.path);
    auto* tab =
        new ReportTab(std::vector{file}, loaderOf(file), KeptViews({}));  // views of one report are not those of a pair
    if (source.origin) tab->setOrigin(source.origin);
    connect(tab, &ReportTab::diagnosticsWanted, this, &ReportTabs::diagnosticsWanted);
    connect(&tab->session(), &Session::phaseChanged, this, [this, tab] {
      if (tab->session().phase() != Session::Phase::kReady) return;
      settings_.addRecentFile(tab->shownPath());
      emit recentFilesChanged();
    });
    return tab;
  };
  auto* tab = new CompareTab({make(a), make(b)});
  tab->setBeside(settings_.comparesBeside());
  connect(tab, &CompareTab::besideChosen, this, [this](bool beside) { settings_.setComparesBeside(beside); });
  connect(tab, &CompareTab::dismissed, this, [this, tab] { close(indexOf(tab)); });
  connect(tab, &CompareTab::focusMoved, this, [this, tab] {
    if (currentWidget() == tab) emit currentReportChanged(current());
  });
  const int index = addTab(tab, {});
  setTabToolTip(index, tr("%1\n%2").arg(tab->side(views::kA).shownPath(), tab->side(views::kB).shownPath()));
  nameTabs();
  setCurrentIndex(index);
  return tab;
}

void ReportTabs::nameTabs() {
  // Exports are often all called the same: then the folder tells them apart.
  for (int i = 0; i < count(); ++i) {
    const auto* compared = qobject_cast<const CompareTab*>(widget(i));
    setTabText(i, (compared ? compared->title() : nameOf(at(i))).replace('&', "&&"));
  }
  emit namesChanged();
}

QStringList ReportTabs::askForFiles(const QString& title) {
  return QFileDialog::getOpenFileNames(this, title, settings_.recentFolder(), fileFilter());
}

QString ReportTabs::fileFilter() {
  QStringList patterns;
  for (const std::string& pattern : imported::knownPatterns()) patterns += QString::fromStdString(pattern);
  return tr("Reports and traces (%1);;All files (*)").arg(patterns.join(' '));
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
  QWidget* tab = widget(index);
  if (!tab) return;
  removeTab(index);
  nameTabs();
  tab->deleteLater();  // it may be the sender
}

void ReportTabs::step(int steps) {
  if (count() > 1) setCurrentIndex((currentIndex() + steps + count()) % count());
}

}  // namespace lanescope::ui
