// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/report_choice.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "views/text.h"

namespace lanescope::ui {

ReportChoice::ReportChoice(QWidget* parent) : QFrame(parent), report_(new QToolButton(this)) {
  setObjectName("reportChoice");
  auto* of = new QLabel(tr("Report"), this);
  of->setProperty("tone", "dim");
  report_->setAccessibleName(tr("Which report this is of"));
  report_->setToolTip(tr("This panel asks the file of one report: that of the current row, or the one chosen here"));
  report_->setProperty("chip", true);
  report_->setPopupMode(QToolButton::InstantPopup);
  report_->setFocusPolicy(Qt::TabFocus);
  report_->setMenu(new QMenu(report_));
  connect(report_->menu(), &QMenu::aboutToShow, this, &ReportChoice::list);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 4, 8, 0);
  layout->setSpacing(8);
  layout->addWidget(of);
  layout->addWidget(report_);
  layout->addStretch(1);
  hide();
}

void ReportChoice::follow(Session* session) {
  if (session_) session_->disconnect(this);
  session_ = session;
  if (session && session->isTogether()) {
    connect(session, &Session::reportChosen, this, &ReportChoice::show);
    connect(session, &Session::phaseChanged, this, &ReportChoice::show);
  }
  show();
}

QString ReportChoice::shown() const { return isHidden() ? QString() : report_->text().trimmed(); }

void ReportChoice::show() {
  const auto* timeline = session_ && session_->oneTimeline() ? &*session_->oneTimeline() : nullptr;
  setVisible(timeline);
  if (!timeline) return;
  // The arrow of the menu stands over the end of the text.
  const QString title = views::toQt(timeline->joined->parts[session_->chosenReport()].title).replace('&', "&&");
  report_->setText(title + QStringLiteral("\u2002\u2002"));
}

void ReportChoice::list() {
  QMenu& menu = *report_->menu();
  menu.clear();
  menu.setToolTipsVisible(true);
  if (!session_ || !session_->oneTimeline()) return;
  const auto& parts = session_->oneTimeline()->joined->parts;
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    QAction* each = menu.addAction(views::toQt(parts[i].title).replace('&', "&&"), this, [this, i] {
      if (session_) session_->chooseReport(i);
    });
    each->setToolTip(views::toQt(parts[i].identity.calledBy().string()));
    each->setCheckable(true);
    each->setChecked(i == session_->chosenReport());
  }
}

}  // namespace lanescope::ui
