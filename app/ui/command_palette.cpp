// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/command_palette.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace lanescope::ui {
namespace {

constexpr QSize kSize(560, 420);
constexpr int kAction = Qt::UserRole;  // index into actions_

}  // namespace

std::optional<int> fit(QStringView letters, QStringView text) {
  int score = 0;
  qsizetype at = 0;
  bool follows = false;
  for (const QChar letter : letters) {
    if (letter.isSpace()) continue;
    const qsizetype found = text.indexOf(letter, at, Qt::CaseInsensitive);
    if (found < 0) return std::nullopt;
    const bool beginsWord = found == 0 || !text[found - 1].isLetterOrNumber();
    follows = found == at && at > 0;
    score += follows ? 4 : beginsWord ? 3 : 0;
    score -= static_cast<int>(std::min<qsizetype>(found - at, 3));
    at = found + 1;
  }
  return score;
}

CommandPalette::CommandPalette(const QMenuBar& bar, QWidget* parent)
    : QDialog(parent), actions_(actionsOf(bar)), field_(new QLineEdit(this)), list_(new QTreeWidget(this)) {
  setObjectName("commandPalette");
  setWindowTitle(tr("Commands"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(kSize);
  field_->setPlaceholderText(tr("Type a command"));
  field_->setAccessibleName(tr("Command"));
  field_->installEventFilter(this);
  list_->setAccessibleName(tr("Commands that fit"));
  list_->setColumnCount(2);
  list_->setHeaderHidden(true);
  list_->setRootIsDecorated(false);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(field_);
  layout->addWidget(list_, 1);
  connect(field_, &QLineEdit::textChanged, this, &CommandPalette::showFitting);
  connect(field_, &QLineEdit::returnPressed, this, &CommandPalette::run);
  connect(list_, &QTreeWidget::itemActivated, this, &CommandPalette::run);
  showFitting({});
}

void CommandPalette::showFitting(const QString& letters) {
  struct Found {
    int score;
    std::size_t index;
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    const auto byText = fit(letters, actions_[i].text);
    // With its menu it is found too, after those that fit by name.
    const auto byMenu = fit(letters, QString(actions_[i].menu + u' ' + actions_[i].text));
    if (byText || byMenu) found.push_back({std::max(byText.value_or(-1000), byMenu.value_or(-1000) - 10), i});
  }
  if (!letters.trimmed().isEmpty())
    std::ranges::stable_sort(found, [](const Found& a, const Found& b) { return a.score > b.score; });
  list_->clear();
  for (const Found& each : found) {
    const MenuAction& action = actions_[each.index];
    auto* item = new QTreeWidgetItem(list_, {action.menu + QStringLiteral(" › ") + action.text, action.key});
    item->setData(0, kAction, static_cast<qulonglong>(each.index));
    item->setDisabled(!action.action->isEnabled());
  }
  if (list_->topLevelItemCount() > 0) list_->setCurrentItem(list_->topLevelItem(0));
}

void CommandPalette::run() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (item == nullptr || item->isDisabled()) return;
  QAction* action = actions_[item->data(0, kAction).toULongLong()].action;
  close();
  // Once this window has let the keyboard go, which the command may want.
  QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched != field_ || event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      QCoreApplication::sendEvent(list_, event);
      return true;
    default:
      return false;
  }
}

}  // namespace lanescope::ui
