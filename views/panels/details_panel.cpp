// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/details_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "views/elided.h"
#include "views/panels/breakable.h"
#include "views/panels/field_tree.h"
#include "views/panels/plain_label.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr qsizetype kMostShown = 400, kMostInTip = 4000;  // characters of a name
constexpr int kCopiedMs = 1500;
constexpr int kBesideText = 3;  // pixels that the style leaves before the text of trees and of flat buttons

void showName(QLabel* label, const QString& name) {
  label->setText(breakable(name.size() > kMostShown ? name.left(kMostShown) + QChar(0x2026) : name));
  label->setToolTip(name.size() > kMostShown ? name.left(kMostInTip).toHtmlEscaped() : QString());
}

}  // namespace

DetailsPanel::DetailsPanel(QWidget* parent)
    : QWidget(parent),
      title_(plainLabel(this)),
      whole_(plainLabel(this)),
      message_(plainLabel(this)),
      fields_(new FieldTree(this)),
      ncu_(new QWidget(this)),
      command_(new QLineEdit(ncu_)),
      copyCommand_(new QPushButton(ncu_)),
      copyAll_(new QPushButton(this)) {
  whole_->setProperty("tone", "dim");
  message_->setProperty("tone", "dim");

  auto* heading = new ElidedLabel(tr("Profile this launch with Nsight Compute"), ncu_);
  heading->setProperty("tone", "dim");
  heading->setBuddy(command_);
  command_->setReadOnly(true);
  command_->setObjectName("ncuCommand");
  command_->setAccessibleName(tr("Nsight Compute command"));
  copyCommand_->setObjectName("copyNcuCommand");
  copyCommand_->setAccessibleName(tr("Copy the Nsight Compute command"));
  connect(copyCommand_, &QPushButton::clicked, this, &DetailsPanel::copyCommand);
  auto* ncuLayout = new QGridLayout(ncu_);
  ncuLayout->setContentsMargins(kBesideText, 8, 0, 0);
  ncuLayout->setSpacing(4);
  ncuLayout->addWidget(heading, 0, 0, 1, 2);
  ncuLayout->addWidget(command_, 1, 0);
  ncuLayout->addWidget(copyCommand_, 1, 1);
  ncuLayout->setColumnStretch(0, 1);

  copyAll_->setObjectName("copyAll");
  copyAll_->setFlat(true);
  copyAll_->setAccessibleName(tr("Copy all details"));
  connect(copyAll_, &QPushButton::clicked, this, &DetailsPanel::copyAll);
  connect(fields_, &FieldTree::eventWanted, this, &DetailsPanel::eventWanted);
  copyCommand_->setText(tr("Copy"));
  copyAll_->setText(tr("Copy all"));
  // "Copied" is wider than "Copy": the button keeps its width while it says so.
  const QString longer = tr("Copied");
  copyCommand_->setMinimumWidth(copyCommand_->sizeHint().width() +
                                copyCommand_->fontMetrics().horizontalAdvance(longer) -
                                copyCommand_->fontMetrics().horizontalAdvance(copyCommand_->text()));

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12 - kBesideText, 8, 12, 8);
  for (QLabel* label : {title_, whole_, message_}) label->setContentsMargins(kBesideText, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(title_);
  layout->addWidget(whole_);
  layout->addSpacing(4);
  layout->addWidget(message_);
  layout->addWidget(fields_, 1);
  layout->addWidget(ncu_);
  layout->addWidget(copyAll_, 0, Qt::AlignLeft);
  layout->addStretch(0);
  setTabOrder(fields_, command_);
  setTabOrder(command_, copyCommand_);
  setTabOrder(copyCommand_, copyAll_);
  setMessage(tr("Click an event to see it here"));
}

void DetailsPanel::setEvent(const QString& label, const std::vector<report::Field>& fields,
                            const report::CallStack& stack, const QString& ncuCommand) {
  title_->setFont(Theme::font(2, true));
  whole_->setFont(Theme::figures(-1));
  command_->setFont(Theme::figures(-1));
  showName(title_, label);
  name_ = label;
  for (const report::Field& field : fields) {
    if (field.label == "Name") name_ = QString::fromStdString(field.value);
  }
  showName(whole_, name_);
  whole_->setVisible(name_ != label);
  fields_->setFields(fields, stack);
  command_->setText(ncuCommand);
  command_->setCursorPosition(0);
  command_->setToolTip(ncuCommand.left(kMostInTip).toHtmlEscaped());
  copyCommand_->setText(tr("Copy"));
  copyAll_->setText(tr("Copy all"));
  ncu_->setVisible(!ncuCommand.isEmpty());
  for (QWidget* part : std::initializer_list<QWidget*>{title_, fields_, copyAll_}) part->show();
  message_->hide();
}

void DetailsPanel::setMessage(const QString& message) {
  message_->setText(message);
  message_->show();
  for (QWidget* part : std::initializer_list<QWidget*>{title_, whole_, fields_, ncu_, copyAll_}) part->hide();
}

QString DetailsPanel::allText() const {
  QString text = tr("Name") + '\t' + name_ + '\n' + fields_->allText();
  if (!command_->text().isEmpty()) text += '\n' + command_->text();
  return text;
}

void DetailsPanel::copyAll() {
  QApplication::clipboard()->setText(allText());
  showCopied(copyAll_);
}

void DetailsPanel::copyCommand() {
  QApplication::clipboard()->setText(command_->text());
  showCopied(copyCommand_);
}

void DetailsPanel::showCopied(QPushButton* button) {
  button->setText(tr("Copied"));
  QTimer::singleShot(kCopiedMs, button,
                     [this, button] { button->setText(button == copyAll_ ? tr("Copy all") : tr("Copy")); });
}

}  // namespace lanescope::views
