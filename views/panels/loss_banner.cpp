// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/loss_banner.h"

#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QToolButton>

#include "model/analysis/losses.h"
#include "model/format.h"
#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

/// Issues, each once, most important first.
std::vector<std::size_t> lostIssues(const trace::Trace& trace) {
  std::vector<std::size_t> issues;
  for (const analysis::Loss& loss : analysis::affected(trace))
    if (issues.empty() || issues.back() != loss.issue) issues.push_back(loss.issue);
  return issues;
}

}  // namespace

QString bannerText(const trace::Trace& trace) {
  const std::vector<std::size_t> issues = lostIssues(trace);
  if (issues.empty()) return {};
  QString text = toQt(trace.issues[issues.front()].text);
  if (issues.size() > 1) text += LossBanner::tr(" (and %1 more)").arg(toQt(formatCount(issues.size() - 1)));
  return text;
}

LossBanner::LossBanner(QWidget* parent)
    : QFrame(parent),
      icon_(new QLabel(QStringLiteral("⚠"), this)),
      line_(new QLabel(this)),
      close_(new QToolButton(this)) {
  setObjectName("lossBanner");
  setAccessibleName(tr("What this report lost"));
  icon_->setProperty("tone", "warning");
  line_->setTextFormat(Qt::PlainText);
  line_->setMinimumWidth(40);
  line_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* details = new QPushButton(tr("Details"), this);
  details->setObjectName("lossDetails");
  details->setFlat(true);
  details->setAccessibleName(tr("Show all losses in Diagnostics"));
  connect(details, &QPushButton::clicked, this, &LossBanner::detailsWanted);
  close_->setObjectName("lossClose");
  close_->setIcon(QIcon(QStringLiteral(":/icons/dock-close.svg")));
  close_->setToolTip(tr("Hide this line"));
  close_->setAccessibleName(tr("Hide this line"));
  close_->setFocusPolicy(Qt::StrongFocus);
  connect(close_, &QToolButton::clicked, this, [this] {
    closed_ = true;
    hide();
  });
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 2, 8, 2);
  row->setSpacing(8);
  row->addWidget(icon_);
  row->addWidget(line_, 1);
  row->addWidget(details);
  row->addWidget(close_);
  hide();
}

void LossBanner::setTrace(const trace::Trace& trace) {
  text_ = bannerText(trace);
  QString all;
  for (const std::size_t issue : lostIssues(trace)) all += (all.isEmpty() ? "" : "\n") + toQt(trace.issues[issue].text);
  line_->setToolTip("<p style='white-space:pre-wrap'>" + all.toHtmlEscaped() + "</p>");
  line_->setAccessibleName(text_);
  fit();
  setVisible(!text_.isEmpty() && !closed_);
}

void LossBanner::fit() { line_->setText(line_->fontMetrics().elidedText(text_, Qt::ElideRight, line_->width())); }

void LossBanner::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  layout()->activate();
  fit();
}

}  // namespace lanescope::views
