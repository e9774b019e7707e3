// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/details_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/panels/copyable_tree.h"
#include "views/panels/plain_label.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

/// Lets a word-wrapping label break a long template name where C++ allows a space.
QString breakable(QString text) {
  for (const QChar after : {QChar(','), QChar('<'), QChar(':'), QChar('('), QChar('_')}) {
    text.replace(after, QString(after) + QChar(0x200B));
  }
  return text;
}

}  // namespace

DetailsPanel::DetailsPanel(QWidget* parent)
    : QWidget(parent),
      title_(plainLabel(this)),
      whole_(plainLabel(this)),
      message_(plainLabel(this)),
      fields_(new CopyableTree({tr("Field"), tr("Value")}, this)),
      copyAll_(new QPushButton(tr("Copy all"), this)) {
  fields_->setHeaderHidden(true);
  fields_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  fields_->header()->setStretchLastSection(true);
  fields_->setAccessibleName(tr("Fields of the current event"));
  fields_->viewport()->setAutoFillBackground(false);
  fields_->setStyleSheet("QTreeWidget { background: transparent; }");
  copyAll_->setFlat(true);
  connect(copyAll_, &QPushButton::clicked, fields_, &CopyableTree::copyAll);
  whole_->setProperty("tone", "dim");
  message_->setProperty("tone", "dim");

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(4);
  layout->addWidget(title_);
  layout->addWidget(whole_);
  layout->addSpacing(4);
  layout->addWidget(message_);
  layout->addWidget(fields_, 1);
  layout->addWidget(copyAll_, 0, Qt::AlignLeft);
  layout->addStretch(0);
  setMessage(tr("Click an event to see it here"));
}

void DetailsPanel::setEvent(const QString& label, const std::vector<report::Field>& fields) {
  title_->setFont(Theme::font(2, true));
  whole_->setFont(Theme::figures(-1));
  title_->setText(breakable(label));
  whole_->hide();
  fields_->clear();
  for (const report::Field& field : fields) {
    const QString name = QString::fromStdString(field.label), value = QString::fromStdString(field.value);
    if (name == "Name") {
      whole_->setText(breakable(value));
      whole_->setVisible(value != label);
      continue;
    }
    auto* item = new QTreeWidgetItem(fields_, {name, value});
    item->setForeground(0, Theme::colours().textDim);
    item->setFont(1, Theme::figures());
    item->setToolTip(1, value);
  }
  title_->show();
  fields_->show();
  copyAll_->show();
  message_->hide();
}

void DetailsPanel::setMessage(const QString& message) {
  message_->setText(message);
  message_->show();
  for (QWidget* part : std::initializer_list<QWidget*>{title_, whole_, fields_, copyAll_}) part->hide();
}

}  // namespace lanescope::views
