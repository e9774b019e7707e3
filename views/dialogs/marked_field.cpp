// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/marked_field.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "model/shell_words.h"
#include "views/restyle.h"
#include "views/text.h"

namespace lanescope::views {

MarkedField::MarkedField(const QString& name, const QString& placeholder, QWidget* parent)
    : QWidget(parent), edit_(new QLineEdit(this)), note_(new QLabel(this)) {
  edit_->setAccessibleName(name);
  edit_->setPlaceholderText(placeholder);
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(edit_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(2);
  layout->addLayout(line);
  layout->addWidget(note_);
  setFocusProxy(edit_);
  connect(edit_, &QLineEdit::textChanged, this, &MarkedField::edited);
  showNote();
}

std::string MarkedField::text() const { return edit_->text().trimmed().toStdString(); }

std::vector<std::string> MarkedField::words() const {
  return readShellWords(text()).value_or(std::vector<std::string>());
}

void MarkedField::setText(std::string_view text) {
  if (const QString line = toQt(text); edit_->text() != line) edit_->setText(line);
}

void MarkedField::addBeside(QWidget* widget) {
  static_cast<QHBoxLayout*>(layout()->itemAt(0)->layout())->addWidget(widget);
}

void MarkedField::setComplaint(const QString& why) {
  complaint_ = why;
  showNote();
}

void MarkedField::setHint(const QString& hint) {
  hint_ = hint;
  showNote();
}

void MarkedField::keepPlaceForNote() {
  keepsPlace_ = true;
  showNote();
}

void MarkedField::showNote() {
  const QString& note = complaint_.isEmpty() ? hint_ : complaint_;
  note_->setText(note.isEmpty() ? QString(QChar::Nbsp) : note);
  note_->setVisible(keepsPlace_ || !note.isEmpty());
  restyle(*note_, "tone", complaint_.isEmpty() ? "dim" : "error");
  restyle(*edit_, "wrong", !complaint_.isEmpty());
  edit_->setAccessibleDescription(note);
}

}  // namespace lanescope::views
