// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/menus.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenuBar>

#include "app/ui/colour_menu.h"
#include "app/ui/command_palette.h"
#include "app/ui/compare_dialog.h"
#include "app/ui/compare_menu.h"
#include "app/ui/help_place.h"
#include "app/ui/key_sheet.h"
#include "app/version.h"
#include "views/dialogs/go_to_time.h"
#include "views/dialogs/help_sheet.h"
#include "views/panels/find_bar.h"
#include "views/timeline/commands.h"
#include "views/timeline/filtering.h"
#include "views/timeline/picture.h"
#include "views/timeline/timeline.h"
#include "views/timeline/trail.h"

namespace lanescope::ui {

using views::Theme;

Menus::Menus(QMainWindow& window, ReportTabs& tabs, Docks& docks, ReportBar& bar, Settings& settings)
    : QObject(&window), window_(window), tabs_(tabs), docks_(docks), bar_(bar), settings_(settings) {
  addFile();
  addView();
  addGo();
  addRows();
  addMarks();
  new CompareMenu(*window_.menuBar()->addMenu(tr("&Compare")), tabs_, docks_, window_);
  addHelp();
  connect(&tabs_, &ReportTabs::currentReportChanged, this, &Menus::follow);
  enableCommands();
}

void Menus::addFile() {
  QMenu& menu = *window_.menuBar()->addMenu(tr("&File"));
  menu.addAction(tr("&Open…"), QKeySequence::Open, &tabs_, &ReportTabs::choose);
  menu.addAction(tr("Open to&gether…"), QKeySequence("Ctrl+Alt+O"), &tabs_, &ReportTabs::chooseTogether);
  menu.addAction(tr("Open re&mote…"), QKeySequence("Ctrl+Shift+O"), &tabs_, [this] { emit tabs_.remoteWanted({}); });
  QMenu* recent = menu.addMenu(tr("Open &recent"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { listRecent(*recent); });
  menu.addAction(tr("Recor&d…"), QKeySequence(Qt::CTRL | Qt::Key_N), this, &Menus::recordWanted);
  menu.addAction(tr("Comp&are…"), QKeySequence("Ctrl+D"), &tabs_,
                 [this] { (new CompareDialog(tabs_, settings_.recentFiles(), &window_))->open(); });
  needReport_ += menu.addAction(tr("Save &picture…"), QKeySequence("Ctrl+Shift+S"), &tabs_, [this] {
    if (ReportTab* tab = tabs_.current())
      views::savePicture(tab->timeline(), QFileInfo(tab->session().fileName()).completeBaseName());
  });
  menu.addSeparator();
  addKeptView(menu);
  menu.addSeparator();
  needReport_ += menu.addAction(tr("&Close tab"), QKeySequence(Qt::CTRL | Qt::Key_W), &tabs_,
                                [this] { tabs_.close(tabs_.currentIndex()); });
  menu.addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), &window_, &QWidget::close);
}

void Menus::listRecent(QMenu& menu) {
  menu.clear();
  for (const QString& path : settings_.recentFiles()) {
    const QFileInfo file(path);
    if (!file.exists() && !remote::isSshAddress(path.toStdString())) continue;
    QAction* open = menu.addAction(file.fileName().replace('&', "&&"), &tabs_, [this, path] { tabs_.openNamed(path); });
    open->setToolTip(path);
  }
  menu.setToolTipsVisible(true);
  if (menu.isEmpty()) {
    menu.addAction(tr("No recent reports"))->setEnabled(false);
    return;
  }
  menu.addSeparator();
  menu.addAction(tr("Clear this list"), this, [this] {
    settings_.clearRecentFiles();
    emit tabs_.recentFilesChanged();
  });
}

QAction* Menus::addCommand(QMenu& menu, const QString& text, const QString& hint, const QKeySequence& key,
                           Command command) {
  QAction* action = menu.addAction(hint.isEmpty() ? text : text + '\t' + hint);
  if (!key.isEmpty()) action->setShortcut(key);
  connect(action, &QAction::triggered, this, [this, command] {
    if (ReportTab* tab = tabs_.current()) command(tab->view());
  });
  needReport_ += action;
  return action;
}

void Menus::addView() {
  QMenu& menu = *window_.menuBar()->addMenu(tr("&View"));
  addCommand(menu, tr("Zoom &in"), "W", {}, [](views::ViewState& view) { views::zoomIn(view); });
  addCommand(menu, tr("Zoom &out"), "S", {}, [](views::ViewState& view) { views::zoomOut(view); });
  addCommand(menu, tr("&Fit all"), "Home", {}, [](views::ViewState& view) { view.fitAll(); });
  addCommand(menu, tr("Fit &GPU work"), "G", {}, views::fitGpuWork);
  zoomToSelection_ =
      addCommand(menu, tr("&Zoom to selection"), "Z", {}, [](views::ViewState& view) { view.zoomToSelection(); });
  undoZoom_ = addCommand(menu, tr("&Undo zoom"), "Backspace", {},
                         [](views::ViewState& view) { views::Trail::of(view).undoZoom(); });
  menu.addSeparator();
  addCommand(menu, tr("&Taller rows"), {}, QKeySequence("Ctrl+Shift+Up"), views::tallerRows);
  addCommand(menu, tr("&Lower rows"), {}, QKeySequence("Ctrl+Shift+Down"), views::lowerRows);
  addCommand(menu, tr("&Expand all"), {}, QKeySequence("Ctrl+E"),
             [](views::ViewState& view) { view.setAllExpanded(true); });
  addCommand(menu, tr("&Collapse all"), {}, QKeySequence("Ctrl+Shift+E"),
             [](views::ViewState& view) { view.setAllExpanded(false); });
  menu.addSeparator();
  // The tenth has the 0 and the one after it the key behind that, as on the keyboard. Again hides it.
  for (int number = 1; QDockWidget * dock : docks_.all()) {
    const QString key = number <= 10 ? QStringLiteral("Alt+%1").arg(number % 10) : QStringLiteral("Alt+=");
    ++number;
    needReport_ += menu.addAction(dock->windowTitle(), QKeySequence(key), &docks_, [this, dock] { docks_.use(*dock); });
  }
  menu.addSeparator();
  addTheme(*menu.addMenu(tr("T&heme")));
  new ColourMenu(*menu.addMenu(tr("Colour &by")), tabs_, settings_, &window_);
  addTextSize(*menu.addMenu(tr("Te&xt size")));
}

void Menus::addTheme(QMenu& menu) {
  auto* group = new QActionGroup(&menu);
  const auto add = [&](const QString& text, Theme::Mode mode) {
    QAction* action = menu.addAction(text, this, [this, mode] {
      settings_.setTheme(mode);
      Theme::instance().setMode(mode);
    });
    action->setCheckable(true);
    action->setChecked(Theme::instance().mode() == mode);
    group->addAction(action);
  };
  add(tr("&Follow the desktop"), Theme::Mode::kFollowDesktop);
  add(tr("&Light"), Theme::Mode::kLight);
  add(tr("&Dark"), Theme::Mode::kDark);
}

void Menus::addTextSize(QMenu& menu) {
  constexpr double kStep = 0.1;
  const auto add = [&](const QString& text, QList<QKeySequence> keys, double step) {
    QAction* action = menu.addAction(text, this, [this, step] {
      Theme& theme = Theme::instance();
      theme.setFontScale(step == 0 ? 1 : theme.fontScale() + step);
      settings_.setFontScale(theme.fontScale());
    });
    action->setShortcuts(std::move(keys));
  };
  add(tr("&Larger"), {QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")}, kStep);
  add(tr("&Smaller"), {QKeySequence("Ctrl+-")}, -kStep);
  add(tr("&As it was"), {QKeySequence("Ctrl+0")}, 0);
}

void Menus::addGo() {
  QMenu& menu = *window_.menuBar()->addMenu(tr("&Go"));
  views::FindBar* find = &bar_.find();
  needReport_ += menu.addAction(tr("&Find…"), QKeySequence(Qt::CTRL | Qt::Key_F), find, &views::FindBar::focus);
  needReport_ += menu.addAction(tr("Find ne&xt"), QKeySequence(Qt::Key_F3), find, [find] { find->step(true); });
  needReport_ +=
      menu.addAction(tr("Find pre&vious"), QKeySequence(Qt::SHIFT | Qt::Key_F3), find, [find] { find->step(false); });
  menu.addSeparator();
  needReport_ += menu.addAction(tr("Fi&lter…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), &tabs_, [this] {
    if (ReportTab* tab = tabs_.current()) tab->timeline().filterBar()->focus();
  });
  needReport_ += menu.addAction(tr("G&o to time…"), QKeySequence("Ctrl+G"), &tabs_, [this] {
    const auto show = [this](trace::TimeRange place) {
      if (ReportTab* tab = tabs_.current()) views::showPlace(tab->view(), place);
    };
    if (ReportTab* tab = tabs_.current()) (new views::GoToTime(tab->view().trace()->range, show, &window_))->open();
  });
  addCommand(menu, tr("Filter and &zoom in"), {}, QKeySequence("Ctrl+Shift+Z"),
             [](views::ViewState& view) { views::Filtering::of(view).filterAndZoomIn(); });
  addCommand(menu, tr("Re&move filter"), {}, QKeySequence("Ctrl+Shift+R"),
             [](views::ViewState& view) { views::Filtering::of(view).clear(); });
  menu.addSeparator();
  addCommand(menu, tr("&Next row"), "Down", {}, [](views::ViewState& view) { views::stepRow(view, 1); });
  addCommand(menu, tr("&Previous row"), "Up", {}, [](views::ViewState& view) { views::stepRow(view, -1); });
  addCommand(menu, tr("Next &event"), "N  .", {}, [](views::ViewState& view) { views::stepEvent(view, true); });
  addCommand(menu, tr("P&revious event"), "P  ,", {}, [](views::ViewState& view) { views::stepEvent(view, false); });
  addCommand(menu, tr("&Jump along the arrow"), "J", {}, views::jumpToPartner);
  addCommand(menu, tr("To what it le&d to"), "]", {}, [](views::ViewState& view) { followCorrelation(view, true); });
  addCommand(menu, tr("To &what led to it"), "[", {}, [](views::ViewState& view) { followCorrelation(view, false); });
  addCommand(menu, tr("Next lon&gest event"), "L", {}, [](views::ViewState& view) { stepLongest(view, true); });
  addCommand(menu, tr("Next act&ivity"), "T", {}, [](views::ViewState& view) { stepActivity(view, true); });
  addCommand(menu, tr("Previous activit&y"), "Shift+T", {}, [](views::ViewState& view) { stepActivity(view, false); });
  menu.addSeparator();
  addCommand(menu, tr("&Select the event's time"), "M", {}, views::selectCurrent);
  addCommand(menu, tr("&Clear selection"), "Esc", {}, [](views::ViewState& view) { view.clear(); });
  menu.addSeparator();
  needReport_ += menu.addAction(tr("Next &tab"), QKeySequence("Ctrl+Tab"), &tabs_, [this] { tabs_.step(1); });
  needReport_ +=
      menu.addAction(tr("Previous t&ab"), QKeySequence("Ctrl+Shift+Tab"), &tabs_, [this] { tabs_.step(-1); });
}

void Menus::addHelp() {
  QMenu& menu = *window_.menuBar()->addMenu(tr("&Help"));
  menu.addAction(tr("&Help"), QKeySequence::HelpContents, &window_,
                 [this] { openHelp(&window_, helpPlace(tabs_.current())); });
  menu.addAction(tr("&First steps"), &window_, [this] { openHelp(&window_, "index"); });
  menu.addAction(tr("&Keys and gestures"), QKeySequence("?"), &window_,
                 [this] { showKeySheet(&window_, *window_.menuBar()); });
  menu.addAction(tr("&Commands…"), QKeySequence("Ctrl+Shift+P"), &window_,
                 [this] { (new CommandPalette(*window_.menuBar(), &window_))->open(); });
  menu.addAction(tr("&About Lanescope"), &window_, [this] { views::showAbout(&window_, LANESCOPE_VERSION); });
}

/// At every change: a command is asked for by keys and by name too, without its menu being opened before.
void Menus::follow(ReportTab* tab) {
  for (const QMetaObject::Connection& each : followed_) disconnect(each);
  followed_.clear();
  if (tab)
    for (const auto changed : {&views::ViewState::visibleChanged, &views::ViewState::selectionChanged,
                               &views::ViewState::currentChanged, &views::ViewState::traceChanged})
      followed_ += connect(&tab->view(), changed, this, &Menus::enableCommands);
  enableCommands();
}

void Menus::enableCommands() {
  ReportTab* tab = tabs_.current();
  for (QAction* action : needReport_) action->setEnabled(tab);
  zoomToSelection_->setEnabled(tab && (tab->view().selection() || tab->view().current()));
  undoZoom_->setEnabled(tab && tab->view().canUndoZoom());
}

}  // namespace lanescope::ui
