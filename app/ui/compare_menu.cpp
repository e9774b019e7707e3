// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare_menu.h"

#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <limits>

#include "app/ui/compare_tab.h"
#include "app/ui/options.h"
#include "views/compare/compare_bar.h"

namespace lanescope::ui {
namespace {

using compare::AlignBy;
using compare::AlignRequest;

QString tr(const char* text) { return CompareMenu::tr(text); }

/// Asks for one thing; `accepted(dialog)` says whether it will do.
QInputDialog* ask(QWidget& window, const QString& title, const QString& label) {
  auto* dialog = new QInputDialog(&window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName("alignBy");
  dialog->setWindowTitle(title);
  dialog->setLabelText(label);
  return dialog;
}

void askNumber(QWidget& window, const std::function<void(AlignRequest)>& wanted) {
  QInputDialog* dialog = ask(window, tr("Align iterations"), tr("Which iteration, counted from 1"));
  dialog->setInputMode(QInputDialog::IntInput);
  dialog->setIntRange(1, std::numeric_limits<int>::max());
  QObject::connect(dialog, &QInputDialog::intValueSelected, dialog, [wanted](int number) {
    AlignRequest request;
    request.by = AlignBy::kIteration;
    request.index = static_cast<std::uint32_t>(number - 1);
    wanted(request);
  });
  dialog->open();
}

void askRange(QWidget& window, const std::function<void(AlignRequest)>& wanted) {
  QInputDialog* dialog =
      ask(window, tr("Align NVTX ranges"), tr("Text of the range; the first of each report is taken"));
  QObject::connect(dialog, &QInputDialog::textValueSelected, dialog, [wanted](const QString& text) {
    AlignRequest request;
    request.by = AlignBy::kRange;
    request.range = text.trimmed().toStdString();
    if (!request.range.empty()) wanted(request);
  });
  dialog->open();
}

void askOffset(QWidget& window, const std::function<void(AlignRequest)>& wanted) {
  QInputDialog* dialog = ask(window, tr("Align by an offset"), tr("How much later it is in B: 1.5ms, -20us"));
  QObject::connect(dialog, &QInputDialog::textValueSelected, dialog, [wanted, dialog](const QString& text) {
    AlignRequest request;
    request.by = AlignBy::kOffset;
    if (const auto offset = parseTime(text.trimmed().toStdString())) {
      request.offset = *offset;
      return wanted(request);
    }
    dialog->setLabelText(tr("%1 is no time: write it as 1.5ms or -20us").arg(text.left(40)));
    QMetaObject::invokeMethod(dialog, &QDialog::open, Qt::QueuedConnection);
  });
  dialog->setAttribute(Qt::WA_DeleteOnClose, false);  // it may be asked again
  QObject::connect(dialog, &QDialog::rejected, dialog, &QObject::deleteLater);
  dialog->open();
}

}  // namespace

void addAlignments(QMenu& menu, QWidget& window, std::function<void(AlignRequest)> wanted) {
  const auto add = [&](const QString& text, AlignBy by) {
    menu.addAction(text, &window, [wanted, by] {
      AlignRequest request;
      request.by = by;
      wanted(request);
    });
  };
  add(tr("By &work"), AlignBy::kWork);
  add(tr("By start of the &recording"), AlignBy::kCaptureStart);
  add(tr("By &first GPU work"), AlignBy::kFirstGpuWork);
  menu.addSeparator();
  menu.addAction(tr("By an &iteration…"), &window, [&window, wanted] { askNumber(window, wanted); });
  menu.addAction(tr("By an &NVTX range…"), &window, [&window, wanted] { askRange(window, wanted); });
  add(tr("By the two current &events"), AlignBy::kEvent);
  menu.addAction(tr("By an &offset…"), &window, [&window, wanted] { askOffset(window, wanted); });
}

CompareMenu::CompareMenu(QMenu& menu, ReportTabs& tabs, Docks& docks, QMainWindow& window)
    : QObject(&menu), tabs_(tabs) {
  const auto add = [&](const QString& text, const QKeySequence& key, auto act) {
    QAction* action = menu.addAction(text, this, [this, act] {
      if (CompareTab* tab = tabs_.comparison()) act(*tab);
      follow();  // a checked one is as it is in the tab
    });
    action->setShortcut(key);
    needComparison_ += action;
    return action;
  };
  linked_ =
      add(tr("&Linked"), QKeySequence("Ctrl+L"), [](CompareTab& tab) { tab.links().setLinked(!tab.links().linked()); });
  QMenu* align = menu.addMenu(tr("&Align"));
  addAlignments(*align, window, [&tabs](AlignRequest request) {
    if (CompareTab* tab = tabs.comparison()) tab->align(std::move(request));
  });
  needComparison_ += align->actions();
  menu.addSeparator();
  beside_ = add(tr("&Side by side"), {}, [](CompareTab& tab) { emit tab.bar().besideWanted(!tab.isBeside()); });
  differing_ = add(tr("&Only rows that differ"), {},
                   [](CompareTab& tab) { emit tab.bar().onlyDifferingWanted(!tab.links().onlyDiffering()); });
  for (QAction* each : {linked_, beside_, differing_}) each->setCheckable(true);
  menu.addSeparator();
  add(tr("&Next biggest change"), QKeySequence("Ctrl+B"), [](CompareTab& tab) { tab.links().stepChange(true); });
  add(tr("&Previous biggest change"), QKeySequence("Ctrl+Shift+B"),
      [](CompareTab& tab) { tab.links().stepChange(false); });
  add(tr("&Table of changes"), QKeySequence("Alt+-"), [&docks](CompareTab&) { docks.use(docks.comparison()); });
  add(tr("To the ot&her one"), QKeySequence("F6"), [](CompareTab& tab) { tab.focusOther(); });
  connect(&tabs, &ReportTabs::currentReportChanged, this, &CompareMenu::follow);
  connect(&menu, &QMenu::aboutToShow, this, &CompareMenu::follow);
  follow();
}

void CompareMenu::follow() {
  CompareTab* tab = tabs_.comparison();
  for (QAction* action : needComparison_) action->setEnabled(tab);
  linked_->setChecked(tab && tab->links().linked());
  beside_->setChecked(tab && tab->isBeside());
  differing_->setChecked(tab && tab->links().onlyDiffering());
}

}  // namespace lanescope::ui
