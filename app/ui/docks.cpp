// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/docks.h"

#include <QDockWidget>
#include <QMainWindow>

#include "views/panels/details_panel.h"
#include "views/panels/diagnostics_panel.h"

namespace lanescope::ui {

Docks::Docks(QMainWindow& window, ReportTabs& tabs)
    : QObject(&window), details_(new views::DetailsPanel), diagnostics_(new views::DiagnosticsPanel) {
  window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
  add(window, Qt::RightDockWidgetArea, "details", tr("Details"), details_);
  diagnosticsDock_ = add(window, Qt::BottomDockWidgetArea, "diagnostics", tr("Diagnostics"), diagnostics_);
  diagnosticsDock_->hide();
  connect(&tabs, &ReportTabs::currentReportChanged, this, &Docks::follow);
  connect(diagnosticsDock_, &QDockWidget::visibilityChanged, this, &Docks::fillDiagnostics);
  connect(&views::Theme::instance(), &views::Theme::changed, this, [this] {
    fillDetails();
    fillDiagnostics();
  });
}

QDockWidget* Docks::add(QMainWindow& window, Qt::DockWidgetArea area, const QString& name, const QString& title,
                        QWidget* panel) {
  auto* dock = new QDockWidget(title, &window);
  dock->setObjectName(name);
  dock->setWidget(panel);
  window.addDockWidget(area, dock);
  all_ += dock;
  return dock;
}

void Docks::hideAll() {
  for (QDockWidget* dock : all_) dock->hide();
}

void Docks::showDiagnostics() {
  diagnosticsDock_->show();
  diagnosticsDock_->raise();
}

void Docks::follow(ReportTab* tab) {
  if (tab_) {
    tab_->session().disconnect(this);
    tab_->view().disconnect(this);
  }
  tab_ = tab;
  if (tab) {
    connect(&tab->view(), &views::ViewState::currentChanged, this, &Docks::fillDetails);
    connect(&tab->session(), &Session::phaseChanged, this, &Docks::fillDetails);
    connect(&tab->session(), &Session::phaseChanged, this, &Docks::fillDiagnostics);
  }
  fillDetails();
  fillDiagnostics();
}

void Docks::fillDetails() {
  const auto event = tab_ ? tab_->view().current() : std::nullopt;
  if (!event) {
    details_->setMessage(tr("Click an event to see it here"));
    return;
  }
  const auto fields = tab_->session().fields(*event);
  if (!fields) {
    details_->setMessage(QString::fromStdString(sentence(fields.error())));
    return;
  }
  const trace::Trace& trace = *tab_->view().trace();
  const std::string_view label = (*trace.names)[trace.name(*event)].label;
  details_->setEvent(QString::fromUtf8(label.data(), static_cast<qsizetype>(label.size())), *fields,
                     tab_->session().callStack(*event), QString::fromStdString(tab_->session().ncuCommand(*event)));
}

void Docks::fillDiagnostics() {
  if (!diagnosticsDock_->isVisible()) return;
  if (!tab_ || tab_->session().phase() != Session::Phase::kReady) {
    const bool loading = tab_ && tab_->session().phase() == Session::Phase::kLoading;
    diagnostics_->setMessage(loading ? tr("Loading…") : tr("The report could not be read"));
    return;
  }
  diagnostics_->setReport(tab_->view().trace()->issues, tab_->session().diagnostics());
}

}  // namespace lanescope::ui
