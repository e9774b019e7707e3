// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/failure_page.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/panels/plain_label.h"
#include "views/theme.h"

namespace lanescope::ui {
namespace {

using views::plainLabel;
using views::Theme;

QString capitalised(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

}  // namespace

FailurePage::FailurePage(QWidget* parent)
    : QWidget(parent), title_(plainLabel(this)), what_(plainLabel(this)), remedy_(plainLabel(this)) {
  title_->setFont(Theme::font(6, true));
  remedy_->setFont(Theme::font(1));
  what_->setProperty("tone", "dim");

  auto* again = new QPushButton(tr("Try again"), this);
  auto* close = new QPushButton(tr("Close tab"), this);
  again->setDefault(true);
  connect(again, &QPushButton::clicked, this, &FailurePage::retried);
  connect(close, &QPushButton::clicked, this, &FailurePage::dismissed);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addWidget(again);
  buttons->addWidget(close);
  buttons->addStretch();

  constexpr int kWidth = 560;
  auto* column = new QWidget(this);
  column->setMaximumWidth(kWidth);
  auto* lines = new QVBoxLayout(column);
  lines->setSpacing(8);
  for (QWidget* line : {title_, what_, remedy_}) lines->addWidget(line);
  lines->addSpacing(8);
  lines->addLayout(buttons);

  auto* layout = new QVBoxLayout(this);
  layout->addStretch(2);
  auto* middle = new QHBoxLayout;
  middle->addStretch();
  middle->addWidget(column, kWidth);  // all there is, up to its most
  middle->addStretch();
  layout->addLayout(middle);
  layout->addStretch(3);
}

void FailurePage::setError(const Error& error) {
  const bool stopped = error.code == ErrorCode::kCancelled;
  title_->setText(stopped ? tr("Loading was stopped") : tr("This report cannot be shown"));
  // sentence() reads "FILE: what is wrong; what to do": the page gives the parts a line each. FILE may hold a
  // semicolon too.
  const QString line = QString::fromStdString(sentence(error));
  const qsizetype remedy = line.lastIndexOf("; ");
  what_->setText(line.left(remedy));
  remedy_->setText(remedy < 0 ? QString() : capitalised(line.mid(remedy + 2)));
  remedy_->setVisible(remedy >= 0);
}

QString FailurePage::shown() const { return what_->text() + "; " + remedy_->text(); }

}  // namespace lanescope::ui
