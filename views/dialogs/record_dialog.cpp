// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/record_dialog.h"

#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace lanescope::views {

RecordDialog::RecordDialog(RecorderWords words, QWidget* parent)
    : QDialog(parent),
      pages_(new QStackedWidget(this)),
      form_(new RecordForm(std::move(words))),
      console_(new RecordConsole),
      list_(new RecordList) {
  setObjectName("recordDialog");
  setWindowTitle(tr("Record a program"));
  resize(760, 800);
  pages_->addWidget(formPage());
  pages_->addWidget(console_);
  pages_->addWidget(list_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(pages_);
  showForm();
  connect(new QShortcut(QKeySequence::HelpContents, this), &QShortcut::activated, this, &RecordDialog::helpWanted);
  connect(console_, &RecordConsole::backWanted, this, &RecordDialog::showForm);
  connect(console_, &RecordConsole::closeWanted, this, &QDialog::reject);
  connect(list_, &RecordList::backWanted, this, &RecordDialog::showForm);
  connect(list_, &RecordList::refreshWanted, this, &RecordDialog::listWanted);
}

QWidget* RecordDialog::formPage() {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins({});
  layout->addWidget(form_, 1);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(20, 8, 20, 16);
  buttons->setSpacing(8);
  const auto add = [&](const QString& text, const char* name) {
    auto* button = new QPushButton(text, page);
    button->setObjectName(name);
    button->setAutoDefault(false);
    buttons->addWidget(button);
    return button;
  };
  connect(add(tr("Recordings…"), "showRecordings"), &QPushButton::clicked, this, &RecordDialog::listWanted);
  connect(add(tr("Help"), "recordHelp"), &QPushButton::clicked, this, &RecordDialog::helpWanted);
  buttons->addStretch();
  connect(add(tr("Close"), "closeRecord"), &QPushButton::clicked, this, &QDialog::reject);
  record_ = add(tr("Record"), "record");
  record_->setDefault(true);
  connect(record_, &QPushButton::clicked, this, [this] { emit recordWanted(form_->request()); });
  const auto enable = [this] { record_->setEnabled(form_->isComplete()); };
  connect(form_, &RecordForm::changed, this, enable);
  enable();
  layout->addLayout(buttons);
  return page;
}

void RecordDialog::showForm() {
  pages_->setCurrentIndex(0);
  form_->setFocus();
}
void RecordDialog::showConsole() { pages_->setCurrentWidget(console_); }
void RecordDialog::showList() { pages_->setCurrentWidget(list_); }

}  // namespace lanescope::views
