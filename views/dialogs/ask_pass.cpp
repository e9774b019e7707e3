// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/ask_pass.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanescope::views {
namespace {

constexpr int kWidth = 460;

}  // namespace

AskPass::Kind AskPass::kindOf(const QString& question, const QString& hint) {
  if (hint == QLatin1String("none")) return Kind::kNotice;
  return hint == QLatin1String("confirm") || question.contains(QLatin1String("(yes/no")) ? Kind::kYesNo : Kind::kSecret;
}

AskPass::AskPass(const QString& question, Kind kind, QWidget* parent) : QDialog(parent), kind_(kind) {
  setWindowTitle(tr("ssh asks"));
  setMinimumWidth(kWidth);
  auto* lines = new QVBoxLayout(this);
  lines->setContentsMargins(16, 16, 16, 16);
  lines->setSpacing(12);
  auto* text = new QLabel(question.trimmed(), this);
  text->setObjectName("question");
  text->setTextFormat(Qt::PlainText);  // it comes from a server
  text->setWordWrap(true);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  lines->addWidget(text);
  auto* buttons = new QDialogButtonBox(this);
  if (kind == Kind::kSecret) {
    secret_ = new QLineEdit(this);
    secret_->setEchoMode(QLineEdit::Password);
    secret_->setAccessibleName(question.trimmed());
    lines->addWidget(secret_);
    auto* show = new QCheckBox(tr("&Show what I type"), this);
    connect(show, &QCheckBox::toggled, secret_,
            [this](bool on) { secret_->setEchoMode(on ? QLineEdit::Normal : QLineEdit::Password); });
    lines->addWidget(show);
    secret_->setFocus();
    buttons->addButton(tr("OK"), QDialogButtonBox::AcceptRole)->setDefault(true);
  } else if (kind == Kind::kYesNo) {
    // The careful answer is the one that a stray Enter gives.
    buttons->addButton(tr("&Yes, go on"), QDialogButtonBox::AcceptRole)->setAutoDefault(false);
  }
  QPushButton* cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
  if (kind == Kind::kYesNo) {
    cancel->setDefault(true);
    cancel->setFocus();
  }
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  lines->addWidget(buttons);
}

QString AskPass::answer() const { return kind_ == Kind::kSecret ? secret_->text() : QStringLiteral("yes"); }

}  // namespace lanescope::views
