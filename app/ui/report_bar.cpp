// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/report_bar.h"

#include <QLayout>
#include <QMenu>

#include "model/analysis/losses.h"
#include "views/elided.h"
#include "views/panels/find_bar.h"
#include "views/panels/losses.h"
#include "views/panels/search.h"
#include "views/restyle.h"

namespace lanescope::ui {

ReportBar::ReportBar(ReportTabs& tabs, QWidget* parent)
    : QToolBar(tr("Toolbar"), parent),
      tabs_(tabs),
      report_(new views::ElidedPushButton(this)),
      find_(new views::FindBar(this)),
      losses_(new views::ElidedPushButton(this)) {
  setObjectName("reportBar");
  setMovable(false);
  setFloatable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);  // the status line must not be hidden

  report_->setObjectName("reportName");
  report_->setMenu(new QMenu(report_));
  report_->setAccessibleName(tr("Report"));
  connect(report_->menu(), &QMenu::aboutToShow, this, &ReportBar::listReports);
  addWidget(report_);
  addWidget(find_);
  connect(find_, &views::FindBar::left, this, [this] {
    if (tab_) tab_->setFocus();
  });

  auto* gap = new QWidget(this);
  gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(gap);

  losses_->setObjectName("lossStatus");
  losses_->setFlat(true);
  losses_->setToolTip(tr("Show what was lost in Diagnostics"));
  losses_->setAccessibleName(tr("Losses"));
  connect(losses_, &QPushButton::clicked, this, &ReportBar::diagnosticsWanted);
  addWidget(losses_);

  connect(&tabs_, &ReportTabs::currentReportChanged, this, &ReportBar::follow);
  connect(&tabs_, &ReportTabs::namesChanged, this, &ReportBar::showName);
}

QString ReportBar::status() const { return losses_->text(); }

void ReportBar::follow(ReportTab* tab) {
  if (tab_) {
    tab_->session().disconnect(this);
    tab_->view().disconnect(this);
  }
  tab_ = tab;
  find_->setSearch(tab ? &views::Search::of(tab->view()) : nullptr);
  if (!tab) return;
  showName();
  connect(&tab->session(), &Session::phaseChanged, this, &ReportBar::showStatus);
  connect(&tab->view(), &views::ViewState::traceChanged, this, &ReportBar::showStatus);
  showStatus();
}

void ReportBar::showName() {
  if (!tab_) return;
  // The style sheet's padding does not reach the text of a left-aligned button with a menu; an en space does.
  report_->setText(QStringLiteral("\u2002") + tabs_.currentName().replace('&', "&&"));
  report_->setToolTip(tab_->shownPath());
}

void ReportBar::showStatus() {
  const Session& session = tab_->session();
  const bool lost = !analysis::affected(*tab_->view().trace()).empty();
  switch (session.phase()) {
    case Session::Phase::kLoading:
      losses_->setText(tr("loading…"));
      break;
    case Session::Phase::kFailed:
      losses_->setText(tr("not loaded"));
      break;
    case Session::Phase::kReady:
      losses_->setText(views::lossSummary(*tab_->view().trace()));
      break;
  }
  views::restyle(*losses_, "tone", session.phase() == Session::Phase::kReady && lost ? "warning" : "dim");
  layout()->activate();  // or the text is cut until the next event
}

void ReportBar::listReports() {
  QMenu& menu = *report_->menu();
  menu.clear();
  for (int i = 0; i < tabs_.count(); ++i) {
    QAction* report = menu.addAction(tabs_.tabText(i));
    report->setToolTip(tabs_.tabToolTip(i));
    report->setCheckable(true);
    report->setChecked(i == tabs_.currentIndex());
    connect(report, &QAction::triggered, &tabs_, [this, i] { tabs_.setCurrentIndex(i); });
  }
  menu.addSeparator();
  menu.addAction(tr("Open…"), &tabs_, &ReportTabs::choose);
}

}  // namespace lanescope::ui
