// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/colour_menu.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanescope::ui {
namespace {

using views::Colouring;
using views::Theme;

QString tr(const char* text) { return QCoreApplication::translate("ColourMenu", text); }

void choose(Settings& settings, Colouring colouring) {
  settings.setColouring(colouring);
  Theme::instance().setColouring(std::move(colouring));
}

void editRules(Settings& settings, QWidget* window) {
  auto* dialog = new QDialog(window);
  dialog->setObjectName("colourRules");
  dialog->setWindowTitle(tr("Colour rules"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  auto* what = new QLabel(tr("A line each: a part of the name = a colour. The first that fits counts."), dialog);
  auto* text = new QPlainTextEdit(settings.rulesText(), dialog);
  text->setPlaceholderText("nccl = orange\nflash = #56b4e9");
  text->setAccessibleName(tr("Colour rules"));
  auto* wrong = new QLabel(dialog);
  wrong->setProperty("tone", "error");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  auto* layout = new QVBoxLayout(dialog);
  for (QWidget* each : std::initializer_list<QWidget*>{what, text, wrong, buttons}) layout->addWidget(each);
  const auto check = [text, wrong, buttons] {
    const auto rules = views::parseRules(text->toPlainText().toStdString());
    wrong->setText(rules ? QString() : tr("Line %1 is no rule; write it as nccl = orange").arg(rules.error()));
    buttons->button(QDialogButtonBox::Ok)->setEnabled(rules.has_value());
  };
  QObject::connect(text, &QPlainTextEdit::textChanged, dialog, check);
  check();
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, [dialog, text, &settings] {
    settings.setRulesText(text->toPlainText());
    Theme::instance().setColouring(settings.colouring());
    dialog->accept();
  });
  dialog->show();
}

}  // namespace

void addColourMenu(QMenu& menu, Settings& settings, QWidget* window) {
  auto* group = new QActionGroup(&menu);
  const auto add = [&](const QString& text, Colouring::By by) {
    QAction* action = menu.addAction(text, &menu, [by, &settings] {
      Colouring colouring = Theme::instance().colouring();
      colouring.by = by;
      choose(settings, std::move(colouring));
    });
    action->setCheckable(true);
    action->setChecked(Theme::instance().colouring().by == by);
    group->addAction(action);
  };
  add(tr("&Name"), Colouring::By::kName);
  add(tr("&Kind"), Colouring::By::kKind);
  add(tr("&Stream"), Colouring::By::kStream);
  add(tr("&Duration"), Colouring::By::kDuration);
  add(tr("NVTX &colours"), Colouring::By::kAuthor);
  menu.addSeparator();
  QAction* safe = menu.addAction(tr("Colour-&blind safe"));
  safe->setCheckable(true);
  safe->setChecked(Theme::instance().colouring().colourBlind);
  QObject::connect(safe, &QAction::toggled, &menu, [&settings](bool on) {
    Colouring colouring = Theme::instance().colouring();
    colouring.colourBlind = on;
    choose(settings, std::move(colouring));
  });
  menu.addAction(tr("&Rules…"), &menu, [&settings, window] { editRules(settings, window); });
}

}  // namespace lanescope::ui
