// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>

#include "app/ui/compare_tab.h"

namespace lanescope::ui {

CompareDialog::CompareDialog(ReportTabs& tabs, const QStringList& recent, QWidget* parent)
    : QDialog(parent),
      tabs_(tabs),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
  constexpr int kWidth = 640;
  setObjectName("compareDialog");
  setWindowTitle(tr("Compare two reports"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(kWidth, 0);
  for (int i = 0; i < tabs.count(); ++i)
    if (ReportTab* tab = tabs.at(i)) open_.append({tab->shownPath(), {tab->session().file(), tab->origin()}});
  if (!recent.isEmpty()) folder_ = QFileInfo(recent.front()).absolutePath();
  auto* form = new QFormLayout(this);
  a_ = addField(tr("A, before"));
  b_ = addField(tr("B, after"));
  for (QComboBox* field : {a_, b_}) {
    for (const auto& [shown, source] : open_) field->addItem(shown);
    for (const QString& path : recent)
      if (field->findText(path) < 0 && !remote::isSshAddress(path.toStdString())) field->addItem(path);
    connect(field, &QComboBox::currentTextChanged, this, &CompareDialog::check);
  }
  const ReportTab* looked = tabs.current();
  const int first = std::max(0, looked ? a_->findText(looked->shownPath()) : 0);
  a_->setCurrentIndex(a_->count() > 0 ? first : -1);
  b_->setCurrentIndex(b_->count() > 1 ? (first == 0 ? 1 : 0) : -1);
  buttons_->button(QDialogButtonBox::Ok)->setText(tr("Compare"));
  form->addRow(buttons_);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons_, &QDialogButtonBox::accepted, this, [this] {
    const auto a = chosen(*a_), b = chosen(*b_);
    accept();
    if (a && b) tabs_.compare(*a, *b);
  });
  check();
}

QComboBox* CompareDialog::addField(const QString& label) {
  auto* row = new QWidget(this);
  auto* field = new QComboBox(row);
  field->setEditable(true);
  field->setAccessibleName(label);
  field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* browse = new QPushButton(tr("Browse…"), row);
  browse->setAutoDefault(false);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins({});
  line->addWidget(field, 1);
  line->addWidget(browse);
  static_cast<QFormLayout*>(layout())->addRow(label, row);
  connect(browse, &QPushButton::clicked, this, [this, field] { this->browse(*field); });
  return field;
}

void CompareDialog::browse(QComboBox& field) {
  const QString file = QFileDialog::getOpenFileName(this, tr("Compare"), folder_, ReportTabs::fileFilter());
  if (!file.isEmpty()) field.setEditText(file);
}

std::optional<ReportSource> CompareDialog::chosen(const QComboBox& field) const {
  const QString text = field.currentText().trimmed();
  for (const auto& [shown, source] : open_)
    if (shown == text) return source;
  if (!QFileInfo(text).isFile()) return std::nullopt;
  return ReportSource{text.toStdString()};
}

void CompareDialog::check() { buttons_->button(QDialogButtonBox::Ok)->setEnabled(chosen(*a_) && chosen(*b_)); }

}  // namespace lanescope::ui
