// SPDX-License-Identifier: GPL-3.0-or-later
// The menus about rows and marks, and the entries of File about the view.
#include <QDir>
#include <QFileDialog>
#include <QMenuBar>

#include "app/ui/menus.h"
#include "app/ui/view_keeper.h"
#include "views/timeline/arrange.h"
#include "views/timeline/commands.h"
#include "views/timeline/row_line.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {

using views::RowPreset;
using views::RowSort;
using views::ViewState;

void Menus::addRows() {
  QMenu& menu = *window_.menuBar()->addMenu(tr("&Rows"));
  needReport_ += menu.addAction(tr("&Find a row…"), QKeySequence("Ctrl+R"), this, [this] {
    if (ReportTab* tab = tabs_.current()) tab->timeline().rowLine()->find();
  });
  menu.addSeparator();
  addCommand(menu, tr("&Pin or unpin"), {}, QKeySequence("Ctrl+P"),
             [](ViewState& view) { views::togglePin(view, view.currentRow()); });
  addCommand(menu, tr("&Unpin all"), {}, {}, views::unpinAll);
  addCommand(menu, tr("Mo&ve up"), {}, QKeySequence("Alt+Up"),
             [](ViewState& view) { views::moveRow(view, view.currentRow(), -1); });
  addCommand(menu, tr("Move &down"), {}, QKeySequence("Alt+Down"),
             [](ViewState& view) { views::moveRow(view, view.currentRow(), 1); });
  addCommand(menu, tr("&Hide"), {}, QKeySequence("Ctrl+H"),
             [](ViewState& view) { views::hideRow(view, view.currentRow()); });
  addCommand(menu, tr("&Show hidden rows"), {}, QKeySequence("Ctrl+Shift+H"), views::showHiddenRows);
  menu.addSeparator();
  addCommand(menu, tr("&Expand all below"), {}, QKeySequence("Ctrl+Shift+Right"), [](ViewState& view) {
    if (view.currentRow() != trace::kNone) view.setExpandedBelow(view.currentRow(), true);
  });
  addCommand(menu, tr("&Collapse all below"), {}, QKeySequence("Ctrl+Shift+Left"), [](ViewState& view) {
    if (view.currentRow() != trace::kNone) view.setExpandedBelow(view.currentRow(), false);
  });
  menu.addSeparator();
  QMenu& only = *menu.addMenu(tr("Show &only"));
  addCommand(only, tr("&GPU"), {}, {}, [](ViewState& view) { showOnly(view, RowPreset::kGpuOnly); });
  addCommand(only, tr("&Process of the current row"), {}, {},
             [](ViewState& view) { showOnly(view, RowPreset::kOneProcess); });
  addCommand(only, tr("&Communication (copies, NCCL, MPI)"), {}, {},
             [](ViewState& view) { showOnly(view, RowPreset::kCommunication); });
  addCommand(only, tr("&All rows"), {}, {}, [](ViewState& view) { showOnly(view, RowPreset::kAll); });
  QMenu& sort = *menu.addMenu(tr("Sort s&treams and threads"));
  addCommand(sort, tr("By &name"), {}, {}, [](ViewState& view) { sortRows(view, RowSort::kName); });
  addCommand(sort, tr("By n&umber"), {}, {}, [](ViewState& view) { sortRows(view, RowSort::kNumber); });
  addCommand(sort, tr("By &busy time"), {}, {}, [](ViewState& view) { sortRows(view, RowSort::kBusyTime); });
  addCommand(sort, tr("By &first event"), {}, {}, [](ViewState& view) { sortRows(view, RowSort::kFirstEvent); });
  addCommand(sort, tr("&As recorded"), {}, {}, [](ViewState& view) { sortRows(view, RowSort::kAsRecorded); });
}

void Menus::addMarks() {
  QMenu& menu = *window_.menuBar()->addMenu(tr("&Marks"));
  addCommand(menu, tr("&Mark here"), {}, QKeySequence("Ctrl+M"), views::addMark);
  addCommand(menu, tr("Mark the &selection"), {}, QKeySequence("Ctrl+Shift+M"), views::markSelection);
  addCommand(menu, tr("&Next mark"), {}, QKeySequence("Alt+Right"), [](ViewState& view) { stepMark(view, true); });
  addCommand(menu, tr("&Previous mark"), {}, QKeySequence("Alt+Left"), [](ViewState& view) { stepMark(view, false); });
  menu.addSeparator();
  addCommand(menu, tr("M&easure from here, to here"), "X", {}, views::measureHere);
}

void Menus::addKeptView(QMenu& menu) {
  const QString kinds = tr("Views (*.lanescope-view);;All files (*)");
  needReport_ += menu.addAction(tr("&Export view…"), this, [this, kinds] {
    ReportTab* tab = tabs_.current();
    if (!tab) return;
    const QString usual = QDir(settings_.recentFolder()).filePath(tab->session().fileName() + ".lanescope-view");
    QString file = QFileDialog::getSaveFileName(&window_, tr("Export view"), usual, kinds);
    if (file.isEmpty()) return;
    if (!file.contains('.')) file += ".lanescope-view";
    if (const auto written = tab->keeper().exportTo(file); !written) tab->say(written.error());
  });
  needReport_ += menu.addAction(tr("&Import view…"), this, [this, kinds] {
    ReportTab* tab = tabs_.current();
    if (!tab) return;
    const QString file = QFileDialog::getOpenFileName(&window_, tr("Import view"), settings_.recentFolder(), kinds);
    if (file.isEmpty()) return;
    if (const auto read = tab->keeper().importFrom(file); !read) tab->say(read.error());
  });
}

}  // namespace lanescope::ui
