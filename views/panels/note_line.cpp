// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/note_line.h"

#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QToolButton>

#include "views/panels/breakable.h"
#include "views/panels/plain_label.h"

namespace lanescope::views {

NoteLine::NoteLine(QWidget* parent) : QFrame(parent), line_(plainLabel(this)) {
  setObjectName("noteLine");
  setAccessibleName(tr("Note about this view"));
  auto* close = new QToolButton(this);
  close->setIcon(QIcon(QStringLiteral(":/icons/dock-close.svg")));
  close->setToolTip(tr("Hide this line"));
  close->setAccessibleName(tr("Hide this line"));
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 2, 8, 2);
  row->setSpacing(8);
  row->addWidget(line_, 1);
  row->addWidget(close);
  hide();
}

void NoteLine::say(const QString& sentence) {
  sentence_ = sentence;
  line_->setText(breakable(sentence));  // a path has no spaces
  line_->setAccessibleName(sentence);
  show();
}

QString NoteLine::text() const { return sentence_; }

}  // namespace lanescope::views
